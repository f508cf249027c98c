// Random runs of a program, each from its beginning to its end.
//
// Two kinds take turns. A uniform walk lets somebody who can move, chosen anew each time, do a step; it
// visits what is reached in many ways. Random priorities with a few random changes are the scheduler of
// [Burckhardt10]: an error that needs d events in a certain order is found there with a chance of at least
// 1 / (k n^(d-1)), with k threads and n steps, however unlikely it is in a uniform walk. Those who move are
// the threads and, unlike there, the store buffers: a buffer that comes last delays its stores as long as it
// can.
//
// A thread that polls would keep all others from running. It is noticed by its coming back to where it was
// with memory unchanged, and then waits for memory to change; it stops anywhere in its loop, at random. If
// all who can move poll, the schedule has ended. Other endless runs are cut after so many steps.
//
// A step costs a few look-ups in the tables of `System`, and no allocation but theirs. Between schedules,
// tables that have grown too large are thrown away.
#include "engine/schedules/random_schedules.hpp"

#include <absl/container/flat_hash_set.h>
#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "base/hash.hpp"
#include "engine/explicit/fewest_switches.hpp"
#include "engine/explicit/witness_builder.hpp"
#include "program/ordering.hpp"

namespace weir {

namespace {

constexpr std::size_t kMostChanges = 4;          // of priorities, in one schedule
constexpr std::uint64_t kFirstLength = 64;       // of a schedule, before any is known
constexpr std::uint64_t kLongestTurn = 1000;     // steps in a row that leave memory as it is
constexpr std::size_t kLongestBuffer = 64;       // beyond it, stores leave before new ones enter
constexpr std::size_t kLargestTables = 2 << 20;  // memories and components together
constexpr std::uint64_t kPollMask = 0x3FF;

// The generator splitmix64.
class Randomness {
 public:
  explicit Randomness(std::uint64_t seed) : state_(seed) {}

  // From 0 to below `limit`, nearly uniformly: the limits here are small.
  std::uint64_t below(std::uint64_t limit) { return next() % limit; }

 private:
  std::uint64_t next() { return mix(state_ += 0x9E3779B97F4A7C15ull); }

  std::uint64_t state_;
};

struct RandomStatistics {
  std::uint64_t schedules = 0;
  std::uint64_t steps = 0;
  std::uint64_t cut = 0;      // schedules that did not end
  std::uint64_t polling = 0;  // schedules that ended where all who could move polled
};

// Notices that a thread polls, by Brent's method [Brent80]: a step leads to a component that was marked.
struct PollWatch {
  std::uint64_t epoch = 0;    // of memory, in which this began
  std::uint64_t waiting = 0;  // the epoch in which the thread is known to poll
  ComponentId marked;
  std::uint64_t distance = 0;  // steps since
  std::uint64_t limit = 1;     // after so many, the mark moves
  std::uint64_t still = 0;     // steps before it waits, once it is known to poll
};

class RandomWalks {
 public:
  RandomWalks(const Program& program, const RandomOptions& options, Context& context)
      : program_(program), options_(options), context_(context) {
    rebuild();
  }

  Answer run() {
    for (std::uint64_t number = 0; number < options_.schedules && !context_.stopped() && !found_; ++number) {
      if (too_large()) rebuild();
      walk(number);
      if (context_.progress_due()) tell_progress();
    }
    return answer();
  }

 private:
  // Who moves: a thread, or (from `threads_` on) the buffer of a thread.
  using Mover = std::uint32_t;

  struct Machine {
    Machine(const Program& program, const SystemOptions& options)
        : system(program, options), monitor(system) {}

    System system;
    Monitor monitor;
  };

  System& system() { return machine_->system; }
  std::size_t thread_of(Mover mover) const { return mover % threads_; }
  bool is_buffer(Mover mover) const { return mover >= threads_; }

  void rebuild() {
    rebuilt_ = machine_ != nullptr;
    machine_ = std::make_unique<Machine>(program_, SystemOptions{.model = options_.model,
                                                                 .buffer = options_.buffer,
                                                                 .local_steps = options_.local_steps,
                                                                 .values = options_.values,
                                                                 .overlaps = Overlaps::kSplit});
    initial_ = system().initial();
    threads_ = system().thread_count();
    order_.resize(buffers_stores(options_.model) ? 2 * threads_ : threads_);
  }

