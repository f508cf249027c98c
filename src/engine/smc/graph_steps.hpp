// The threads of a program in an execution graph: where they are, what they can do next, and their steps
// executed with what the graph says they read.
#pragma once

#include "engine/smc/execution_graph.hpp"
#include "engine/smc/thread_steps.hpp"

namespace weir {

template <class Graph>
Value value_of(const Graph& g, ThreadSteps& steps, NodeId source, std::uint32_t cell) {
  return source == kInitial ? steps.initial_value(cell) : g.write(g.write_of(g.node(source), cell)).value;
}

// Executes a step of the graph again, as far as its reads go.
template <class Graph, class Observe>
StepResult run_node(const Graph& g, ThreadSteps& steps, const GraphNode& n, Observe&& observe) {
  const auto answer = [&](std::uint32_t i, std::uint32_t cell, Value& value) {
    if (i >= n.reads) return false;
    const GraphRead& read = g.read(n, i);
    WEIR_ASSERT(read.cell == cell, "a step asks for the same things again");
    value = cell == kChoiceCell ? static_cast<Value>(read.source) : value_of(g, steps, read.source, cell);
    return true;
  };
  return steps.run(n.thread, n.before, n.action, answer, observe);
}

// What the step asks for, or comes to, with what it has read.
template <class Graph>
OutcomeId known_part(const Graph& g, ThreadSteps& steps, const GraphNode& n) {
  OutcomeId step = steps.begin_step(n.thread, n.before, n.action);
  for (std::uint32_t r = 0; r < n.reads; ++r) {
    const GraphRead& read = g.read(n, r);
    const bool chooses = read.cell == kChoiceCell;
    WEIR_ASSERT(chooses ? steps.outcome(step).result.kind == StepResult::Kind::kChooses
                        : steps.outcome(step).result.cell == read.cell,
                "a step asks for the same things again");
    step = steps.go_on(
        step, chooses ? static_cast<Value>(read.source) : value_of(g, steps, read.source, read.cell));
  }
  return step;
}

template <class Graph>
const StepOutcome& outcome_of(const Graph& g, ThreadSteps& steps, const GraphNode& n) {
  return steps.outcome(known_part(g, steps, n));
}

// What a new step comes to with the newest value of each cell. That is always possible.
template <class Graph>
const StepOutcome& newest_outcome(Graph& g, ThreadSteps& steps, std::size_t t, StateId state,
                                  std::uint32_t index) {
  OutcomeId step = steps.begin_step(t, state, index);
  while (steps.outcome(step).asks()) {
    const StepResult& asked = steps.outcome(step).result;
    Value value = 0;
    if (asked.kind == StepResult::Kind::kReads) {
      const std::uint32_t newest = g.newest(asked.cell);
      value = newest == kNone ? steps.initial_value(asked.cell) : g.write(newest).value;
    }
    step = steps.go_on(step, value);
  }
  return steps.outcome(step);
}

template <class Graph>
StateId state_of(const Graph& g, ThreadSteps& steps, std::size_t t) {
  return g.thread(t).empty() ? steps.initial_state(t) : g.node(g.thread(t).back()).inner;
}

// Would a step of the thread that writes nothing and ends in `state` close a loop of reads?
template <class Graph>
bool comes_back(const Graph& g, ThreadSteps& steps, std::size_t t, StateId state) {
  if (state_of(g, steps, t) == state) return true;
  const std::vector<NodeId>& order = g.thread(t);
  for (std::size_t i = order.size(); i-- > 0;) {
    const GraphNode& n = g.node(order[i]);
    if (n.writes > 0) return false;
    for (std::uint32_t r = 0; r < n.reads; ++r)
      if (g.read(n, r).cell == kChoiceCell) return false;
    if (n.before == state) return true;
  }
  return false;
}

template <class Graph>
bool can_start(const Graph& g, ThreadSteps& steps, std::size_t t) {
  if (!g.thread(t).empty()) {
    const NodeStatus last = g.node(g.thread(t).back()).status;
    if (last == NodeStatus::kBlocked || last == NodeStatus::kFailed || ends_everything(last) ||
        last == NodeStatus::kConflict)
      return false;
  }
  return steps.offer(t, state_of(g, steps, t), 0).actions > 0;
}

// Which action comes next; none if that is to be chosen.
template <class Graph>
std::uint32_t next_action(const Graph& g, ThreadSteps& steps, std::size_t t) {
  if (steps.offer(t, state_of(g, steps, t), 0).actions == 1) return 0;
  if (g.thread(t).empty()) return kNone;
  const GraphNode& last = g.node(g.thread(t).back());
  const bool chosen = last.action == kNone && last.status == NodeStatus::kDone;
  return chosen ? g.read(last, 0).source : kNone;
}

template <class Graph>
NodeId add_node(Graph& g, ThreadSteps& steps, std::size_t t, std::uint32_t index) {
  const StateId state = state_of(g, steps, t);
  const ThreadSteps::Offer offer = steps.offer(t, state, index);
  const bool may_store = offer.kind == ActionKind::kStore || offer.kind == ActionKind::kFree;
  return g.add_node(static_cast<std::uint32_t>(t), state, index, offer.roles,
                    may_store ? steps.written_cell(t, state, index) : kNone);
}

}  // namespace weir
