// From an execution graph to a witness: one order of its nodes that explains it, instruction by instruction.
//
// A buffered store is executed right before the next node of its thread that needs it to have been, at the
// latest before its flush, and flushed where its node stands.
#pragma once

#include "engine/smc/graph_steps.hpp"
#include "program/ordering.hpp"
#include "trace/witness.hpp"

namespace weir {

template <class Graph>
class ExecutionWitness {
 public:
  using Set = typename Graph::Set;

  ExecutionWitness(const Graph& graph, ThreadSteps& steps, Model model)
      : graph_(graph), steps_(steps), issued_(graph.thread_count()), started_(graph.thread_count()) {
    witness_.model = model;
  }

  // Up to the node, which is the last; if `before` is a node, that comes before it.
  Witness up_to(NodeId last, NodeId before = kNone) {
    emit(closure(last, before));
    issue_up_to(last);
    fails_at_ = last;
    emit_node(last);
    return std::move(witness_);
  }

  // Up to the flush of the node, a buffered store; another node comes before it.
  Witness up_to_flush(NodeId last, NodeId before) {
    emit(closure(last, before));
    emit_moment(last);
    return std::move(witness_);
  }

  // The whole execution, without steps that never came to their end.
  Witness whole() {
    Set all = graph_.alive();
    graph_.alive().for_each([&](std::size_t i) {
      if (graph_.node(static_cast<NodeId>(i)).status == NodeStatus::kBlocked) all.reset(i);
    });
    emit(all);
    for (std::size_t t = 0; t < graph_.thread_count(); ++t) start(t);
    return std::move(witness_);
  }

 private:
  struct Executed {
    StateId state;
    std::uint32_t index;
    Action action;
    Value returned;
  };

  // All that must have its moment before these two. Earlier stores of their threads that need not are only
  // put into the buffers.
  Set closure(NodeId last, NodeId before) const {
    Set needed = graph_.past(last);
    if (before == kNone) return needed;
    needed |= graph_.past(before);
    needed.set(before);
    return needed;
  }

  void emit(const Set& nodes) {
    emit_prologue();
    Set left = nodes;
    for (bool found = true; found;) {
      found = false;
      left.for_each([&](std::size_t i) {
        const auto id = static_cast<NodeId>(i);
        if (!left.test(id) || depends_on(id, left)) return;
        left.reset(id);
        found = true;
        emit_moment(id);
      });
    }
  }

  void emit_prologue() {
    const Prologue& prologue = steps_.prologue();
    if (!prologue.steps().empty()) start(prologue.thread());
    for (const PrologueStep& step : prologue.steps()) {
      std::vector<Executed> executed;
      const auto answer = [&](std::uint32_t i, std::uint32_t, Value& value) {
        return value = step.reads[i], true;
      };
      steps_.run(prologue.thread(), step.before, 0, answer,
                 [&](StateId state, std::uint32_t index, const Action& action, Value value) {
                   executed.push_back({state, index, action, value});
                 });
      emit_executed(prologue.thread(), executed);
      if ((step.roles & kBuffered) == 0) continue;
      const auto& [cell, value] = step.writes.front();
      flush(prologue.thread(), executed.front().action.edge, steps_.memory().address(CellId(cell)), value);
    }
  }

  bool depends_on(NodeId id, const Set& left) const {
    bool depends = false;
    (graph_.past(id) & left).for_each([&](std::size_t) { depends = true; });
    return depends;
  }

  void emit_moment(NodeId id) {
    issue_up_to(id);
    if (!(graph_.node(id).roles & kBuffered)) return emit_node(id);
    issue(id);
    const GraphNode& n = graph_.node(id);
    const GraphWrite& write = graph_.write(n.first_write);
    const Action& action = steps_.automaton(n.thread).actions(n.before)[n.action];
    flush(n.thread, action.edge, steps_.memory().address(CellId(write.cell)), write.value);
  }

  void flush(std::size_t t, EdgeId edge, Value address, Value value) {
    witness_.steps.push_back({.thread = ThreadId(t),
                              .kind = WitnessStep::Kind::kFlush,
                              .edge = edge,
                              .address = address,
                              .value = value});
  }

