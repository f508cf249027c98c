// All executions of a program, each once: graph-based exploration with revisits [Kokologiannakis22, TruSt],
// under SC, TSO and PSO.
//
// The graph is extended step by step, in an order that depends on the graph alone. A read may take its value
// from any write in the graph that does not make a cycle; a write may go to any place in the coherence order
// of its cell that does not. What these branches miss are reads from writes that come into the graph later.
// So when a step with writes is complete, it also *revisits* earlier reads of the same cells: the read now
// reads from the new step, and everything that came after the read and is no cause of the new step is taken
// away. Two graphs can lead to the same revisit; only one of them may do it. That one is the graph in which
// all that is taken away was added in the canonical way (reads from the last write in coherence, writes put
// last, the first of several choices), which exists for every revisit and only once. So every execution is
// met exactly once, nothing is remembered, and the memory needed is that of the graphs on the path.
//
// This was chosen over wake-up trees [Abdulla14] because it needs neither sleep sets nor trees, because the
// memory models are a matter of which edges the graph has, and because the same graphs serve all
// equivalences.
//
// Here it goes beyond the text in these points.
//   - Atomic blocks and read-modify-writes are one node with several reads, and each read has its own place
//   in
//     the order of things: a revisit can take away the later part of a node, which is then executed again.
//     Writes get their places when the node is complete. In such a node the canonical read is the last one
//     that the node's earlier reads allow.
//   - A read-modify-write of what another one has consumed has no place for its write; it only revisits.
//   - A step that waits (for a mutex, a thread, a flag or a test-and-set lock that it polls) is put off as
//   long as there is nothing it
//     can go on with. Reads with which it cannot go on are kept only in the canonical place, where they can
//     be revisited. An execution in which a thread is left waiting although a later write would let it go on
//     is not one: fairness would let it read again.
//
// A graph has as many bits per row as the template says; if that is too few, `overflowed` says so.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "base/context.hpp"
#include "engine/smc/execution_graph.hpp"
#include "engine/smc/thread_steps.hpp"

namespace weir {

// One of several searches that share the work: all walk the upper part of the tree of branches, and each
// follows only its share of the subtrees below.
struct Share {
  std::uint32_t number = 0, count = 1;

  static constexpr std::uint32_t kDepth = 10;  // of the upper part
};

struct ExplorationCounts {
  std::uint64_t traces = 0, blocked = 0, violating = 0;
  std::uint64_t unfair = 0;  // left out: a thread waits although it could go on
  std::uint64_t dead = 0;    // graphs that could not be completed
  std::uint64_t graphs = 0;  // branches taken
};

// How an execution ends.
struct Ending {
  bool blocked = false;     // some thread waits for ever
  bool deadlock = false;    // … and no thread could do anything more
  NodeId failed = kNone;    // a node that violates a property
  NodeId released = kNone;  // `failed` accesses memory that this node may have released before

  bool violates() const { return failed != kNone; }
};

template <std::size_t Words>
class MazurkiewiczExploration {
 public:
  using Graph = ExecutionGraph<Words>;
  using Set = typename Graph::Set;

  // Told of every complete execution; false ends the exploration.
  using Visitor = std::function<bool(const Graph&, const Ending&)>;

  MazurkiewiczExploration(ThreadSteps& steps, Model model, Share share, Context& context, Visitor visitor)
      : steps_(steps), model_(model), share_(share), context_(context), visitor_(std::move(visitor)) {}

  void run() {
    current_.reset(steps_.thread_count(), model_);
    extend();
    while (!frames_.empty() && !stopped_) {
      if ((++counts.graphs & 0x3FF) == 0) poll();
      Frame& frame = *frames_.back();
      const Alternative chosen = frame.alternatives[frame.next++];
      const bool last = frame.next == frame.alternatives.size();
      depth_ = frame.depth + 1;
      if (is_for_another()) {
        if (last) pop_frame();
        continue;
      }
      if (chosen.kind == Kind::kRevisit) {
        take_away(frame.graph, chosen, current_);
      } else if (last) {
        std::swap(current_, frame.graph);
      } else {
        current_ = frame.graph;
      }
      pending_ = chosen.kind == Kind::kRevisit ? frame_revisit(chosen) : frame.pending;
      if (last) pop_frame();
      if (chosen.kind != Kind::kRevisit) apply(chosen);
      extend();
    }
  }

