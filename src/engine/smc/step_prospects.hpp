// Will a step that may wait get through, and is it worth being tried with what it could read?
//
// A step that waits is put off as long as there is nothing it can go on with (see revisit_exploration.hpp). To
// know that for sure takes a trial on a copy of the graph. Nearly always a look at the values is enough: a
// thread that is not joined yet, a lock that is held, a flag that is polled let nobody through, whichever of
// the writes in the graph is read. The look may count writes that cannot be read, but leaves out none that can.
#pragma once

#include <optional>
#include <vector>

#include "engine/smc/graph_steps.hpp"

namespace weir {

enum class Prospect : std::uint8_t {
  kReady,
  kConflict,  // it gets through, but its writes have no place
  kNever,     // with what is in the graph
};

// Has the thread come back to a state in which it was, without a change of memory? Then it polls.
template <class Graph>
bool repeats(const Graph& g, NodeId id) {
  const StateId state = g.node(id).inner;
  const std::vector<NodeId>& order = g.thread(g.node(id).thread);
  bool reads = false;
  for (std::size_t i = order.size(); i-- > 0;) {
    const GraphNode& n = g.node(order[i]);
    if (n.writes > 0) return false;
    for (std::uint32_t r = 0; r < n.reads; ++r) {
      if (g.read(n, r).cell == kChoiceCell) return false;
      reads = true;
    }
    if (n.before == state) return reads;
  }
  return false;
}

template <class Graph>
class StepProspects {
 public:
  explicit StepProspects(ThreadSteps& steps) : steps_(steps) {}

  Prospect look_ahead(const Graph& g, std::size_t t, std::uint32_t index) {
    const StateId state = state_of(g, steps_, t);
    const ThreadSteps::Offer offer = steps_.offer(t, state, index);
    if (offer.kind != ActionKind::kLoad && !offer.may_wait) return Prospect::kReady;
    if (gets_through_canonically(g, t, state, index)) return Prospect::kReady;
    if (const std::optional<Prospect> known = quick_prospect(g, t, state, index, offer)) return *known;
    conflict_ = false;
    trial_ = g;
    const NodeId id = add_node(trial_, steps_, t, index);
    if (gets_through(trial_, id)) return Prospect::kReady;
    return conflict_ ? Prospect::kConflict : Prospect::kNever;
  }

  // Would the step wait or poll on with what it reads from `source`, although something newer is to come?
  bool waits_in_vain(const Graph& g, NodeId id, std::uint32_t cell, NodeId source) {
    const GraphNode& n = g.node(id);
    const ActionKind kind = steps_.automaton(n.thread).actions(n.before)[n.action].kind;
    if (kind == ActionKind::kLock || g.may_wait_with(id, cell, source)) return false;
    const OutcomeId step = steps_.go_on(known_part(g, steps_, n), value_of(g, steps_, source, cell));
    int patience = kPatience;
    return waits_with_all(g, n.thread, step, g.past(id), patience);
  }

 private:
  using Set = typename Graph::Set;

  static constexpr int kPatience = 32;  // looks at what a step comes to, to see that it waits

  // Does a step that ends like this wait, or poll on?
  bool is_held_up(const Graph& g, std::size_t t, const StepOutcome& outcome) {
    if (outcome.result.kind != StepResult::Kind::kEnds)
      return outcome.result.kind == StepResult::Kind::kBlocked;
    return !outcome.changes_memory && comes_back(g, steps_, t, outcome.result.state);
  }

