#include "engine/explicit/witness_builder.hpp"

#include <algorithm>

#include "engine/access_step.hpp"
#include "program/address.hpp"

namespace weir {

WitnessBuilder::WitnessBuilder(System& system)
    : system_(system), started_(system.thread_count()), pending_(system.thread_count()) {
  witness_.model = system.model();
}

void WitnessBuilder::start(std::size_t thread) {
  if (started_[thread]) return;
  started_[thread] = true;
  for (const PathStep& step : system_.view(thread).automaton().initial_path()) append_local(thread, step);
}

void WitnessBuilder::start_all() {
  for (std::size_t t = 0; t < started_.size(); ++t) start(t);
}

void WitnessBuilder::append_local(std::size_t thread, const PathStep& step) {
  witness_.steps.push_back({.thread = ThreadId(thread),
                            .edge = step.edge,
                            .address = step.address,
                            .value = step.value,
                            .written = step.written,
                            .stored = step.stored});
}

void WitnessBuilder::append(const StepRecord& record) {
  start(record.thread);
  if (record.step.flush) return append_flush(record);
  ThreadView& view = system_.view(record.thread);
  const StateId local = view.local(record.component);
  if (record.step.effect == Effect::kAtomic) {
    AtomicBlocks& blocks = system_.blocks(record.thread);
    const AtomicOutcome outcome = blocks.outcomes(local, record.step.action, record.memory)[record.outcome];
    std::vector<AtomicStep> steps = blocks.path(local, record.step.action, record.memory, outcome);
    if (record.fails) steps.pop_back();
    for (const AtomicStep& step : steps)
      append_path(record.thread, step.local, step.action, step.returned, step.memory);
    if (record.fails) append_failing(record.thread, view.automaton().actions(outcome.local)[outcome.action]);
    return;
  }
  const Action action = view.automaton().actions(local)[record.step.action];
  if (record.fails) return append_failing(record.thread, action);
  append_path(record.thread, local, record.step.action, returned_value(action, record.value), record.memory);
  if (record.step.effect != Effect::kNone) return;
  if (action.kind == ActionKind::kStore) pending_[record.thread].emplace_back(action.address, action.edge);
  if (action.kind == ActionKind::kFree)
    pending_[record.thread].emplace_back(status_address(action.address), action.edge);
}

// The last step of an execution that ends with it: nothing is read or written.
void WitnessBuilder::append_failing(std::size_t thread, const Action& action) {
  witness_.steps.push_back({.thread = ThreadId(thread), .edge = action.edge, .address = action.address});
}

void WitnessBuilder::append_path(std::size_t thread, StateId local, std::uint32_t index, Value returned,
                                 MemoryId memory) {
  ThreadAutomaton& automaton = system_.view(thread).automaton();
  const std::size_t first = witness_.steps.size();
  for (const PathStep& step : automaton.path(local, index, returned)) append_local(thread, step);

  describe_access(automaton.actions(local)[index], returned, system_.memory(), memory, witness_.steps[first]);
}

// With abstract buffers a store may be flushed more often than it was made: only what threads do is told.
void WitnessBuilder::append_flush(const StepRecord& record) {
  if (system_.options().abstraction) return;
  const Value address = system_.memory().address(record.step.cell);
  auto& pending = pending_[record.thread];
  const auto oldest = std::ranges::find(pending, address, [](const auto& store) { return store.first; });
  WEIR_CHECK(oldest != pending.end(), "a flush follows its store");
  witness_.steps.push_back({.thread = ThreadId(record.thread),
                            .kind = WitnessStep::Kind::kFlush,
                            .edge = oldest->second,
                            .address = address,
                            .value = record.step.value});
  pending.erase(oldest);
}

// A failing instruction must stay the last; what other threads did before is then of no account.
Witness WitnessBuilder::finish(Violation violation) {
  const bool failed = violation.kind == ViolationKind::kAssertion ||
                      (violation.kind == ViolationKind::kMemory && violation.property != kLeak);
  if (!failed) start_all();
  if (failed && witness_.steps.back().kind == WitnessStep::Kind::kFlush)
    violation.position = system_.program().edge(witness_.steps.back().edge).position;
  witness_.violation = std::move(violation);
  return std::move(witness_);
}

namespace {

GlobalState canonical(Exploration& x, const GlobalState& state) {
  std::vector<std::uint32_t> ids;
  for (const ComponentId component : state.components) ids.push_back(component.index());
  x.symmetry.canonicalise(ids.data());
  GlobalState result{{}, state.memory};
  for (const std::uint32_t id : ids) result.components.push_back(ComponentId(id));
  return result;
}

// Everything that can happen in a state, as runs of one step.
std::vector<ThreadRun> single_steps(System& system, const GlobalState& state) {
  std::vector<ThreadRun> runs;
  system.successors(state, [&](std::size_t t, const Move& move) {
    if (move.fails) return;
    ThreadRun run{
        {StepRecord{t, state.components[t], state.memory, *move.step, move.outcome, false, move.value}},
        state};
    run.after.components[t] = move.component;
    run.after.memory = move.memory;
    runs.push_back(std::move(run));
  });
  return runs;
}

// Which thread plays the part that `thread` has in the representative: one that is interchangeable with it
// and in the same component.
std::size_t counterpart(Exploration& x, const GlobalState& concrete, std::size_t thread,
                        ComponentId component) {
  if (concrete.components[thread] == component) return thread;
  for (std::size_t t = 0; t < concrete.components.size(); ++t)
    if (x.system.view_number(t) == x.system.view_number(thread) && concrete.components[t] == component)
      return t;
  WEIR_CHECK(false, "a state and its representative have the same components");
  return thread;
}

}  // namespace

// The goals treat interchangeable threads alike, but one by one they may name one of them: the concrete state
// then reaches another goal than its representative.
Violation same_violation(Monitor& monitor, const GlobalState& state, const Violation& violation) {
  // That is about what follows, and about all that are interchangeable.
  if (violation.kind == ViolationKind::kDeadlock && violation.property == kPartial) return violation;
  std::vector<Violation> now = monitor.violations(state);
  if (violation.kind == ViolationKind::kDeadlock || violation.kind == ViolationKind::kMemory)
    if (auto bad = monitor.at_end(state)) now.push_back(std::move(*bad));
  const auto same = std::ranges::find_if(now, [&](const Violation& candidate) {
    return candidate.kind == violation.kind &&
           (candidate.property == violation.property || violation.kind == ViolationKind::kGoal);
  });
  WEIR_CHECK(same != now.end(), "symmetric states violate the same properties");
  return *same;
}

// With symmetry the table holds representatives of states. The path is walked with the threads as they are:
// each run of the representative is done by the thread that stands for it in the concrete state.
Witness build_witness(Exploration& x, const Found& found, bool cartesian) {
  std::vector<StateTable::Index> path;
  for (StateTable::Index i = found.state; i != StateTable::kNoParent; i = x.table.parent(i))
    path.push_back(i);
  std::ranges::reverse(path);

  WitnessBuilder builder(x.system);
  GlobalState concrete = x.system.initial();
  const auto append = [&](const std::vector<StepRecord>& steps) {
    const std::size_t thread = counterpart(x, concrete, steps[0].thread, steps[0].component);
    for (StepRecord record : steps) {
      record.thread = thread;
      builder.append(record);
    }
    return thread;
  };
  for (std::size_t i = 1; i < path.size(); ++i) {
    const GlobalState from = x.state(path[i - 1]);
    const GlobalState wanted = x.state(path[i]);
    const std::vector<ThreadRun> runs =
        cartesian ? cartesian_runs(x.system, x.monitor, from) : single_steps(x.system, from);
    const auto run = std::ranges::find_if(
        runs, [&](const ThreadRun& r) { return !r.steps.back().fails && canonical(x, r.after) == wanted; });
    WEIR_CHECK(run != runs.end(), "a visited state is reached by a step from its parent");
    const std::size_t thread = append(run->steps);
    concrete.components[thread] = run->after.components[run->steps[0].thread];
    concrete.memory = run->after.memory;
  }
  if (!found.failing.empty()) {
    append(found.failing);
    return builder.finish(found.violation);
  }
  return builder.finish(same_violation(x.monitor, concrete, found.violation));
}

}  // namespace weir
