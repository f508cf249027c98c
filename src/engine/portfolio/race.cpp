#include "engine/portfolio/race.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <fmt/format.h>
#include <mutex>
#include <thread>

#include "base/error.hpp"

namespace weir {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kFirstSlice(10), kLongestSlice(2000), kFirstPoll(5), kPoll(20);

// A contender, in a thread of its own.
class Lane {
 public:
  Lane(const Contender& contender, const RaceOptions& options, Context::ProgressSink progress)
      : contender_(contender), options_(options), context_({}, std::move(progress), false) {}

  const Contender& contender() const { return contender_; }
  Context& context() { return context_; }

  // It runs from now on, until it is paused.
  void give_turn(std::mutex& mutex, std::condition_variable& changed) {
    if (thread_.joinable()) return context_.resume();
    thread_ = std::jthread([this, &mutex, &changed] { run(mutex, changed); });
  }

  // The rest is to be called with the mutex held, or after the thread has ended.
  bool done() const { return done_; }
  bool certain() const { return done_ && (error_ || answer_.verdict != Verdict::kUnknown); }
  bool decided() const { return certain() || (done_ && options_.ends_all(answer_)); }
  const Answer& answer() const { return answer_; }
  void wait() {
    if (thread_.joinable()) thread_.join();
  }
  Answer take() {
    if (error_) std::rethrow_exception(error_);
    return std::move(answer_);
  }

 private:
  void run(std::mutex& mutex, std::condition_variable& changed) {
    Answer answer;
    std::exception_ptr error;
    try {
      answer = contender_.run(context_);
    } catch (...) {
      error = std::current_exception();
    }
    const std::scoped_lock lock(mutex);
    answer_ = std::move(answer);
    error_ = error;
    done_ = true;
    changed.notify_all();
  }

  const Contender& contender_;
  const RaceOptions& options_;
  Context context_;
  Answer answer_;
  std::exception_ptr error_;
  bool done_ = false;
  std::jthread thread_;
};

class Race {
 public:
  Race(const std::vector<Contender>& contenders, const RaceOptions& options, Context& context)
      : options_(options), context_(context) {
    for (const Contender& contender : contenders)
      lanes_.emplace_back(contender, options, lanes_.empty() ? sink() : Context::ProgressSink{});
  }

  Answer run() {
    const Clock::time_point start = Clock::now();
    lanes_.front().give_turn(mutex_, changed_);
    std::unique_lock lock(mutex_);
    bool all = false;  // take part
    while (!over()) {
      changed_.wait_for(lock, all ? std::min(slice_, kPoll) : kFirstPoll);
      if (over()) break;  // before anybody else starts
      if (context_.stopped()) stop(context_.stop_reason());
      const bool others_start = lanes_.front().done() || Clock::now() - start >= options_.head_start;
      if (!all && others_start && !context_.stopped()) all = enter_all();
      if (all && !context_.stopped()) take_turns();
      tell_progress();
    }
    stop(StopReason::kInterrupt);
    lock.unlock();
    for (Lane& lane : lanes_) lane.wait();
    for (const auto decides : {&Lane::certain, &Lane::decided})
      if (const auto winner = std::ranges::find_if(lanes_, decides); winner != lanes_.end())
        return winner->take();
    Answer answer = lanes_.front().take();
    for (auto lane = std::next(lanes_.begin()); lane != lanes_.end(); ++lane)
      if (lane->done())
        answer.diagnostics.push_back(
            {Severity::kNote, fmt::format("{}: {}", lane->contender().name, lane->answer().reason), {}, {}});
    return answer;
  }

 private:
  bool over() const {
    if (std::ranges::any_of(lanes_, &Lane::decided)) return true;
    if (context_.stop_reason() != StopReason::kNone) return lanes_.front().done();
    return std::ranges::all_of(lanes_, &Lane::done);
  }

  void stop(StopReason reason) {
    for (Lane& lane : lanes_) lane.context().request_stop(reason);
  }

  // Of those who take turns: the first one if it has no seat of its own.
  bool enter_all() {
    for (std::size_t i = options_.seats > 1 ? 1 : 0; i < lanes_.size(); ++i) waiting_.push_back(&lanes_[i]);
    if (options_.seats == 1) {
      running_.push_back(&lanes_.front());
      waiting_.pop_front();
    }
    return true;
  }

  std::size_t seats() const {
    const bool kept = options_.seats > 1 && !lanes_.front().done();
    return options_.seats - (kept ? 1 : 0);
  }

  // Whoever had its slice makes room, if somebody waits for it.
  void take_turns() {
    const auto gone = [](const Lane* lane) { return lane->done(); };
    std::erase_if(running_, gone);
    std::erase_if(waiting_, gone);
    if (!running_.empty() && running_.size() >= seats() && Clock::now() < end_of_slice_) return;
    while (!waiting_.empty() && !running_.empty() && running_.size() >= seats()) {
      running_.front()->context().pause();
      waiting_.push_back(running_.front());
      running_.pop_front();
      slice_ = std::min(slice_ + slice_ / 4, kLongestSlice);
    }
    while (!waiting_.empty() && running_.size() < seats()) {
      Lane& next = *waiting_.front();
      waiting_.pop_front();
      running_.push_back(&next);
      end_of_slice_ = Clock::now() + slice_ * next.contender().share;
      next.give_turn(mutex_, changed_);
    }
  }

  // The figures shown are those of the first contender.
  Context::ProgressSink sink() {
    return [this](const ProgressSample& sample, double) {
      const std::scoped_lock lock(progress_mutex_);
      latest_ = sample;
    };
  }

  void tell_progress() {
    if (!context_.progress_due()) return;
    ProgressSample sample;
    {
      const std::scoped_lock lock(progress_mutex_);
      sample = latest_;
    }
    if (sample.phase.empty()) sample.phase = lanes_.front().contender().name;
    for (std::size_t i = 1; i < lanes_.size(); ++i)
      sample.phase += (i == 1 ? " (beside " : ", ") + lanes_[i].contender().name;
    if (lanes_.size() > 1) sample.phase += ")";
    context_.report_progress(sample);
  }

  const RaceOptions& options_;
  Context& context_;
  std::mutex mutex_, progress_mutex_;
  std::condition_variable changed_;
  ProgressSample latest_;
  std::deque<Lane> lanes_;
  std::deque<Lane*> running_, waiting_;  // of those that take turns
  milliseconds slice_ = kFirstSlice;
  Clock::time_point end_of_slice_{};
};

}  // namespace

Answer race(const std::vector<Contender>& contenders, const RaceOptions& options, Context& context) {
  WEIR_CHECK(!contenders.empty(), "somebody takes part");
  WEIR_CHECK(options.seats > 0, "somebody runs");
  return Race(contenders, options, context).run();
}

}  // namespace weir