  ExplorationCounts counts;
  std::function<bool()> asked_to_stop;  // asked now and then
  bool overflowed = false;              // the graph has more nodes than bits
  bool cut = false;                     // a local run was cut
  std::vector<EdgeId> halts;            // instructions met that end everything

 private:
  enum class Kind : std::uint8_t { kChoice, kRead, kPlace, kRevisit };

  struct Alternative {
    Kind kind = Kind::kRead;
    NodeId node = 0;
    std::uint32_t a = 0;  // choice: the action; read: the cell; place: the write; revisit: the reader
    std::uint32_t b = 0;  // read: the source; place: the node before; revisit: which read
  };

  // A revisit under way: when the writer has its places, the thread reads from it.
  struct Revisit {
    NodeId writer = kNone;
    std::uint32_t thread = 0, stamp = 0;
  };

  struct Frame {
    Graph graph;
    std::vector<Alternative> alternatives;
    std::size_t next = 0;
    std::uint32_t depth = 0;  // in the tree of branches
    Revisit pending;
  };

  enum class Progress : std::uint8_t { kGoOn, kBranch, kComplete, kDead };

  // --- The stack of branches

  Frame& push_frame() {
    if (spare_.empty()) spare_.push_back(std::make_unique<Frame>());
    frames_.push_back(std::move(spare_.back()));
    spare_.pop_back();
    frames_.back()->next = 0;
    return *frames_.back();
  }

  void pop_frame() {
    spare_.push_back(std::move(frames_.back()));
    frames_.pop_back();
  }

  void poll() {
    if (context_.stopped() || (asked_to_stop && asked_to_stop())) stopped_ = true;
    if (share_.number == 0 && context_.progress_due())
      context_.report_progress({.phase = std::string("explore ") + name(model_),
                                .states = counts.traces,
                                .queue = frames_.size(),
                                .unit = "executions"});
  }

  // Extends the current graph until it is complete or there is more than one way to go on.
  void extend() {
    for (;;) {
      alternatives_.clear();
      const Progress progress = advance();
      if (progress == Progress::kComplete) return complete();
      if (progress == Progress::kDead) {
        ++counts.dead;
        return;
      }
      if (progress == Progress::kGoOn) continue;
      if (alternatives_.empty()) {
        ++counts.dead;
        return;
      }
      if (alternatives_.size() == 1 && alternatives_[0].kind != Kind::kRevisit) {
        apply(alternatives_[0]);
        continue;
      }
      Frame& frame = push_frame();
      std::swap(frame.graph, current_);
      std::swap(frame.alternatives, alternatives_);
      frame.pending = pending_;
      frame.depth = depth_;
      return;
    }
  }

  // Is the branch just taken the root of a subtree that another search follows?
  bool is_for_another() {
    if (share_.count == 1 || depth_ != Share::kDepth) return false;
    return subtrees_++ % share_.count != share_.number;
  }

  // --- One thing after the other

  Progress advance() {
    Graph& g = current_;
    if (g.full()) {
      overflowed = stopped_ = true;
      return Progress::kDead;
    }
    if (pending_.writer != kNone) {
      if (g.node(pending_.writer).status == NodeStatus::kUnplaced)
        return offer_places(pending_.writer, false);
      return read_again();
    }
    if (const NodeId open = open_node(); open != kNone) return go_on(open);
    return start_step();
  }

  void apply(const Alternative& chosen) {
    Graph& g = current_;
    switch (chosen.kind) {
      case Kind::kChoice: g.add_read(chosen.node, kChoiceCell, chosen.a, g.new_stamp()); break;
      case Kind::kRead: g.add_read(chosen.node, chosen.a, chosen.b, g.new_stamp()); break;
      case Kind::kPlace: place(chosen); break;
      case Kind::kRevisit: break;
    }
  }

  void place(const Alternative& chosen) {
    Graph& g = current_;
    GraphNode& n = g.node(chosen.node);
    g.place(chosen.a, chosen.b);
    if (chosen.a + 1 == n.first_write + n.writes) n.status = NodeStatus::kDone;
  }

  // A node that is not at its end, before whose moment no other such node is.
  NodeId open_node() const {
    NodeId found = kNone;
    for (std::size_t t = 0; t < current_.thread_count(); ++t) {
      const std::vector<NodeId>& order = current_.thread(t);
      if (order.empty()) continue;
      const NodeStatus status = current_.node(order.back()).status;
      if (status != NodeStatus::kOpen && status != NodeStatus::kUnplaced) continue;
      if (status == NodeStatus::kUnplaced) return order.back();
      if (found == kNone || current_.past(found).test(order.back())) found = order.back();
    }
    return found;
  }

