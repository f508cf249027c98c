#include "engine/coverability/dual_witness.hpp"

#include <absl/container/inlined_vector.h>
#include <deque>
#include <fmt/format.h>

#include "base/error.hpp"
#include "engine/explicit/monitor.hpp"
#include "engine/explicit/witness_builder.hpp"

namespace weir {

namespace {

class Schedule {
 public:
  Schedule(const Program& program, const SystemOptions& options, const ThreadMoves& moves,
           const std::vector<ScheduledMove>& run)
      : moves_(moves),
        system_(program, options),
        monitor_(system_),
        builder_(system_),
        state_(system_.initial()),
        queues_(program.threads.size()) {
    for (const ScheduledMove& scheduled : run)
      if (!scheduled.move->steps.empty()) queues_[scheduled.thread.index()].push_back(scheduled.move);
    for (const ScheduledMove& scheduled : run)
      if (scheduled.move->kind == MoveKind::kWrite || scheduled.move->kind == MoveKind::kLocked)
        events_.push_back(scheduled);
  }

  Witness execute() {
    advance_all();
    for (std::size_t e = 0; e < events_.size() && !failure_; ++e) {
      change_memory(events_[e]);
      advance_all();
    }
    if (failure_) return builder_.finish(*failure_);
    for (const auto& queue : queues_) WEIR_CHECK(queue.empty(), "every move of the run was executed");
    const std::vector<Violation> violations = monitor_.violations(state_);
    WEIR_CHECK(!violations.empty(), "the run ends in a bad state");
    return builder_.finish(violations.front());
  }

 private:
  void advance_all() {
    for (std::size_t t = 0; t < queues_.size(); ++t) advance(t);
  }

  // Executes what needs no particular moment, or has come to its moment.
  void advance(std::size_t t) {
    while (!failure_ && !queues_[t].empty() && queues_[t].front()->kind != MoveKind::kLocked) {
      const ThreadMove& move = *queues_[t].front();
      if (!try_step(t, move.steps[0], move.kind == MoveKind::kRead)) return;
      queues_[t].pop_front();
    }
  }

  void change_memory(const ScheduledMove& event) {
    const std::size_t t = event.thread.index();
    if (event.move->kind == MoveKind::kWrite) return flush(t);
    WEIR_CHECK(!queues_[t].empty() && queues_[t].front() == event.move, "a thread is ready for its locked move");
    queues_[t].pop_front();
    const Action first = action_of(t, event.move->steps[0]);
    if (first.kind == ActionKind::kAtomicBegin) return execute_block(t, *event.move);
    for (const AutomatonStep& step : event.move->steps) {
      WEIR_CHECK(try_step(t, step, true), "a locked move is possible at its moment");
      while (!failure_ && system_.view(t).buffer_length(state_.components[t]) > 0) flush(t);
    }
  }

  Action action_of(std::size_t t, const AutomatonStep& step) {
    ThreadView& view = system_.view(t);
    return view.automaton().actions(view.local(state_.components[t]))[step.action];
  }

  // `reads`: only if it returns what it must.
  bool try_step(std::size_t t, const AutomatonStep& planned, bool reads) {
    ThreadView& view = system_.view(t);
    const ComponentId component = state_.components[t];
    const Action action = action_of(t, planned);
    const std::vector<Step> steps(view.steps(component).begin(), view.steps(component).end());
    for (const Step& step : steps) {
      if (step.flush || step.action != planned.action) continue;
      std::optional<Move> found;
      system_.execute(t, component, state_.memory, step, [&](const Move& move) { found = move; });
      if (!found) continue;
      if (reads && returns_value(action) && returned_value(action, found->value) != planned.returned) continue;
      take(t, step, *found);
      return true;
    }
    return false;
  }

  void flush(std::size_t t) {
    const ComponentId component = state_.components[t];
    const std::vector<Step> steps(system_.view(t).steps(component).begin(),
                                  system_.view(t).steps(component).end());
    for (const Step& step : steps) {
      if (!step.flush) continue;
      std::optional<Move> found;
      system_.execute(t, component, state_.memory, step, [&](const Move& move) { found = move; });
      WEIR_CHECK(found.has_value(), "a store can be flushed at its moment");
      return take(t, step, *found);
    }
    WEIR_CHECK(false, "a store is in the buffer at its moment");
  }

  // The outcome of the block that is the one of the run.
  void execute_block(std::size_t t, const ThreadMove& planned) {
    ThreadView& view = system_.view(t);
    const ComponentId component = state_.components[t];
    StateId local = view.local(component);
    for (std::size_t i = 0; i + 1 < planned.steps.size(); ++i)
      local = view.automaton().successor(local, planned.steps[i].action, planned.steps[i].returned);
    const AutomatonStep& last = planned.steps.back();
    const Action end = view.automaton().actions(local)[last.action];
    const bool fails = end.kind != ActionKind::kAtomicEnd;
    if (!fails) local = view.automaton().successor(local, last.action);
    const std::vector<Step> steps(view.steps(component).begin(), view.steps(component).end());
    for (const Step& step : steps) {
      if (step.effect != Effect::kAtomic || step.action != planned.steps[0].action) continue;
      std::optional<Move> found;
      system_.execute(t, component, state_.memory, step, [&](const Move& move) {
        if (found || move.fails != fails) return;
        const AtomicOutcome outcome = system_.blocks(t).outcomes(view.local(component), step.action,
                                                                 state_.memory)[move.outcome];
        if (outcome.local == local && (fails || outcome.memory == after(planned))) found = move;
      });
      if (found) return take(t, step, *found);
    }
    WEIR_CHECK(false, "a block has the outcome that the run says");
  }

  // Memory as the run says it is after a block.
  MemoryId after(const ThreadMove& planned) {
    MemoryId memory = state_.memory;
    for (const CellValue x : planned.update) {
      const ClosedCell& cell = moves_.cells()[x.cell];
      memory = system_.memory().write(memory, system_.memory().cell(cell.address), cell.values[x.value]);
    }
    return memory;
  }

  void take(std::size_t t, const Step& step, const Move& move) {
    const ComponentId component = state_.components[t];
    builder_.append({t, component, state_.memory, step, move.outcome, move.fails, move.value});
    if (move.fails) {
      failure_ = monitor_.failure(t, component, state_.memory, step, move.outcome);
      return;
    }
    state_.components[t] = move.component;
    state_.memory = move.memory;
  }

  const ThreadMoves& moves_;
  System system_;
  Monitor monitor_;
  WitnessBuilder builder_;
  GlobalState state_;
  std::vector<std::deque<const ThreadMove*>> queues_;  // per thread: what it is still to do
  std::vector<ScheduledMove> events_;                  // that change or look at memory at a certain moment
  std::optional<Violation> failure_;
};

}  // namespace

Witness dual_witness(const Program& program, const SystemOptions& options, const ThreadMoves& moves,
                     const std::vector<ScheduledMove>& run) {
  return Schedule(program, options, moves, run).execute();
}

}  // namespace weir