  // The stores of the thread before the node go into its buffer.
  void issue_up_to(NodeId id) {
    const GraphNode& n = graph_.node(id);
    start(n.thread);
    for (std::uint32_t p = 0; p < n.position; ++p) {
      const NodeId earlier = graph_.thread(n.thread)[p];
      if (graph_.node(earlier).roles & kBuffered) issue(earlier);
    }
  }

  void issue(NodeId id) {
    const GraphNode& n = graph_.node(id);
    std::vector<bool>& done = issued_[n.thread];
    done.resize(graph_.thread(n.thread).size());
    if (done[n.position]) return;
    done[n.position] = true;
    emit_node(id);
  }

  void start(std::size_t t) {
    if (started_[t]) return;
    started_[t] = true;
    append(t, steps_.automaton(t).initial_path());
  }

  void append(std::size_t t, const std::vector<PathStep>& path) {
    for (const PathStep& step : path)
      witness_.steps.push_back({.thread = ThreadId(t),
                                .edge = step.edge,
                                .address = step.address,
                                .value = step.value,
                                .written = step.written,
                                .stored = step.stored});
  }

  // The instructions of a step, those that follow it up to the next one included.
  void emit_node(NodeId id) {
    const GraphNode& n = graph_.node(id);
    if (n.action == kNone) return;  // only says what comes next
    std::vector<Executed> executed;
    const StepResult result = run_node(
        graph_, steps_, n, [&](StateId state, std::uint32_t index, const Action& action, Value value) {
          executed.push_back({state, index, action, value});
        });
    const bool fails = result.kind == StepResult::Kind::kFails || id == fails_at_;
    emit_executed(n.thread, executed, fails);
  }

  // `fails`: the last of them.
  void emit_executed(std::size_t t, const std::vector<Executed>& executed, bool fails = false) {
    const bool section = !executed.empty() && executed.front().action.kind == ActionKind::kLock;
    bool in_block = false;
    for (std::size_t i = 0; i < executed.size(); ++i) {
      const Executed& step = executed[i];
      const Action& action = step.action;
      if (fails && i + 1 == executed.size()) {
        witness_.steps.push_back({.thread = ThreadId(t), .edge = action.edge, .address = action.address});
        return;
      }
      emit_action(t, step);
      in_block |= action.kind == ActionKind::kAtomicBegin;
      in_block &= action.kind != ActionKind::kAtomicEnd;
      if (section && !in_block) flush_at_once(t, action);
    }
  }

  // Between lock and unlock a store goes through the buffer, but nobody can tell when.
  void flush_at_once(std::size_t t, const Action& action) {
    if (writes_at_once(witness_.model, action.order)) return;
    if (action.kind == ActionKind::kStore) flush(t, action.edge, action.address, action.value);
    if (action.kind == ActionKind::kFree) flush(t, action.edge, status_address(action.address), 1);
  }

  void emit_action(std::size_t t, const Executed& step) {
    const std::size_t first = witness_.steps.size();
    append(t, steps_.automaton(t).path(step.state, step.index, step.returned));
    const Action& action = step.action;
    if (action.kind == ActionKind::kInternal || action.kind == ActionKind::kFence) return;
    WitnessStep& told = witness_.steps[first];
    told.address = action.address;
    if (action.kind == ActionKind::kLoad) told.value = step.returned;
    if (action.kind == ActionKind::kStore) told.value = action.value;
    if (action.kind != ActionKind::kRmw) return;
    told.value = step.returned;
    told.stored = action.rmw != RmwOp::kCompareExchange || step.returned == action.expected;
    const CellId cell = steps_.memory().cell(action.address, action.type);
    if (told.stored)
      told.written = apply_rmw(action.rmw, step.returned, action.value, steps_.memory().type(cell));
  }

  const Graph& graph_;
  ThreadSteps& steps_;
  Witness witness_;
  NodeId fails_at_ = kNone;
  std::vector<std::vector<bool>> issued_;
  std::vector<bool> started_;
};

}  // namespace weir