  StepResult run_step(const Graph& g, NodeId id) {
    const GraphNode& n = g.node(id);
    return steps_.run(n.thread, n.before, n.action, [&](std::uint32_t i, std::uint32_t cell, Value& value) {
      if (i >= n.reads) return false;
      const GraphRead& read = g.read(n, i);
      WEIR_ASSERT(read.cell == cell, "a step asks for the same things again");
      value = cell == kChoiceCell ? static_cast<Value>(read.source) : value_of(g, read.source, cell);
      return true;
    });
  }

  Value value_of(const Graph& g, NodeId source, std::uint32_t cell) {
    return source == kInitial ? steps_.initial_value(cell) : g.write(g.write_of(g.node(source), cell)).value;
  }

  Progress go_on(NodeId id) {
    Graph& g = current_;
    if (g.node(id).status == NodeStatus::kUnplaced) return offer_places(id, true);
    const StepResult result = run_step(g, id);
    switch (result.kind) {
      case StepResult::Kind::kReads:
        g.for_each_source(id, result.cell, [&](NodeId source) {
          alternatives_.push_back({Kind::kRead, id, result.cell, source});
        });
        return Progress::kBranch;
      case StepResult::Kind::kChooses:
        for (std::uint32_t i = 0; i < result.choices; ++i) alternatives_.push_back({Kind::kChoice, id, i, 0});
        return Progress::kBranch;
      case StepResult::Kind::kBlocked: return leave_blocked(id);
      case StepResult::Kind::kFails:
        g.finish(id, NodeStatus::kFailed);
        g.node(id).failure = result.failure;
        return Progress::kGoOn;
      case StepResult::Kind::kHalts:
        note_halt(result.edge);
        g.finish(id, NodeStatus::kHalted);
        return Progress::kGoOn;
      case StepResult::Kind::kEnds: return end_step(id, result.state);
    }
    return Progress::kDead;
  }

  Progress end_step(NodeId id, StateId state) {
    Graph& g = current_;
    g.node(id).inner = state;
    for (const std::uint32_t status : steps_.accessed_blocks()) g.note_touch(id, status);
    if (!steps_.changes_memory() && repeats(g, id)) return leave_blocked(id);
    if (steps_.written().empty()) {
      g.node(id).status = NodeStatus::kDone;
      if (g.node(id).reads == 0) g.finish(id, NodeStatus::kDone);
      return Progress::kGoOn;
    }
    for (const ThreadSteps::Written& write : steps_.written()) g.add_write(id, write.cell, write.value);
    g.finish(id, NodeStatus::kUnplaced);
    return Progress::kGoOn;
  }

