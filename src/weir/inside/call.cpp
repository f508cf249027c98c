#include "weir/inside/call.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <thread>

namespace weir::v1 {

namespace {

weir::Limits limits(const RunOptions& options) {
  weir::Limits result{.timeout = {}, .memory_bytes = options.memory};
  if (!options.timeout) return result;
  const double seconds = options.timeout->count();
  if (!(seconds > 0)) fail_usage(fmt::format("a timeout of {} seconds leaves no time", seconds));
  constexpr double kLongest = 1e9;
  result.timeout = std::chrono::milliseconds(std::max(1LL, std::llround(std::min(seconds, kLongest) * 1000)));
  return result;
}

unsigned number_of_jobs(unsigned wanted) {
  constexpr unsigned kMost = 1024;
  return std::clamp(wanted == 0 ? std::thread::hardware_concurrency() : wanted, 1u, kMost);
}

}  // namespace

Call::Call(const RunOptions& options)
    : progress_(options.progress),
      jobs_(number_of_jobs(options.jobs)),
      context_(limits(options),
               progress_ ? [this](const ProgressSample& sample, double seconds) { tell(sample, seconds); }
                         : Context::ProgressSink(),
               false) {
  stop_.emplace(options.stop, [this] { context_.request_stop(weir::StopReason::kInterrupt); });
}

StopReason Call::stopped() const {
  switch (context_.stop_reason()) {
    case weir::StopReason::kNone: return StopReason::kNone;
    case weir::StopReason::kTimeout: return StopReason::kTimeout;
    case weir::StopReason::kMemory: return StopReason::kMemory;
    case weir::StopReason::kInterrupt: return StopReason::kCancelled;
  }
  return StopReason::kNone;
}

void Call::go_on() {
  look_at_callback();
  if (context_.stopped()) fail(ErrorKind::kStopped, describe(context_.stop_reason()));
}

void Call::look_at_callback() {
  const std::scoped_lock lock(telling_);
  if (!thrown_) return;
  try {
    std::rethrow_exception(thrown_);
  } catch (const std::exception& problem) {
    fail_usage(fmt::format("the function for progress has thrown: {}", problem.what()));
  } catch (...) {
    fail_usage("the function for progress has thrown");
  }
}

void Call::tell(const ProgressSample& sample, double seconds) {
  const std::scoped_lock lock(telling_);
  if (thrown_) return;
  try {
    progress_({.phase = sample.phase,
               .states = sample.states,
               .unit = sample.unit,
               .queue = sample.queue,
               .depth = sample.depth,
               .expected = sample.expected,
               .note = sample.note,
               .seconds = seconds});
  } catch (...) {
    thrown_ = std::current_exception();
    context_.request_stop(weir::StopReason::kInterrupt);
  }
}

}  // namespace weir::v1
