// How a complete execution ends: does a thread wait for ever, is that a deadlock, is something violated.
//
// A thread that waits, or polls, may do so for ever only if that is fair: what it reads must be what memory
// holds in the end. If the coherence of a cell is open (see reads_from_graph.hpp), there can be several such
// endings. They count as one execution: what waiting threads read is not part of it. So of the graphs that
// differ only in that, the one counts that reads the first possible ending, in the order in which the
// waiting threads ask for cells and the cells list their writes.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/smc/ending.hpp"
#include "engine/smc/graph_steps.hpp"
#include "engine/smc/reads_from_graph.hpp"
#include "engine/smc/released_memory.hpp"

namespace weir {

template <class Graph>
class ExecutionEndings {
 public:
  using Set = typename Graph::Set;

  // `observers`: the orders of writes of which one is read make different executions.
  ExecutionEndings(ThreadSteps& steps, bool observers) : steps_(steps), observers_(observers) {}

  Ending judge(Graph& g) {
    Ending ending;
    waits_.clear();
    tail_ = {};
    bool halts = false, polls = false, waits = false;
    for (std::size_t t = 0; t < steps_.thread_count(); ++t) {
      const NodeId last = g.thread(t).empty() ? kNone : g.thread(t).back();
      const NodeStatus status = last == kNone ? NodeStatus::kDone : g.node(last).status;
      if (status == NodeStatus::kFailed) {
        if (!ending.violates() || g.past(ending.failed).test(last)) ending.failed = last;
      } else if (status == NodeStatus::kBlocked) {
        note_wait(g, t, g.node(last).inner);
        if (steps_.automaton(t).stopped(g.node(last).before)) continue;  // dormant, as it was
        ending.blocked = true;
        const bool poll = g.node(last).inner != g.node(last).before || comes_to_its_end(g, last);
        (poll ? polls : waits) = true;
      } else if (ends_everything(status) || is_halted(g, t)) {
        halts = true;
        ending.blocked |=
            status == NodeStatus::kUnassumed || (!ends_everything(status) && is_unassumed(g, t));
        ending.cut |= status == NodeStatus::kCut || (!ends_everything(status) && is_cut(g, t));
      } else if (!stopped(g, t)) {
        const StateId polled = state_after_polling(g, t);
        note_wait(g, t, polled ? polled : state_of(g, steps_, t));
        ending.blocked = true;
        (polled ? polls : waits) = true;
      }
    }
    judge_waits(g, ending, halts, polls);
    ending.partial = waits && polls && !halts && !ending.violates() && !ending.deadlock;
    if (ending.ways > 0 && !ending.violates()) find_access_to_released(g, steps_, ending);
    ending.cut &= !ending.violates();
    return ending;
  }

  void note_halt(EdgeId edge) {
    if (std::ranges::find(halts_, edge) == halts_.end()) halts_.push_back(edge);
  }

  bool cut() const { return cut_; }                            // a local run was cut
  const std::vector<EdgeId>& halts() const { return halts_; }  // instructions met that end everything

  // See base/archive.hpp.
  template <class Archive>
  void transfer(Archive& archive) {
    archive(cut_, halts_);
  }

 private:
  struct Wait {
    std::size_t thread;
    StateId state;  // in which it waits, or to which it comes back
  };
  using Lasts = std::vector<typename ReadsFromGraph<Graph::kWords>::Last>;

  static constexpr bool kKnowsCoherence = Graph::kKnowsCoherence;

  // --- The threads

  // Did a blocked step come to its end, and back to where it was?
  bool comes_to_its_end(const Graph& g, NodeId id) {
    return outcome_of(g, steps_, g.node(id)).result.kind == StepResult::Kind::kEnds;
  }

  // Where a thread whose next step was put off would come if it executed it, to no avail; none if it cannot.
  StateId state_after_polling(Graph& g, std::size_t t) {
    const std::uint32_t action = can_start(g, steps_, t) ? next_action(g, steps_, t) : kNone;
    if (action == kNone) return StateId::none();
    const StepResult& result = newest_outcome(g, steps_, t, state_of(g, steps_, t), action).result;
    return result.kind == StepResult::Kind::kEnds ? result.state : StateId::none();
  }

  bool is_halted(const Graph& g, std::size_t t) {
    const Action* halt = steps_.halt_at(t, state_of(g, steps_, t));
    if (halt != nullptr) note_halt(halt->edge);
    return halt != nullptr;
  }

  bool is_unassumed(const Graph& g, std::size_t t) {
    return steps_.is_unassumed(steps_.halt_at(t, state_of(g, steps_, t))->edge);
  }
  bool is_cut(const Graph& g, std::size_t t) {
    return steps_.is_cut(steps_.halt_at(t, state_of(g, steps_, t))->edge);
  }

  bool stopped(const Graph& g, std::size_t t) {
    ThreadAutomaton& automaton = steps_.automaton(t);
    const StateId state = state_of(g, steps_, t);
    if (automaton.cut(state)) cut_ = true;
    return automaton.stopped(state);
  }

  // The thread waits in `state`, or in a loop that comes back to it; the nodes of that loop are a tail.
  void note_wait(const Graph& g, std::size_t t, StateId state) {
    waits_.push_back({t, state});
    const std::vector<NodeId>& order = g.thread(t);
    for (std::size_t i = order.size(); i-- > 0;) {
      const GraphNode& n = g.node(order[i]);
      if (n.status == NodeStatus::kDone && n.inner == state) break;
      tail_.set(order[i]);
      if (n.before == state) break;
    }
  }

