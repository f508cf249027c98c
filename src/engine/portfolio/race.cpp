#include "engine/portfolio/race.hpp"

#include <condition_variable>
#include <exception>
#include <fmt/format.h>
#include <mutex>
#include <thread>

#include "base/error.hpp"

namespace weir {

namespace {

using Clock = std::chrono::steady_clock;

// What runs in one thread: one contender, or several in turn.
class Lane {
 public:
  Lane(const std::vector<Contender>& contenders, std::size_t first, std::size_t end,
       Context::ProgressSink progress)
      : contenders_(contenders), first_(first), end_(end), context_({}, std::move(progress), false) {}

  void run(std::mutex& mutex, std::condition_variable& changed) {
    Answer answer;
    std::exception_ptr error;
    try {
      for (std::size_t i = first_; i < end_ && !context_.stopped(); ++i) {
        answer = contenders_[i].run(context_);
        if (answer.verdict != Verdict::kUnknown) break;
      }
    } catch (...) {
      error = std::current_exception();
    }
    const std::scoped_lock lock(mutex);
    answer_ = std::move(answer);
    error_ = error;
    done_ = true;
    changed.notify_all();
  }

  Context& context() { return context_; }
  bool done() const { return done_; }
  bool decided() const { return done_ && (error_ || answer_.verdict != Verdict::kUnknown); }
  Answer take() {
    if (error_) std::rethrow_exception(error_);
    return std::move(answer_);
  }

 private:
  const std::vector<Contender>& contenders_;
  std::size_t first_, end_;
  Context context_;
  Answer answer_;
  std::exception_ptr error_;
  bool done_ = false;
};

class Race {
 public:
  Race(const std::vector<Contender>& contenders, const RaceOptions& options, Context& context)
      : contenders_(contenders),
        options_(options),
        context_(context),
        favourite_(contenders, 0, 1, [this](const ProgressSample& sample, double) { note(sample); }),
        others_(contenders, 1, contenders.size(), {}) {}

  Answer run() {
    const Clock::time_point start = Clock::now();
    std::jthread first([&] { favourite_.run(mutex_, changed_); });
    std::jthread second;
    std::unique_lock lock(mutex_);
    while (!over()) {
      changed_.wait_for(lock, std::chrono::milliseconds(20));
      if (context_.stopped()) stop(context_.stop_reason());
      if (!second.joinable() && !over() && Clock::now() - start >= options_.head_start && !context_.stopped())
        second = std::jthread([&] { others_.run(mutex_, changed_); });
      tell_progress();
    }
    Lane& winner = others_.decided() && !favourite_.decided() ? others_ : favourite_;
    stop(StopReason::kInterrupt);
    lock.unlock();
    first.join();
    if (second.joinable()) second.join();
    return winner.take();
  }

 private:
  bool over() const {
    if (favourite_.decided() || others_.decided()) return true;
    return favourite_.done() && (others_.done() || contenders_.size() == 1 || context_.stopped());
  }

  void stop(StopReason reason) {
    favourite_.context().request_stop(reason);
    others_.context().request_stop(reason);
  }

  // The figures shown are those of the first contender.
  void note(const ProgressSample& sample) {
    const std::scoped_lock lock(progress_mutex_);
    latest_ = sample;
  }

  void tell_progress() {
    if (!context_.progress_due()) return;
    ProgressSample sample;
    {
      const std::scoped_lock lock(progress_mutex_);
      sample = latest_;
    }
    if (sample.phase.empty()) sample.phase = contenders_[0].name;
    for (std::size_t i = 1; i < contenders_.size(); ++i)
      sample.phase += (i == 1 ? " (beside " : ", ") + contenders_[i].name;
    if (contenders_.size() > 1) sample.phase += ")";
    context_.report_progress(sample);
  }

  const std::vector<Contender>& contenders_;
  const RaceOptions& options_;
  Context& context_;
  std::mutex mutex_, progress_mutex_;
  std::condition_variable changed_;
  ProgressSample latest_;
  Lane favourite_, others_;
};

}  // namespace

Answer race(const std::vector<Contender>& contenders, const RaceOptions& options, Context& context) {
  WEIR_CHECK(!contenders.empty(), "somebody takes part");
  return Race(contenders, options, context).run();
}

}  // namespace weir
