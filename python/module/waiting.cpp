#include "waiting.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>

namespace py = pybind11;

namespace weir::python {

namespace {

using namespace std::chrono_literals;

// How long Ctrl-C may wait before it is heard.
constexpr auto kBetweenSignals = 50ms;

// What Python raised while a question was running; guarded by the interpreter lock.
class Raised {
 public:
  explicit operator bool() const { return error_ != nullptr; }
  void keep(py::error_already_set& error) {
    if (!error_) error_ = std::make_unique<py::error_already_set>(error);
    stop_.request_stop();
  }
  std::stop_token stop() const { return stop_.get_token(); }
  void raise_again() const {
    if (error_) throw py::error_already_set(*error_);
  }

 private:
  std::unique_ptr<py::error_already_set> error_;
  std::stop_source stop_;
};

v1::RunOptions options_for(const Run& run, Raised& raised) {
  constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20;
  v1::RunOptions options;
  if (run.timeout) options.timeout = std::chrono::duration<double>(*run.timeout);
  if (run.memory) options.memory = *run.memory * kMegabyte;
  options.jobs = run.jobs;
  options.stop = raised.stop();
  if (!run.progress.is_none()) {
    // A reference would be given up by whichever thread is last, without the lock; `run` outlives the question.
    options.progress = [&callback = run.progress, &raised](const v1::Progress& progress) {
      const py::gil_scoped_acquire hold;
      if (raised) return;
      try {
        callback(progress);
      } catch (py::error_already_set& error) {
        raised.keep(error);
      }
    };
  }
  return options;
}

// Handlers of signals run in Python's main thread only; elsewhere this does nothing.
void hear_signals(Raised& raised) {
  const py::gil_scoped_acquire hold;
  if (raised || PyErr_CheckSignals() == 0) return;
  py::error_already_set error;
  raised.keep(error);
}

}  // namespace

void raise(const v1::Error& error) {
  const char* kind = "internal";
  switch (error.kind) {
    case v1::ErrorKind::kUsage: kind = "usage"; break;
    case v1::ErrorKind::kInput: kind = "input"; break;
    case v1::ErrorKind::kStopped: kind = "stopped"; break;
    case v1::ErrorKind::kInternal: break;
  }
  py::list diagnostics;
  for (const v1::Diagnostic& diagnostic : error.diagnostics) diagnostics.append(diagnostic);
  const py::object type = py::module_::import("weir._error").attr("Error");
  const py::object instance = type(error.text, kind, py::tuple(diagnostics));
  PyErr_SetObject(type.ptr(), instance.ptr());
  throw py::error_already_set();
}

void wait_for(const Run& run, const std::function<void(const v1::RunOptions&)>& question) {
  Raised raised;
  std::exception_ptr failure;
  {
    const v1::RunOptions options = options_for(run, raised);
    std::mutex mutex;
    std::condition_variable ended;
    bool done = false;
    const py::gil_scoped_release release;
    const std::jthread worker([&] {
      try {
        question(options);
      } catch (...) {
        failure = std::current_exception();
      }
      const std::lock_guard lock(mutex);
      done = true;
      ended.notify_one();
    });
    std::unique_lock lock(mutex);
    while (!ended.wait_for(lock, kBetweenSignals, [&] { return done; })) {
      lock.unlock();
      hear_signals(raised);
      lock.lock();
    }
  }
  raised.raise_again();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace weir::python