  // What a look at the values of the first cell that the step reads says; none if a trial is needed. Most of what
  // waits does so whatever it reads, possible or not, or could only replace what has been replaced already.
  std::optional<Prospect> quick_prospect(const Graph& g, std::size_t t, StateId state, std::uint32_t index,
                                         const ThreadSteps::Offer& offer) {
    if (offer.kind == ActionKind::kLock) return std::nullopt;  // see ThreadSteps::stuck_in_section
    const OutcomeId first = steps_.begin_step(t, state, index);
    const StepResult& asks = steps_.outcome(first).result;
    if (asks.kind != StepResult::Kind::kReads || g.cell(asks.cell).contested) return std::nullopt;
    const Set past = g.past_of_next(t, offer.roles, kNone);
    bool conflict = false;
    const auto leads_on = [&](NodeId source) {
      const OutcomeId step = steps_.go_on(first, value_of(g, steps_, source, asks.cell));
      int patience = kPatience;
      if (waits_with_all(g, t, step, past, patience)) return false;
      const StepOutcome& outcome = steps_.outcome(step);
      if (outcome.result.kind != StepResult::Kind::kEnds) return true;
      if (!outcome.writes(asks.cell) || g.consumer(source, asks.cell) == kNone) return true;
      conflict = true;
      return false;
    };
    const bool leads_nowhere =
        for_each_visible(g, asks.cell, past, [&](NodeId source) { return !leads_on(source); });
    if (!leads_nowhere) return std::nullopt;
    return conflict ? Prospect::kConflict : Prospect::kNever;
  }

  // Calls `visit(source)` for all that a node with this past may read, and perhaps more, until that returns false.
  template <class Visit>
  static bool for_each_visible(const Graph& g, std::uint32_t cell, const Set& past, Visit&& visit) {
    const bool ordered = !g.cell(cell).contested;
    for (NodeId source = kInitial;;) {
      const std::uint32_t next = g.write_after(source, cell);
      const bool overwritten = ordered && next != kNone && past.test(g.write(next).node);
      if (!overwritten && !visit(source)) return false;
      if (next == kNone) return true;
      source = g.write(next).node;
    }
  }

  // Does the step, as far as it is known, wait or poll on with anything that it still asks for?
  bool waits_with_all(const Graph& g, std::size_t t, OutcomeId step, const Set& past, int& patience) {
    if (--patience < 0) return false;
    const StepOutcome& outcome = steps_.outcome(step);
    if (outcome.result.kind != StepResult::Kind::kReads) return is_held_up(g, t, outcome);
    const std::uint32_t cell = outcome.result.cell;
    return for_each_visible(g, cell, past, [&](NodeId source) {
      return waits_with_all(g, t, steps_.go_on(step, value_of(g, steps_, source, cell)), past, patience);
    });
  }

  bool gets_through_canonically(const Graph& g, std::size_t t, StateId state, std::uint32_t index) {
    const StepOutcome& outcome = newest_outcome(g, steps_, t, state, index);
    if (outcome.result.kind == StepResult::Kind::kEnds)
      return outcome.changes_memory || !comes_back(g, steps_, t, outcome.result.state);
    return outcome.result.kind != StepResult::Kind::kBlocked;
  }

  bool gets_through(Graph& g, NodeId id) {
    const StepOutcome& outcome = outcome_of(g, steps_, g.node(id));
    const StepResult& result = outcome.result;
    switch (result.kind) {
      case StepResult::Kind::kBlocked: return false;
      case StepResult::Kind::kFails:
      case StepResult::Kind::kHalts: return true;
      case StepResult::Kind::kReads: {
        std::vector<NodeId> sources;
        g.for_each_source(id, result.cell, [&](NodeId source) { sources.push_back(source); });
        for (const NodeId source : sources) {
          Graph next = g;
          if (next.add_read(id, result.cell, source, next.new_stamp()) && gets_through(next, id)) return true;
        }
        return false;
      }
      case StepResult::Kind::kChooses:
        for (std::uint32_t i = 0; i < result.choices; ++i) {
          Graph next = g;
          next.add_read(id, kChoiceCell, i, next.new_stamp());
          if (gets_through(next, id)) return true;
        }
        return false;
      case StepResult::Kind::kEnds:
        g.node(id).inner = result.state;
        if (!outcome.changes_memory && repeats(g, id)) return false;
        for (const WrittenCell& write : outcome.written)
          g.add_write(id, write.cell, write.value, write.read_back);
        if (g.finds_places(id)) return true;
        conflict_ = true;
        return false;
    }
    return false;
  }

  ThreadSteps& steps_;
  Graph trial_;
  bool conflict_ = false;
};

}  // namespace weir
