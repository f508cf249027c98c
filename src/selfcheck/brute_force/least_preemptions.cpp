#include "selfcheck/brute_force/least_preemptions.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "base/error.hpp"
#include "check/replay.hpp"
#include "engine/explicit/explicit.hpp"
#include "engine/schedules/bounded_preemptions.hpp"
#include "engine/schedules/random_schedules.hpp"

namespace weir::selfcheck {

namespace {

constexpr std::size_t kLongestLoop = 3000;  // states of a thread that polls
constexpr std::uint64_t kManyPreemptions = 1000;
constexpr std::uint32_t kLongBuffer = 64;  // more than these programs need

using Running = std::optional<ThreadId>;  // nobody, if not set

bool is_flush(const ReferenceStep& step) { return step.steps.front().kind == WitnessStep::Kind::kFlush; }

class Scheduling {
 public:
  Scheduling(const Program& program, Model model) : machine(program, model) {}

  // Who runs after a step, and what that takes.
  Running after(const ReferenceStep& step, Running before) const {
    const Running now = is_flush(step) ? before : Running(step.steps.front().thread);
    return now && goes_on(step.after, *now) ? now : std::nullopt;
  }
  static std::uint64_t cost(const ReferenceStep& step, Running running) {
    return !is_flush(step) && running && *running != step.steps.front().thread ? 1 : 0;
  }

  const ReferenceMachine machine;

 private:
  std::vector<ReferenceStep> instructions(const ReferenceState& state, ThreadId thread) const {
    std::vector<ReferenceStep> steps = machine.steps(state);
    std::erase_if(steps, [&](const ReferenceStep& step) {
      return is_flush(step) || step.steps.front().thread != thread;
    });
    return steps;
  }

  bool goes_on(ReferenceState state, ThreadId thread) const {
    if (instructions(state, thread).empty()) {
      for (auto next = machine.flushable(state, thread); !next.empty();
           next = machine.flushable(state, thread))
        machine.flush(state, thread, next.front());
      if (instructions(state, thread).empty()) return false;
    }
    return !polls(state, thread);
  }

  bool polls(const ReferenceState& start, ThreadId thread) const {
    std::set<ReferenceState> met{start};
    std::vector<ReferenceState> open{start};
    while (!open.empty()) {
      const ReferenceState state = std::move(open.back());
      open.pop_back();
      std::vector<ReferenceStep> steps = instructions(state, thread);
      if (steps.empty() || met.size() > kLongestLoop) return false;
      for (ReferenceStep& step : steps) {
        const ReferenceState& after = step.after;
        const bool changes = after.memory != start.memory || after.buffers != start.buffers ||
                             after.lock != start.lock || after.halted;
        if (changes || step.failure || step.unsupported) return false;
        if (met.insert(after).second) open.push_back(after);
      }
    }
    return true;
  }
};

// States with who runs, in the order of the preemptions needed.
class LevelSearch {
 public:
  LevelSearch(const Program& program, Model model, std::size_t most_nodes)
      : scheduling_(program, model), most_nodes_(most_nodes) {}

  LeastPreemptions run() {
    next_level_.emplace_back(scheduling_.machine.initial(), std::nullopt);
    for (std::uint64_t level = 0; !next_level_.empty(); ++level) {
      open_ = std::exchange(next_level_, {});
      if (std::exchange(failure_ahead_, false)) found_ = true;
      while (!open_.empty() && !found_ && complete_) {
        const Node node = std::move(open_.back());
        open_.pop_back();
        if (known_.insert(node).second) expand(node);
      }
      if (found_ || !complete_) return {complete_, level};
      // A failure that is one preemption away may be all there is on the next level.
      if (failure_ahead_ && next_level_.empty()) return {true, level + 1};
    }
    return {};
  }

 private:
  using Node = std::pair<ReferenceState, Running>;

  void expand(const Node& node) {
    const ReferenceMachine& machine = scheduling_.machine;
    const auto& [state, running] = node;
    std::vector<ReferenceStep> steps = machine.steps(state);
    if (!machine.violations(state).empty() || (steps.empty() && !machine.final_violations(state).empty()))
      found_ = true;
    for (ReferenceStep& step : steps) {
      const bool free = Scheduling::cost(step, running) == 0;
      if (step.unsupported) complete_ = false;
      if (step.unsupported) continue;
      if (step.failure) {
        (free ? found_ : failure_ahead_) = true;
        continue;
      }
      const bool too_long = std::ranges::any_of(
          step.after.buffers, [](const StoreBuffer& buffer) { return count_stores(buffer) > 6; });
      if (too_long || known_.size() > most_nodes_) complete_ = false;
      const Running after = scheduling_.after(step, running);
      (free ? open_ : next_level_).emplace_back(std::move(step.after), after);
    }
  }

