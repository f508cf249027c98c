#include "engine/coverability/dual/witness.hpp"

#include <deque>
#include <optional>
#include <span>

#include "base/error.hpp"
#include "engine/explicit/monitor.hpp"
#include "engine/explicit/witness_builder.hpp"
#include "machine/evaluate.hpp"

namespace weir {

namespace {

class Schedule {
 public:
  Schedule(const Program& program, const SystemOptions& options, const std::vector<ScheduledMove>& run)
      : system_(program, options),
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
    WEIR_CHECK(!queues_[t].empty() && queues_[t].front() == event.move,
               "a thread is ready for its locked move");
    queues_[t].pop_front();
    std::span<const AutomatonStep> steps = event.move->steps;
    while (!steps.empty()) {
      std::size_t done = 1;
      if (action_of(t, steps[0]).kind == ActionKind::kAtomicBegin)
        done = execute_block(t, steps);
      else
        WEIR_CHECK(try_step(t, steps[0], true), "a locked move is possible at its moment");
      steps = steps.subspan(done);
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
      if (reads && returns_value(action) && returned_value(action, found->value) != planned.returned)
        continue;
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

  // The block at the beginning of these steps, with the outcome that they say. Returns how many they are.
  std::size_t execute_block(std::size_t t, std::span<const AutomatonStep> planned) {
    ThreadView& view = system_.view(t);
    const ComponentId component = state_.components[t];
    StateId local = view.local(component);
    MemoryId memory = state_.memory;
    std::size_t done = 0;
    bool ends = false;
    for (; !ends && done + 1 < planned.size(); ++done) {
      const Action action = view.automaton().actions(local)[planned[done].action];
      memory = after(memory, action);
      local = view.automaton().successor(local, planned[done].action, planned[done].returned);
      ends = action.kind == ActionKind::kAtomicEnd;
    }
    if (!ends) {  // the last step is the end of the block, or fails
      ends = view.automaton().actions(local)[planned[done].action].kind == ActionKind::kAtomicEnd;
      if (ends) local = view.automaton().successor(local, planned[done].action);
      ++done;
    }
    const std::vector<Step> steps(view.steps(component).begin(), view.steps(component).end());
    for (const Step& step : steps) {
      if (step.effect != Effect::kAtomic || step.action != planned[0].action) continue;
      std::optional<Move> found;
      system_.execute(t, component, state_.memory, step, [&](const Move& move) {
        if (found || move.fails == ends) return;
        const AtomicOutcome outcome =
            system_.blocks(t).outcomes(view.local(component), step.action, state_.memory)[move.outcome];
        if (outcome.local == local && (!ends || outcome.memory == memory)) found = move;
      });
      if (!found) continue;
      take(t, step, *found);
      return done;
    }
    throw InternalError("a block has no outcome as the run says");
  }

  MemoryId after(MemoryId memory, const Action& action) {
    SharedMemory& shared = system_.memory();
    if (action.kind != ActionKind::kStore && action.kind != ActionKind::kRmw) return memory;
    const CellId cell = shared.cell(action.address);
    if (action.kind == ActionKind::kStore) return shared.write(memory, cell, action.value);
    const Value old = shared.read(memory, cell);
    if (action.rmw == RmwOp::kCompareExchange && old != action.expected) return memory;
    return shared.write(memory, cell, apply_rmw(action.rmw, old, action.value, shared.type(cell)));
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

  System system_;
  Monitor monitor_;
  WitnessBuilder builder_;
  GlobalState state_;
  std::vector<std::deque<const ThreadMove*>> queues_;  // per thread: what it is still to do
  std::vector<ScheduledMove> events_;                  // that change or look at memory at a certain moment
  std::optional<Violation> failure_;
};

}  // namespace

Witness dual_witness(const Program& program, const SystemOptions& options,
                     const std::vector<ScheduledMove>& run) {
  return Schedule(program, options, run).execute();
}

}  // namespace weir