  // --- Fairness

  void judge_waits(const Graph& g, Ending& ending, bool halts, bool polls) {
    const bool stuck = ending.blocked && !halts && !ending.violates();
    ending.deadlock = stuck && !polls;
    if constexpr (kKnowsCoherence) {
      ending.ways = tail_reads_newest(g) ? 1 : 0;
    } else {
      if (!g.contested_cells()) {
        ending.ways = tail_reads_newest(g) ? 1 : 0;
      } else if (!waits_.empty()) {
        choose_last_writes(g, ending, stuck);
      } else if (observers_) {
        ending.ways = g.count_observed_orders([&](auto rows) { return g.search(rows); });
      }
    }
  }

  bool tail_reads_newest(const Graph& g) const {
    bool newest = true;
    tail_.for_each([&](std::size_t id) { newest &= g.reads_newest(static_cast<NodeId>(id)); });
    return newest;
  }

  void choose_last_writes(const Graph& g, Ending& ending, bool stuck) {
    Graph rest;
    rest.copy_part(g, [&](const GraphItem& item) { return !tail_.test(item.node); });
    std::vector<Lasts> found;
    Lasts lasts;
    collect_endings(rest, lasts, false, observers_ ? kAll : kFirst, found);
    if (found.empty() || !tail_reads(g, found.front())) {
      ending.ways = 0;
      return;
    }
    const Lasts* shown = &found.front();
    std::vector<Lasts> stuck_ones;
    if (stuck && !ending.deadlock) {
      collect_endings(rest, lasts, true, kFirst, stuck_ones);
      if (!stuck_ones.empty()) {
        ending.deadlock = true;
        shown = &stuck_ones.front();
      }
    }
    for (const auto& last : *shown)
      for (std::uint32_t w = g.cell(last.cell).first; w != kNone; w = g.write(w).next)
        if (g.write(w).node != last.node) ending.edges.emplace_back(g.write(w).node, last.node);
    if (observers_)
      ending.ways = rest.count_observed_orders([&](const auto& rows) {
        return std::ranges::any_of(found, [&](const Lasts& last) {
          auto tried = rows;
          return rest.end_with(tried, last) && rest.search(tried);
        });
      });
  }

  static constexpr std::size_t kFirst = 1, kAll = ~std::size_t{0};

  // The last writes, of the cells for which that is open, with which all threads wait (`strictly`: without
  // polling). True if there are as many as wanted.
  bool collect_endings(const Graph& rest, Lasts& lasts, bool strictly, std::size_t wanted,
                       std::vector<Lasts>& found) {
    std::uint32_t asked = kNone;
    for (const Wait& wait : waits_) {
      if (!still_waits(rest, wait, lasts, strictly, asked)) return false;
      if (asked == kNone) continue;
      return !rest.for_each_candidate(asked, [&](NodeId source) {
        lasts.push_back({asked, source});
        const bool enough = rest.can_end(lasts) && collect_endings(rest, lasts, strictly, wanted, found);
        lasts.pop_back();
        return !enough;
      });
    }
    if (lasts.empty() || rest.can_end(lasts)) found.push_back(lasts);
    return found.size() >= wanted;
  }

  // Does the thread wait with these values in memory? `asked` is a cell of which the last write must be known
  // to say that.
  bool still_waits(const Graph& rest, const Wait& wait, const Lasts& lasts, bool strictly,
                   std::uint32_t& asked) {
    const auto answer = [&](std::uint32_t, std::uint32_t cell, Value& value) {
      if (cell == kChoiceCell) return value = 0, true;
      NodeId source = kNone;
      for (const auto& last : lasts)
        if (last.cell == cell) source = last.node;
      if (source == kNone && rest.contested(cell)) return false;
      if (source == kNone) {
        const std::uint32_t newest = rest.cell(cell).last;
        source = newest == kNone ? kInitial : rest.write(newest).node;
      }
      value = value_of(rest, steps_, source, cell);
      return true;
    };
    constexpr int kMostSteps = 10'000;
    StateId state = wait.state;
    for (int step = 0; step < kMostSteps; ++step) {
      if (steps_.automaton(wait.thread).actions(state).empty()) return step == 0;
      const StepResult result = steps_.run(wait.thread, state, 0, answer);
      if (result.kind == StepResult::Kind::kReads) return asked = result.cell, true;
      if (result.kind == StepResult::Kind::kBlocked) return step == 0;  // elsewhere it is another ending
      if (result.kind != StepResult::Kind::kEnds || steps_.changes_memory() || strictly) return false;
      state = result.state;
      if (state == wait.state) return true;
    }
    return false;
  }

  bool tail_reads(const Graph& g, const Lasts& lasts) const {
    bool good = true;
    tail_.for_each([&](std::size_t id) {
      const GraphNode& n = g.node(static_cast<NodeId>(id));
      for (std::uint32_t r = 0; r < n.reads; ++r) {
        const GraphRead& read = g.read(n, r);
        if (read.cell == kChoiceCell) continue;
        const std::uint32_t newest = g.cell(read.cell).last;
        NodeId source = newest == kNone ? kInitial : g.write(newest).node;
        if (g.contested(read.cell)) source = kNone;
        for (const auto& last : lasts)
          if (last.cell == read.cell) source = last.node;
        good &= read.source == source;
      }
    });
    return good;
  }

  ThreadSteps& steps_;
  bool observers_;
  std::vector<Wait> waits_;
  Set tail_;  // the nodes of the waiting loops
  bool cut_ = false;
  std::vector<EdgeId> halts_;
};

}  // namespace weir