  bool too_large() {
    std::size_t size = system().memory().size();
    for (std::size_t t = 0; t < threads_; ++t) size += system().view(t).size();
    return size > kLargestTables || system().memory().grown();
  }

  // One schedule.

  void walk(std::uint64_t number) {
    begin(number);
    std::uint64_t steps = 0;
    for (; !found_ && steps < options_.most_steps; ++steps) {
      if ((steps & kPollMask) == 0 && (context_.stopped() || too_large())) break;
      if (!choose_mover()) break;
      take_step();
      if (!uniform_) change_priorities(steps);
    }
    statistics_.steps += steps;
    length_ = (7 * length_ + steps) / 8 + 1;
    if (context_.stopped() && !found_) return;
    ++statistics_.schedules;
    if (!ended_ && !found_) ++statistics_.cut;
  }

  void begin(std::uint64_t number) {
    random_ = Randomness(mix(options_.seed, number));
    state_ = initial_;
    path_.clear();
    ended_ = false;
    epoch_ = 1;
    turn_ = 0;
    watches_.assign(threads_, {});
    std::iota(order_.begin(), order_.end(), Mover{0});
    uniform_ = number % 3 == 0;
    changes_ = 0;
    if (!uniform_) plan_priorities();
    for (const Violation& bad : machine_->monitor.violations(state_)) report(bad);
  }

  void plan_priorities() {
    for (std::size_t i = 0; i + 1 < order_.size(); ++i)
      std::swap(order_[i], order_[i + random_.below(order_.size() - i)]);
    changes_ = random_.below(kMostChanges + 1);
    for (std::size_t i = 0; i < changes_; ++i) change_at_[i] = random_.below(length_);
  }

  // Who comes first in `order_` and can move, does, by a step that is then in `move_`. In a uniform walk the
  // order is made on the way. False at the end of the schedule.
  bool choose_mover() {
    bool somebody_polls = false;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      if (uniform_) std::swap(order_[i], order_[i + random_.below(order_.size() - i)]);
      mover_ = order_[i];
      if (!is_buffer(mover_) && watches_[mover_].waiting == epoch_) {
        somebody_polls = true;
      } else if (can_move()) {
        return true;
      }
    }
    end(somebody_polls);
    return false;
  }

  bool can_move() {
    const std::size_t thread = thread_of(mover_);
    if (!is_buffer(mover_) && order_.size() > threads_ &&
        system().view(thread).buffer_length(state_.components[thread]) >= kLongestBuffer) {
      mover_ = static_cast<Mover>(thread + threads_);
      if (choose_step()) return true;
      mover_ = static_cast<Mover>(thread);
    }
    return choose_step();
  }

  // One of the steps that the mover can do, each with the same chance.
  bool choose_step() {
    const std::size_t thread = thread_of(mover_);
    const ComponentId component = state_.components[thread];
    alternatives_ = 0;
    for (const Step& step : system().view(thread).steps(component)) {
      if (step.flush != is_buffer(mover_)) continue;
      system().execute(thread, component, state_.memory, step, [&](const Move& move) {
        if (++alternatives_ > 1 && random_.below(alternatives_) != 0) return;
        move_ = move;
        step_ = step;
      });
    }
    return alternatives_ > 0;
  }

  void take_step() {
    const std::size_t thread = thread_of(mover_);
    path_.push_back(
        {thread, state_.components[thread], state_.memory, step_, move_.outcome, move_.fails, move_.value});
    if (move_.fails) {
      const StepRecord& last = path_.back();
      return report(machine_->monitor.failure(thread, last.component, last.memory, last.step, last.outcome));
    }
    const bool writes = move_.memory != state_.memory;
    state_.components[thread] = move_.component;
    state_.memory = move_.memory;
    if (writes) ++epoch_;
    if (!is_buffer(mover_)) watch(thread);
    turn_ = writes || mover_ != last_mover_ ? 0 : turn_ + 1;
    last_mover_ = mover_;
    if (!machine_->monitor.suspicious(thread, move_.component)) return;
    for (const Violation& bad : machine_->monitor.violations(state_)) report(bad);
  }

  // A thread that had a choice does not poll: it may choose otherwise the next time.
  void watch(std::size_t thread) {
    PollWatch& watch = watches_[thread];
    if (watch.epoch != epoch_ || alternatives_ > 1) {
      watch = {.epoch = epoch_, .marked = move_.component};
    } else if (watch.still > 0) {
      if (--watch.still == 0) watch.waiting = epoch_;
    } else if (move_.component == watch.marked) {
      watch.still = random_.below(watch.distance + 1);
      if (watch.still == 0) watch.waiting = epoch_;
    } else if (++watch.distance == watch.limit) {
      watch.marked = move_.component;
      watch.limit *= 2;
      watch.distance = 0;
    }
  }