  const Scheduling scheduling_;
  const std::size_t most_nodes_;
  std::set<Node> known_;
  std::vector<Node> open_, next_level_;
  bool found_ = false, failure_ahead_ = false, complete_ = true;
};

std::uint64_t preemptions_of(const Answer& answer) {
  return std::get<std::uint64_t>(*answer.statistics.find("preemptions"));
}

std::string check_answer(const Program& program, const Answer& answer, Verdict expected) {
  if (answer.verdict != expected) return fmt::format("{}: {}", name(answer.verdict), answer.reason);
  if (expected != Verdict::kUnsafe) return {};
  const ReplayResult replayed = replay(program, *answer.witness);
  return replayed.reproduced ? "" : "witness does not replay: " + replayed.failure;
}

std::string check_exact(const Program& program, PreemptionOptions options,
                        std::optional<std::uint64_t> needed) {
  Context context;
  options.every_instruction = true;
  options.buffer = kLongBuffer;
  const Answer answer = check_bounded_preemptions(program, options, context);
  if (auto problem = check_answer(program, answer, needed ? Verdict::kUnsafe : Verdict::kSafe);
      !problem.empty())
    return problem;
  if (!needed) return {};
  if (preemptions_of(answer) != *needed)
    return fmt::format("{} preemptions instead of {}", preemptions_of(answer), *needed);
  if (const auto shown = preemptions_in(program, *answer.witness); shown != *needed)
    return fmt::format("a witness with {} preemptions instead of {}", shown, *needed);
  if (*needed == 0) return {};
  options.preemptions = *needed - 1;
  return check_answer(program, check_bounded_preemptions(program, options, context), Verdict::kUnknown);
}

// Local runs belong to the step before them: what can only take fewer preemptions.
std::string check_fused(const Program& program, const PreemptionOptions& options,
                        std::optional<std::uint64_t> needed) {
  Context context;
  const Answer answer = check_bounded_preemptions(program, options, context);
  auto problem = check_answer(program, answer, needed ? Verdict::kUnsafe : Verdict::kSafe);
  if (!problem.empty() || !needed || !answer.bound.empty()) return problem;
  if (preemptions_of(answer) <= *needed) return {};
  return fmt::format("{} preemptions, although {} are enough", preemptions_of(answer), *needed);
}

std::string check_random(const Program& program, Model model, bool violated) {
  Context context;
  const RandomOptions options{.model = model, .schedules = 60, .most_steps = 300, .minimise_effort = 0};
  const Answer answer = check_random_schedules(program, options, context);
  if (answer.verdict == Verdict::kUnsafe && !violated) return "a violation that is none: " + answer.reason;
  return check_answer(program, answer,
                      answer.verdict == Verdict::kUnsafe ? Verdict::kUnsafe : Verdict::kUnknown);
}

std::string compare(const Program& program, Model model, std::optional<std::uint64_t> needed) {
  for (const bool symmetry : {false, true}) {
    const PreemptionOptions options{
        .model = model, .preemptions = kManyPreemptions, .symmetry = symmetry, .live_variables = symmetry};
    if (auto problem = check_exact(program, options, needed); !problem.empty()) return "exact: " + problem;
    if (auto problem = check_fused(program, options, needed); !problem.empty()) return "fused: " + problem;
  }
  if (auto problem = check_random(program, model, needed.has_value()); !problem.empty())
    return "random: " + problem;
  Context context;
  const Answer answer = check_explicit(program, {.model = model, .minimise_effort = 0}, context);
  if ((answer.verdict == Verdict::kUnsafe) == needed.has_value()) return {};
  return fmt::format("explicit: {}: {}", name(answer.verdict), answer.reason);
}

}  // namespace

LeastPreemptions least_preemptions(const Program& program, Model model, std::size_t most_nodes) {
  return LevelSearch(program, model, most_nodes).run();
}

std::uint64_t preemptions_in(const Program& program, const Witness& witness) {
  const Scheduling scheduling(program, witness.model);
  ReferenceState state = scheduling.machine.initial();
  Running running;
  std::uint64_t count = 0;
  // Everything else follows from the state.
  const auto same = [&](const WitnessStep& a, const WitnessStep& b) {
    const bool flush = a.kind == WitnessStep::Kind::kFlush;
    const bool chosen = !flush && program.edge(a.edge).instruction.op == Opcode::kChoose;
    return a.thread == b.thread && a.kind == b.kind && a.edge == b.edge &&
           (!flush || a.address == b.address) && (!chosen || a.value == b.value);
  };
  for (auto at = witness.steps.begin(); at != witness.steps.end();) {
    std::vector<ReferenceStep> steps = scheduling.machine.steps(state);
    const auto taken = std::ranges::find_if(steps, [&](const ReferenceStep& step) {
      return step.steps.size() <= static_cast<std::size_t>(witness.steps.end() - at) &&
             std::equal(step.steps.begin(), step.steps.end(), at, same);
    });
    WEIR_CHECK(taken != steps.end(), "the witness replays");
    count += Scheduling::cost(*taken, running);
    running = scheduling.after(*taken, running);
    at += static_cast<std::ptrdiff_t>(taken->steps.size());
    state = taken->after;
  }
  return count;
}

std::string schedule_disagreement(const Program& program, Model model, LeastPreemptions* found,
                                  std::size_t most_nodes) {
  const LeastPreemptions least = least_preemptions(program, model, most_nodes);
  if (found != nullptr) *found = least;
  if (!least.complete) return {};
  try {
    return compare(program, model, least.needed);
  } catch (const InternalError& error) {
    return error.what();
  }
}

}  // namespace weir::selfcheck