  // Has the thread come back to a state in which it was, without a change of memory? Then it polls.
  bool repeats(const Graph& g, NodeId id) const {
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

  Progress leave_blocked(NodeId id) {
    Graph& g = current_;
    for (std::uint32_t r = 0; r < g.node(id).reads; ++r)
      if (!canonical_read(g, id, r, Everything{})) return Progress::kDead;
    g.node(id).status = NodeStatus::kBlocked;
    return Progress::kGoOn;
  }

  // Places for the next write of a node that has none yet, and the reads that the node revisits.
  Progress offer_places(NodeId id, bool revisits) {
    Graph& g = current_;
    const GraphNode& n = g.node(id);
    std::uint32_t w = n.first_write;
    while (w < n.first_write + n.writes && is_placed(g, w)) ++w;
    const std::uint32_t cell = g.write(w).cell;
    if (g.can_place(w, kInitial)) alternatives_.push_back({Kind::kPlace, id, w, kInitial});
    for (std::uint32_t other = g.cell(cell).first; other != kNone; other = g.write(other).next)
      if (g.can_place(w, g.write(other).node))
        alternatives_.push_back({Kind::kPlace, id, w, g.write(other).node});
    std::reverse(alternatives_.begin(), alternatives_.end());
    if (revisits && w == n.first_write) offer_revisits(id);
    return Progress::kBranch;
  }

  static bool is_placed(const Graph& g, std::uint32_t w) {
    return g.cell(g.write(w).cell).touching.test(g.write(w).node) &&
           (g.write(w).next != kNone || g.cell(g.write(w).cell).last == w);
  }

  // --- Starting steps

  StateId state_of(const Graph& g, std::size_t t) {
    return g.thread(t).empty() ? steps_.automaton(t).initial() : g.node(g.thread(t).back()).inner;
  }

  bool can_start(const Graph& g, std::size_t t) {
    if (!g.thread(t).empty()) {
      const NodeStatus last = g.node(g.thread(t).back()).status;
      if (last == NodeStatus::kBlocked || last == NodeStatus::kFailed || last == NodeStatus::kHalted)
        return false;
    }
    const StateId state = state_of(g, t);
    const std::span<const Action> actions = steps_.automaton(t).actions(state);
    return !actions.empty() && actions[0].kind != ActionKind::kHalt;
  }

  // Which action comes next; none if that is to be chosen.
  std::uint32_t next_action(const Graph& g, std::size_t t) {
    const StateId state = state_of(g, t);
    if (steps_.automaton(t).actions(state).size() == 1) return 0;
    if (g.thread(t).empty()) return kNone;
    const GraphNode& last = g.node(g.thread(t).back());
    const bool chosen = last.action == kNone && last.status == NodeStatus::kDone;
    return chosen ? g.read(last, 0).source : kNone;
  }

  Progress start_step() {
    std::size_t conflicting = kNone;
    for (std::size_t t = 0; t < steps_.thread_count(); ++t) {
      if (!can_start(current_, t)) continue;
      const std::uint32_t action = next_action(current_, t);
      if (action == kNone) return choose(t);
      const Prospect prospect = look_ahead(t, action);
      if (prospect == Prospect::kReady) return start(t, action);
      if (prospect == Prospect::kConflict && conflicting == kNone) conflicting = t;
    }
    if (conflicting != kNone) return start(conflicting, next_action(current_, conflicting));
    return Progress::kComplete;
  }

  Progress start(std::size_t t, std::uint32_t action) {
    add_node(current_, t, action);
    return Progress::kGoOn;
  }

  NodeId add_node(Graph& g, std::size_t t, std::uint32_t index) {
    const StateId state = state_of(g, t);
    const Action& action = steps_.automaton(t).actions(state)[index];
    const std::uint8_t roles = steps_.roles(action);
    return g.add_node(static_cast<std::uint32_t>(t), state, index, roles, steps_.written_cell(action));
  }

  // A node of its own says which of several actions the thread takes.
  Progress choose(std::size_t t) {
    Graph& g = current_;
    const StateId state = state_of(g, t);
    const auto count = static_cast<std::uint32_t>(steps_.automaton(t).actions(state).size());
    const NodeId id = g.add_node(static_cast<std::uint32_t>(t), state, kNone, 0, kNone);
    g.node(id).status = NodeStatus::kDone;
    for (std::uint32_t i = 0; i < count; ++i) alternatives_.push_back({Kind::kChoice, id, i, 0});
    return Progress::kBranch;
  }

  // --- Will a step that may wait get through?

  enum class Prospect : std::uint8_t { kReady, kConflict, kNever };

  Prospect look_ahead(std::size_t t, std::uint32_t index) {
    const StateId state = state_of(current_, t);
    const Action action = steps_.automaton(t).actions(state)[index];
    if (action.kind != ActionKind::kLoad && !ThreadSteps::may_wait(action)) return Prospect::kReady;
    if (gets_through_canonically(t, state, index)) return Prospect::kReady;
    conflict_ = false;
    Graph trial = current_;
    const NodeId id = add_node(trial, t, index);
    if (gets_through(trial, id)) return Prospect::kReady;
    return conflict_ ? Prospect::kConflict : Prospect::kNever;
  }

  // Reading the last write of each cell is always possible for a new node.
  StepResult run_canonically(std::size_t t, StateId state, std::uint32_t index) {
    return steps_.run(t, state, index, [&](std::uint32_t, std::uint32_t cell, Value& value) {
      if (cell == kChoiceCell) return value = 0, true;
      const std::uint32_t last = current_.cell(cell).last;
      value = last == kNone ? steps_.initial_value(cell) : current_.write(last).value;
      return true;
    });
  }

  bool gets_through_canonically(std::size_t t, StateId state, std::uint32_t index) {
    const StepResult result = run_canonically(t, state, index);
    if (result.kind == StepResult::Kind::kEnds)
      return steps_.changes_memory() || !comes_back(t, result.state);
    return result.kind != StepResult::Kind::kBlocked;
  }

  // Would a step of the thread that writes nothing and ends in `state` close a loop of reads?
  bool comes_back(std::size_t t, StateId state) {
    const std::vector<NodeId>& order = current_.thread(t);
    if (state_of(current_, t) == state) return true;
    for (std::size_t i = order.size(); i-- > 0;) {
      const GraphNode& n = current_.node(order[i]);
      if (n.writes > 0 || (n.reads > 0 && current_.read(n, 0).cell == kChoiceCell)) return false;
      if (n.before == state) return true;
    }
    return false;
  }

  bool gets_through(Graph& g, NodeId id) {
    const StepResult result = run_step(g, id);
    switch (result.kind) {
      case StepResult::Kind::kBlocked: return false;
      case StepResult::Kind::kFails:
      case StepResult::Kind::kHalts: return true;
      case StepResult::Kind::kReads: {
        std::vector<NodeId> sources;
        g.for_each_source(id, result.cell, [&](NodeId source) { sources.push_back(source); });
        for (const NodeId source : sources) {
          Graph next = g;
          next.add_read(id, result.cell, source, next.new_stamp());
          if (gets_through(next, id)) return true;
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
        if (!steps_.changes_memory() && repeats(g, id)) return false;
        for (const ThreadSteps::Written& write : steps_.written()) g.add_write(id, write.cell, write.value);
        if (finds_places(g, id)) return true;
        conflict_ = true;
        return false;
    }
    return false;
  }

  bool finds_places(const Graph& g, NodeId id) const {
    const GraphNode& n = g.node(id);
    for (std::uint32_t w = n.first_write; w < n.first_write + n.writes; ++w) {
      bool found = g.can_place(w, kInitial);
      for (std::uint32_t other = g.cell(g.write(w).cell).first; other != kNone && !found;
           other = g.write(other).next)
        found = g.can_place(w, g.write(other).node);
      if (!found) return false;
    }
    return true;
  }

  // --- Revisits

  // What counts as being there: everything.
  struct Everything {
    bool end(const GraphNode&, NodeId) const { return true; }
    bool read(const GraphRead&, NodeId) const { return true; }
  };
  // … or what came not after a stamp, and the causes of a node.
  struct Before {
    std::uint32_t stamp;
    const Set& cause;
    bool end(const GraphNode& n, NodeId id) const { return n.end_stamp <= stamp || cause.test(id); }
    bool read(const GraphRead& r, NodeId id) const { return r.stamp <= stamp || cause.test(id); }
  };

  // Do the first `count` reads of the node put it before `later` anyway?
  static bool forced_before(const Graph& g, NodeId id, std::uint32_t count, NodeId later) {
    const GraphNode& n = g.node(id);
    for (std::uint32_t r = 0; r < count; ++r) {
      const GraphRead& read = g.read(n, r);
      if (read.cell == kChoiceCell) continue;
      std::uint32_t next = g.write_after(read.source, read.cell);
      if (next != kNone && g.write(next).node == id) next = g.write(next).next;
      if (next == kNone) continue;
      const NodeId follower = g.write(next).node;
      if (follower == later || g.past(later).test(follower)) return true;
    }
    return false;
  }

  template <class There>
  static bool nothing_later(const Graph& g, NodeId id, std::uint32_t count, std::uint32_t w,
                            const There& there) {
    for (; w != kNone; w = g.write(w).next) {
      const NodeId other = g.write(w).node;
      if (other == id || !there.end(g.node(other), other)) continue;
      if (!forced_before(g, id, count, other)) return false;
    }
    return true;
  }

  template <class There>
  static bool canonical_read(const Graph& g, NodeId id, std::uint32_t r, const There& there) {
    const GraphRead& read = g.read(g.node(id), r);
    if (read.cell == kChoiceCell) return read.source == 0;
    if (read.source != kInitial && !there.end(g.node(read.source), read.source)) return false;
    return nothing_later(g, id, r, g.write_after(read.source, read.cell), there);
  }

  template <class There>
  static bool canonical_end(const Graph& g, NodeId id, const There& there) {
    const GraphNode& n = g.node(id);
    for (std::uint32_t w = n.first_write; w < n.first_write + n.writes; ++w) {
      if (!nothing_later(g, id, n.reads, g.write(w).next, there)) return false;
      bool read = false;
      const std::uint32_t cell = g.write(w).cell;
      g.for_each_reader(id, cell, [&](NodeId reader) {
        if (there.read(*g.read_of(g.node(reader), cell), reader)) read = true;
      });
      if (read) return false;
    }
    return true;
  }

  void offer_revisits(NodeId id) {
    const Graph& g = current_;
    const GraphNode& n = g.node(id);
    const Set& cause = g.cause(id);
    for (std::uint32_t w = n.first_write; w < n.first_write + n.writes; ++w) {
      const std::uint32_t cell = g.write(w).cell;
      g.cell(cell).touching.for_each([&](std::size_t i) {
        const auto reader = static_cast<NodeId>(i);
        if (reader == id || cause.test(reader)) return;
        const GraphNode& other = g.node(reader);
        for (std::uint32_t r = 0; r < other.reads; ++r)
          if (g.read(other, r).cell == cell && may_revisit(id, reader, r))
            alternatives_.push_back({Kind::kRevisit, id, reader, r});
      });
    }
  }

  // Was all that would be taken away, and the read itself, added in the canonical way?
  bool may_revisit(NodeId id, NodeId reader, std::uint32_t r) const {
    const Graph& g = current_;
    const Set& cause = g.cause(id);
    const std::uint32_t stamp = g.read(g.node(reader), r).stamp;
    const std::vector<GraphItem>& items = g.items();
    for (std::size_t i = items.size(); i-- > 0 && items[i].stamp >= stamp;) {
      const GraphItem& item = items[i];
      if (item.node == id || cause.test(item.node)) continue;
      const Before there{item.stamp, cause};
      const bool canonical = item.read == kNone ? canonical_end(g, item.node, there)
                                                : canonical_read(g, item.node, item.read, there);
      if (!canonical) return false;
    }
    return true;
  }

  static void take_away(const Graph& from, const Alternative& revisit, Graph& to) {
    const Set& cause = from.cause(revisit.node);
    const std::uint32_t stamp = from.read(from.node(revisit.a), revisit.b).stamp;
    to.copy_part(from, [&](const GraphItem& item) {
      return item.node == revisit.node || cause.test(item.node) || item.stamp < stamp;
    });
  }

  Revisit frame_revisit(const Alternative& revisit) const {
    const Graph& g = frames_.back()->graph;
    const GraphNode& reader = g.node(revisit.a);
    return {revisit.node, reader.thread, g.read(reader, revisit.b).stamp};
  }

  // The read that was revisited comes back, with what it reads now.
  Progress read_again() {
    Graph& g = current_;
    const Revisit revisit = pending_;
    const std::vector<NodeId>& order = g.thread(revisit.thread);
    const bool open = !order.empty() && g.node(order.back()).status == NodeStatus::kOpen;
    const NodeId id = open ? order.back() : add_node(g, revisit.thread, next_action(g, revisit.thread));
    const StepResult result = run_step(g, id);
    WEIR_ASSERT(result.kind == StepResult::Kind::kReads, "the read that was taken away comes next");
    pending_ = {};
    if (!g.can_read(id, result.cell, revisit.writer)) return Progress::kDead;
    g.add_read(id, result.cell, revisit.writer, revisit.stamp);
    return Progress::kGoOn;
  }

  // --- Complete executions

  void complete() {
    const Graph& g = current_;
    if (share_.number > 0 && depth_ < Share::kDepth) return;  // the first search counts these
    Ending ending;
    bool goes_on = false;  // some thread polls, or could end everything
    for (std::size_t t = 0; t < steps_.thread_count(); ++t) {
      const NodeId last = g.thread(t).empty() ? kNone : g.thread(t).back();
      const NodeStatus status = last == kNone ? NodeStatus::kDone : g.node(last).status;
      if (status == NodeStatus::kFailed) {
        if (!ending.violates() || g.past(ending.failed).test(last)) ending.failed = last;
      } else if (status == NodeStatus::kBlocked) {
        if (could_go_on(g, t, g.node(last).inner)) {
          ++counts.unfair;
          return;
        }
        if (steps_.automaton(t).stopped(g.node(last).before)) continue;  // dormant, as it was
        ending.blocked = true;
        goes_on |= g.node(last).inner != g.node(last).before || polls(g, last);
      } else if (status == NodeStatus::kHalted || is_halted(t)) {
        goes_on = true;
      } else if (!stopped(t)) {
        ending.blocked = true;
        if (const StateId state = state_after_polling(t)) {
          goes_on = true;
          if (could_go_on(g, t, state)) {
            ++counts.unfair;
            return;
          }
        }
      }
    }
    ending.deadlock = ending.blocked && !goes_on && !ending.violates();
    if (!ending.violates()) find_access_to_released(g, ending);
    ++(ending.blocked ? counts.blocked : counts.traces);
    counts.violating += ending.violates();
    if (visitor_ && !visitor_(g, ending)) stopped_ = true;
  }

  // Did a blocked step come to its end, and back to where it was?
  bool polls(const Graph& g, NodeId id) { return run_step(g, id).kind == StepResult::Kind::kEnds; }

  // Where a thread whose next step was put off would come if it executed it, to no avail; none if it cannot.
  StateId state_after_polling(std::size_t t) {
    const std::uint32_t action = can_start(current_, t) ? next_action(current_, t) : kNone;
    if (action == kNone) return StateId::none();
    const StepResult result = run_canonically(t, state_of(current_, t), action);
    return result.kind == StepResult::Kind::kEnds ? result.state : StateId::none();
  }

  bool is_halted(std::size_t t) {
    const std::span<const Action> actions = steps_.automaton(t).actions(state_of(current_, t));
    if (actions.empty() || actions[0].kind != ActionKind::kHalt) return false;
    note_halt(actions[0].edge);
    return true;
  }

  void note_halt(EdgeId edge) {
    if (std::ranges::find(halts, edge) == halts.end()) halts.push_back(edge);
  }

  // A step that accesses a block and is not before the step that releases it.
  void find_access_to_released(const Graph& g, Ending& ending) {
    if (!steps_.memory().releases()) return;
    for (std::uint32_t c = 1; c < steps_.memory().cell_count() && !ending.violates(); ++c) {
      const std::uint32_t first = g.cell(c).first;
      if (first == kNone || address_kind(steps_.memory().address(CellId(c))) != AddressKind::kStatus)
        continue;
      const NodeId release = g.write(first).node;
      if (const std::uint32_t second = g.write(first).next; second != kNone) {
        ending.failed = g.write(second).node;
        ending.released = release;
      }
      g.cell(c).touching.for_each([&](std::size_t i) {
        const auto id = static_cast<NodeId>(i);
        if (id == release || ending.violates() || comes_before(g, id, release)) return;
        ending.failed = id;
        ending.released = release;
      });
    }
  }

  // Is the step executed before the moment of another one, whatever the order of the rest? (A store is
  // executed before its own moment.)
  static bool comes_before(const Graph& g, NodeId id, NodeId other) {
    const GraphNode& n = g.node(id);
    if (g.node(other).thread == n.thread) return n.position < g.node(other).position;
    const std::vector<NodeId>& order = g.thread(n.thread);
    for (std::size_t p = n.position; p < order.size(); ++p)
      if (g.past(other).test(order[p])) return true;
    return false;
  }

  // Could a thread that waits, or polls and comes back to `loop`, have read something newer?
  static bool could_go_on(const Graph& g, std::size_t t, StateId loop) {
    const std::vector<NodeId>& order = g.thread(t);
    for (std::size_t i = order.size(); i-- > 0;) {
      const GraphNode& n = g.node(order[i]);
      if (n.status == NodeStatus::kDone && n.inner == loop) break;
      for (std::uint32_t r = 0; r < n.reads; ++r)
        if (!canonical_read(g, order[i], r, Everything{})) return true;
      if (n.before == loop) break;
    }
    return false;
  }

  bool stopped(std::size_t t) {
    ThreadAutomaton& automaton = steps_.automaton(t);
    const StateId state = state_of(current_, t);
    if (automaton.cut(state)) cut = true;
    return automaton.stopped(state);
  }

  ThreadSteps& steps_;
  Model model_;
  Share share_;
  Context& context_;
  Visitor visitor_;
  Graph current_;
  Revisit pending_;
  std::uint32_t depth_ = 0;
  std::uint64_t subtrees_ = 0;
  std::vector<Alternative> alternatives_;
  std::vector<std::unique_ptr<Frame>> frames_, spare_;
  bool stopped_ = false, conflict_ = false;
};

}  // namespace weir