  // The one that just moved comes last from now on, if it is time, or if it does not let others run.
  void change_priorities(std::uint64_t step) {
    const bool now = std::find(change_at_, change_at_ + changes_, step) != change_at_ + changes_;
    if (!now && turn_ < kLongestTurn) return;
    turn_ = 0;
    const auto place = std::ranges::find(order_, mover_);
    std::rotate(place, place + 1, order_.end());
  }

  void end(bool polling) {
    ended_ = true;
    if (polling) {
      ++statistics_.polling;
    } else if (const auto bad = machine_->monitor.at_end(state_)) {
      report(*bad);
    }
    std::uint64_t hash = state_.memory.index();
    for (const ComponentId component : state_.components) hash = mix(hash, component.index());
    ends_.insert(hash);
  }

  void report(const Violation& violation) {
    if (!found_) found_ = violation;
  }

  // The answer.

  Answer answer() {
    Answer result;
    result.engine = "random-schedules";
    result.statistics.set("schedules", statistics_.schedules);
    result.statistics.set("steps", statistics_.steps);
    result.statistics.set("schedules_cut", statistics_.cut);
    result.statistics.set("schedules_polling", statistics_.polling);
    if (!rebuilt_) result.statistics.set("end_states", std::uint64_t{ends_.size()});
    if (found_) {
      result.verdict = Verdict::kUnsafe;
      result.reason =
          fmt::format("{}, in schedule {} (seed {})", found_->message, statistics_.schedules, options_.seed);
      result.witness = witness();
      return result;
    }
    std::string tried = fmt::format("no violation in {} random schedule{}", statistics_.schedules,
                                    statistics_.schedules == 1 ? "" : "s");
    if (statistics_.cut > 0)
      tried += fmt::format(", {} of which were cut after {} steps", statistics_.cut, options_.most_steps);
    tried += fmt::format(" (seed {})", options_.seed);
    result.reason =
        context_.stopped() ? fmt::format("{}: {}", describe(context_.stop_reason()), tried) : tried;
    result.bound.emplace_back("schedules", std::to_string(statistics_.schedules));
    return result;
  }

  Witness witness() {
    WitnessBuilder builder(system());
    for (const StepRecord& step : path_) builder.append(step);
    const auto most_steps = static_cast<std::uint32_t>(2 * path_.size() + 16);
    Witness found = builder.finish(*found_);
    auto better =
        fewest_switches(system(), machine_->monitor, *found_, most_steps, options_.minimise_effort, context_);
    return better ? std::move(*better) : std::move(found);
  }

  void tell_progress() {
    context_.report_progress({.phase = fmt::format("random {}", name(options_.model)),
                              .states = statistics_.schedules,
                              .queue = options_.schedules - statistics_.schedules,
                              .depth = length_,
                              .unit = "schedules"});
  }

  const Program& program_;
  const RandomOptions& options_;
  Context& context_;
  std::unique_ptr<Machine> machine_;
  bool rebuilt_ = false;
  GlobalState initial_;
  std::size_t threads_ = 0;
  RandomStatistics statistics_;
  std::uint64_t length_ = kFirstLength;  // steps of a schedule, on average, the latest ones above all
  absl::flat_hash_set<std::uint64_t> ends_;
  std::optional<Violation> found_;

  // The schedule.
  Randomness random_{0};
  bool uniform_ = false;
  GlobalState state_;
  std::vector<StepRecord> path_;
  std::vector<Mover> order_;  // highest priority first
  std::uint64_t change_at_[kMostChanges] = {};
  std::size_t changes_ = 0;
  std::uint64_t epoch_ = 1;  // how often memory has changed, from 1
  std::vector<PollWatch> watches_;
  std::uint64_t turn_ = 0;  // steps that the last mover has made in a row without changing memory
  Mover last_mover_ = 0;
  bool ended_ = false;

  // The step.
  Mover mover_ = 0;
  Move move_;
  Step step_;
  std::uint64_t alternatives_ = 0;
};

}  // namespace

Answer check_random_schedules(const Program& program, const RandomOptions& options, Context& context) {
  return RandomWalks(program, options, context).run();
}

}  // namespace weir
