// One execution, complete or not, as a graph.
//
// A *node* is one step of a thread: a load, a store, a read-modify-write, a fence, an atomic block. The reads
// of a node know which node they read from; the writes to a cell stand in a list. Under TSO and PSO a store
// has one node too, and that stands for the moment at which it leaves the buffer; the other nodes stand for
// the moment at which they are executed. With that, an execution is possible if and only if one order of all
// nodes explains it, that is, if the writes to each cell have an order, their coherence, with which these
// edges have no cycle [Alglave14; for TSO: Owens09]:
//
//   - from the earlier to the later of two nodes of a thread, unless the earlier one is a buffered store and
//     the later one a load, or (PSO) a store to another cell with no barrier in between;
//   - from a write to a read of it, unless the read took it from the own buffer;
//   - from a write to the next one in coherence;
//   - from a read to the write that follows the one it read from.
//
// The graph keeps the transitive closure of the edges that are certain as one row of bits per node, so that
// asking for a cycle is a look at one bit, and adding an edge is a pass over the rows. A second closure, of
// program order and reads-from alone, says what a node depends on. What else is certain is a matter of the
// equivalence: see coherence_graph.hpp and reads_from_graph.hpp.
//
// Reads and ends of nodes carry a stamp: the order in which they came into the graph. When a read is
// revisited (see revisit_exploration.hpp) it keeps its stamp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/error.hpp"
#include "engine/smc/bits.hpp"
#include "machine/thread_automaton.hpp"
#include "program/model.hpp"
#include "program/ordering.hpp"

namespace weir {

using NodeId = std::uint32_t;
inline constexpr std::uint32_t kNone = 0xFFFFFFFF;
inline constexpr NodeId kInitial = 0xFFFFFFFE;            // as a source: what memory holds at the start
inline constexpr std::uint32_t kChoiceCell = 0xFFFFFFFD;  // a "read" that is a choice among actions

// How a node is ordered with its thread's other nodes.
enum NodeRole : std::uint8_t {
  kBuffered = 1,  // a store that goes through the buffer
  kDrains = 2,    // happens with an empty buffer
  kBarrier = 4,   // (PSO) keeps earlier stores before this and later ones
};

enum class NodeStatus : std::uint8_t {
  kOpen,      // being executed
  kUnplaced,  // executed, but its writes are not in the lists of their cells yet
  kConflict,  // … and cannot be, with what it has read
  kDone,
  kBlocked,    // cannot go on with what it has read
  kFailed,     // violates a property
  kHalted,     // ends everything
  kUnassumed,  // … because an assumption does not hold
  kCut,        // … because what follows is left out
};

inline bool ends_everything(NodeStatus status) {
  return status == NodeStatus::kHalted || status == NodeStatus::kUnassumed || status == NodeStatus::kCut;
}

struct GraphRead {
  std::uint32_t cell = 0;
  NodeId source = kInitial;  // or, for kChoiceCell, which action
  std::uint32_t stamp = 0;
};

struct GraphWrite {
  std::uint32_t cell = 0;
  NodeId node = kNone;
  std::uint32_t next = kNone;  // in the list of the cell
  Value value = 0;
  bool read_back = false;  // by its own node
};

struct GraphNode {
  std::uint32_t thread = 0, position = 0;
  StateId before, inner;  // where the thread was, and where it is in or after the step
  std::uint32_t action = 0;
  std::uint32_t end_stamp = kNone;
  std::uint32_t first_read = 0, reads = 0, first_write = 0, writes = 0;
  std::uint8_t roles = 0;
  NodeStatus status = NodeStatus::kOpen;
  FailureKind failure = FailureKind::kAssertion;
  bool has_successors = false;  // in the closure
};

// A read or the end of a node, in the order of stamps.
struct GraphItem {
  std::uint32_t stamp = 0;
  NodeId node = 0;
  std::uint32_t read = kNone;  // none: the end
};

// What of a graph counts as being there: everything …
struct Everything {
  static constexpr bool kAtBest = false;
  bool end(const GraphNode&, NodeId) const { return true; }
  bool read(const GraphRead&, NodeId) const { return true; }
};

// … or what came not after a stamp, and the causes of a node that has no place for its writes yet.
template <class Set>
struct Before {
  static constexpr bool kAtBest = false;
  std::uint32_t stamp;
  NodeId writer;
  const Set& cause;  // of the writer
  bool end(const GraphNode& n, NodeId id) const { return n.end_stamp <= stamp || cause.test(id); }
  bool read(const GraphRead& r, NodeId id) const { return r.stamp <= stamp || cause.test(id); }
};

// … the same, with the benefit of the doubt: whether earlier reads of a node force its place depends on edges that
// may still come.
template <class Set>
struct BeforeAtBest : Before<Set> {
  static constexpr bool kAtBest = true;
};

template <std::size_t Words>
class ExecutionGraph {
 public:
  static constexpr std::size_t kWords = Words;
  using Set = Bits<Words>;
  using Rows = std::vector<Set>;  // a closure: what is before each node

  struct Cell {
    std::uint32_t id = kNone;
    std::uint32_t first = kNone, last = kNone;  // writes
    Set writers;                                // nodes that have their place
    Set touching;  // nodes that may have to do with it; all those that read it or have their place as writers
    bool contested = false;  // the order of its writes is open; see reads_from_graph.hpp
  };

  void reset(std::size_t threads, Model model) {
    model_ = model;
    threads_.assign(threads, {});
  }

  // --- Looking

  const GraphNode& node(NodeId id) const { return nodes_[id]; }
  GraphNode& node(NodeId id) { return nodes_[id]; }
  const Set& alive() const { return alive_; }
  bool full() const { return alive_.first_free() == Set::kCapacity; }
  const std::vector<NodeId>& thread(std::size_t t) const { return threads_[t]; }
  std::size_t thread_count() const { return threads_.size(); }
  const std::vector<GraphItem>& items() const { return items_; }
  const GraphRead& read(const GraphNode& n, std::uint32_t i) const { return reads_[n.first_read + i]; }
  const GraphWrite& write(std::uint32_t w) const { return writes_[w]; }
  const Cell& cell(std::uint32_t c) const {
    return c < slots_.size() && slots_[c] != kNone ? cells_[slots_[c]] : kUntouched;
  }
  const Set& past(NodeId id) const { return past_[id]; }
  const Set& cause(NodeId id) const { return cause_[id]; }

  // The write of a node to a cell; none if it has none.
  std::uint32_t write_of(const GraphNode& n, std::uint32_t c) const {
    for (std::uint32_t w = n.first_write; w < n.first_write + n.writes; ++w)
      if (writes_[w].cell == c) return w;
    return kNone;
  }
  // The write after the one of `source` in the list of the cell, or the first one.
  std::uint32_t write_after(NodeId source, std::uint32_t c) const {
    return source == kInitial ? cell(c).first : writes_[write_of(nodes_[source], c)].next;
  }
  const GraphRead* read_of(const GraphNode& n, std::uint32_t c) const {
    for (std::uint32_t i = 0; i < n.reads; ++i)
      if (reads_[n.first_read + i].cell == c) return &reads_[n.first_read + i];
    return nullptr;
  }

  template <class Visit>
  void for_each_reader(NodeId source, std::uint32_t c, Visit&& visit) const {
    cell(c).touching.for_each([&](std::size_t n) {
      const GraphRead* found = read_of(nodes_[n], c);
      if (found != nullptr && found->source == source) visit(static_cast<NodeId>(n));
    });
  }

  // Is the write in the list of its cell?
  bool is_placed(std::uint32_t w) const {
    const GraphWrite& write = writes_[w];
    return cell(write.cell).touching.test(write.node) && (write.next != kNone || cell(write.cell).last == w);
  }

  std::uint32_t new_stamp() { return next_stamp_++; }

  // --- Growing

  // The next node of a thread, with nothing in it yet.
  NodeId add_node(std::uint32_t thread, StateId before, std::uint32_t action, std::uint8_t roles,
                  std::uint32_t written_cell) {
    const auto id = static_cast<NodeId>(alive_.first_free());
    if (id >= nodes_.size()) {
      nodes_.resize(id + 1);
      past_.resize(id + 1);
      cause_.resize(id + 1);
    }
    std::vector<NodeId>& order = threads_[thread];
    nodes_[id] = {.thread = thread,
                  .position = static_cast<std::uint32_t>(order.size()),
                  .before = before,
                  .inner = before,
                  .action = action,
                  .first_read = static_cast<std::uint32_t>(reads_.size()),
                  .first_write = static_cast<std::uint32_t>(writes_.size()),
                  .roles = roles};
    past_[id] = {};
    cause_[id] = {};
    if (!order.empty()) {
      cause_[id] = cause_[order.back()];
      cause_[id].set(order.back());
    }
    for_each_predecessor(order, roles, written_cell, [&](NodeId p) {
      past_[id] |= past_[p];
      past_[id].set(p);
      nodes_[p].has_successors = true;
    });
    order.push_back(id);
    alive_.set(id);
    return id;
  }

  // All that would be before a new node of the thread that is at its end.
  Set past_of_next(std::size_t thread, std::uint8_t roles, std::uint32_t written_cell) const {
    Set past;
    for_each_predecessor(threads_[thread], roles, written_cell, [&](NodeId p) {
      past |= past_[p];
      past.set(p);
    });
    return past;
  }

  // The node whose write, which has its place, replaces what `source` wrote by what it makes of it: then nothing else
  // can. None if there is none.
  NodeId consumer(NodeId source, std::uint32_t c) const {
    for (std::uint32_t w = cell(c).first; w != kNone; w = writes_[w].next) {
      const GraphRead* read = read_of(nodes_[writes_[w].node], c);
      if (read != nullptr && read->source == source) return writes_[w].node;
    }
    return kNone;
  }

  // The node has to do with the cell without reading or writing it.
  void note_touch(NodeId id, std::uint32_t c) { touch(c).touching.set(id); }

  // A write that has no place yet. A second one to the same cell replaces the first.
  void add_write(NodeId id, std::uint32_t c, Value value, bool read_back) {
    GraphNode& n = nodes_[id];
    const std::uint32_t known = write_of(n, c);
    if (known != kNone) {
      writes_[known].value = value;
      return;
    }
    make_writes_last(n);
    writes_.push_back({c, id, kNone, value, read_back});
    ++n.writes;
  }

  void finish(NodeId id, NodeStatus status) {
    GraphNode& n = nodes_[id];
    n.status = status;
    if (n.end_stamp == kNone) {
      n.end_stamp = new_stamp();
      add_item({n.end_stamp, id, kNone});
    }
  }

 protected:
  static inline const Cell kUntouched{};

  Cell& touch(std::uint32_t c) {
    if (c >= slots_.size()) slots_.resize(c + 1, kNone);
    if (slots_[c] == kNone) {
      slots_[c] = static_cast<std::uint32_t>(cells_.size());
      cells_.push_back({.id = c, .writers = {}, .touching = {}});
    }
    return cells_[slots_[c]];
  }

  bool from_own_buffer(const GraphNode& reader, NodeId source) const {
    const GraphNode& writer = nodes_[source];
    return (writer.roles & kBuffered) && writer.thread == reader.thread && !(reader.roles & kDrains);
  }

  // The thread's own latest write to the cell before the node.
  NodeId own_write(NodeId id, std::uint32_t c) const {
    const GraphNode& n = nodes_[id];
    NodeId latest = kNone;
    cell(c).touching.for_each([&](std::size_t i) {
      const GraphNode& other = nodes_[i];
      if (other.thread != n.thread || other.position >= n.position || write_of(other, c) == kNone) return;
      if (latest == kNone || nodes_[latest].position < other.position) latest = static_cast<NodeId>(i);
    });
    return latest;
  }

  // The read itself and the edge from its source.
  void record_read(NodeId id, std::uint32_t c, NodeId source, std::uint32_t stamp) {
    GraphNode& n = nodes_[id];
    make_reads_last(n);
    reads_.push_back({c, source, stamp});
    add_item({stamp, id, n.reads});
    ++n.reads;
    if (c == kChoiceCell) return;
    touch(c).touching.set(id);
    if (source == kInitial) return;
    if (nodes_[source].end_stamp > stamp) early_.set(id);
    cause_[id] |= cause_[source];
    cause_[id].set(source);
    if (!from_own_buffer(n, source)) add_edge(source, id);
  }

  // Puts the write into the list of its cell.
  void insert_write(std::uint32_t w, NodeId previous) {
    const std::uint32_t c = writes_[w].cell;
    Cell& info = touch(c);
    writes_[w].next = write_after(previous, c);
    if (writes_[w].next == kNone) info.last = w;
    (previous == kInitial ? info.first : writes_[write_of(nodes_[previous], c)].next) = w;
    info.touching.set(writes_[w].node);
    info.writers.set(writes_[w].node);
  }

  // The nodes of the thread that are directly before a new one; others follow by transitivity.
  template <class Visit>
  void for_each_predecessor(const std::vector<NodeId>& order, std::uint8_t roles, std::uint32_t written_cell,
                            Visit&& visit) const {
    if (order.empty()) return;
    if (keeps_program_order(model_)) return visit(order.back());
    const bool one_queue = !reorders_stores(model_);
    const bool stores = (roles & (kBuffered | kDrains)) != 0;
    bool executed = false, stored = !stores, barrier = (roles & kBarrier) != 0;
    for (std::size_t i = order.size(); i-- > 0 && !(executed && stored);) {
      const GraphNode& earlier = nodes_[order[i]];
      if (!(earlier.roles & kBuffered)) {
        if (!executed) visit(order[i]);
        executed = true;
        if (earlier.roles & kDrains) return;
      } else if (!stored) {
        const bool same_cell =
            earlier.writes > 0 && writes_[earlier.first_write].cell == written_cell && written_cell != kNone;
        if (one_queue || (roles & kDrains) || barrier || same_cell) visit(order[i]);
        stored = one_queue;
      }
      barrier |= (earlier.roles & kBarrier) != 0;
    }
  }

  void add_edge(NodeId a, NodeId b) {
    if (past_[b].test(a) && past_[b].contains(past_[a])) return;
    Set before = past_[a];
    before.set(a);
    past_[b] |= before;
    nodes_[a].has_successors = true;
    if (!nodes_[b].has_successors) return;
    alive_.for_each([&](std::size_t k) {
      if (past_[k].test(b)) past_[k] |= before;
    });
  }

  // The same for any closure; false if that makes a cycle.
  bool link(Rows& rows, NodeId a, NodeId b) const {
    if (a == b || rows[a].test(b)) return false;
    if (rows[b].test(a)) return true;
    Set before = rows[a];
    before.set(a);
    rows[b] |= before;
    alive_.for_each([&](std::size_t k) {
      if (rows[k].test(b)) rows[k] |= before;
    });
    return true;
  }

  // --- Shrinking

  // Makes this graph a copy of `from` without the items that `keep` does not want. A node of which only some
  // reads are kept is open again; its writes are gone. True if there are such nodes. The closures are still
  // to be made.
  template <class Keep>
  bool copy_kept(const ExecutionGraph& from, Keep&& keep) {
    model_ = from.model_;
    next_stamp_ = from.next_stamp_;
    nodes_ = from.nodes_;
    reads_.clear();
    writes_.clear();
    items_.clear();
    threads_.resize(from.threads_.size());
    part_.assign(nodes_.size(), 0);
    ended_.assign(nodes_.size(), 0);
    for (const GraphItem& item : from.items_) {
      if (!keep(item)) continue;
      items_.push_back(item);
      if (item.read == kNone)
        ended_[item.node] = 1;
      else
        ++part_[item.node];
    }
    alive_ = {};
    early_ = from.early_;
    bool cut = false;
    from.alive_.for_each([&](std::size_t i) {
      const auto id = static_cast<NodeId>(i);
      if (part_[id] == 0 && !ended_[id]) return;
      alive_.set(id);
      cut |= copy_node(from, id);
    });
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      threads_[t].clear();
      for (const NodeId id : from.threads_[t])
        if (alive_.test(id)) threads_[t].push_back(id);
    }
    copy_lists(from);
    return cut;
  }

  void copy_closures(const ExecutionGraph& from) {
    past_ = from.past_;
    cause_ = from.cause_;
    alive_.for_each([&](std::size_t i) {
      past_[i] &= alive_;
      cause_[i] &= alive_;
    });
  }

  // The closures from scratch, with the edges of program order and reads-from.
  void rebuild_closures() {
    past_.assign(nodes_.size(), {});
    cause_.assign(nodes_.size(), {});
    alive_.for_each([&](std::size_t i) { nodes_[i].has_successors = false; });
    for (const std::vector<NodeId>& order : threads_) {
      std::vector<NodeId> before;
      for (const NodeId id : order) {
        const GraphNode& n = nodes_[id];
        const std::uint32_t c = n.writes == 1 ? writes_[n.first_write].cell : kNone;
        for_each_predecessor(before, n.roles, c, [&](NodeId p) { add_edge(p, id); });
        before.push_back(id);
      }
    }
    for_each_read([&](NodeId id, const GraphRead& read) {
      if (read.source != kInitial && !from_own_buffer(nodes_[id], read.source)) add_edge(read.source, id);
    });
    rebuild_causes();
  }

  // Calls `visit(node, read)` for every read of memory.
  template <class Visit>
  void for_each_read(Visit&& visit) {
    alive_.for_each([&](std::size_t i) {
      const GraphNode& n = nodes_[i];
      for (std::uint32_t r = 0; r < n.reads; ++r)
        if (const GraphRead& read = reads_[n.first_read + r]; read.cell != kChoiceCell)
          visit(static_cast<NodeId>(i), read);
    });
  }

 private:
  void add_item(GraphItem item) {
    std::size_t at = items_.size();
    while (at > 0 && items_[at - 1].stamp > item.stamp) --at;
    items_.insert(items_.begin() + static_cast<std::ptrdiff_t>(at), item);
  }

  // The accesses of a node stand together; what follows them is moved out of the way.
  void make_reads_last(GraphNode& n) {
    if (n.first_read + n.reads == reads_.size()) return;
    const auto first = static_cast<std::uint32_t>(reads_.size());
    for (std::uint32_t i = 0; i < n.reads; ++i) reads_.push_back(GraphRead(reads_[n.first_read + i]));
    n.first_read = first;
  }
  void make_writes_last(GraphNode& n) {
    if (n.first_write + n.writes == writes_.size()) return;
    const auto first = static_cast<std::uint32_t>(writes_.size());
    for (std::uint32_t i = 0; i < n.writes; ++i) writes_.push_back(GraphWrite(writes_[n.first_write + i]));
    n.first_write = first;
  }

  // True if only a part of it is kept.
  bool copy_node(const ExecutionGraph& from, NodeId id) {
    const GraphNode& old = from.nodes_[id];
    GraphNode& n = nodes_[id];
    n.first_read = static_cast<std::uint32_t>(reads_.size());
    n.reads = part_[id];
    for (std::uint32_t i = 0; i < n.reads; ++i) reads_.push_back(from.reads_[old.first_read + i]);
    n.first_write = static_cast<std::uint32_t>(writes_.size());
    const bool whole = n.reads == old.reads && (ended_[id] || old.end_stamp == kNone);
    n.writes = whole ? old.writes : 0;
    for (std::uint32_t i = 0; i < n.writes; ++i) {
      GraphWrite write = from.writes_[old.first_write + i];
      write.next = kNone;
      writes_.push_back(write);
    }
    if (whole) return false;
    n.status = NodeStatus::kOpen;
    n.inner = n.before;
    n.end_stamp = kNone;
    return true;
  }

  void copy_lists(const ExecutionGraph& from) {
    slots_ = from.slots_;
    cells_ = from.cells_;
    for (Cell& info : cells_) {
      const std::uint32_t first = info.first;
      info.first = info.last = kNone;
      info.writers = {};
      for (std::uint32_t w = first; w != kNone; w = from.writes_[w].next) {
        const NodeId id = from.writes_[w].node;
        if (!alive_.test(id)) continue;
        const std::uint32_t here = write_of(nodes_[id], info.id);
        if (here == kNone) continue;
        (info.last == kNone ? info.first : writes_[info.last].next) = here;
        info.last = here;
        info.writers.set(id);
      }
      info.touching &= alive_;
    }
  }

  void rebuild_causes() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const std::vector<NodeId>& order : threads_) {
        Set before;
        for (const NodeId id : order) {
          Set all = before;
          const GraphNode& n = nodes_[id];
          for (std::uint32_t r = 0; r < n.reads; ++r) {
            const GraphRead& read = reads_[n.first_read + r];
            if (read.cell == kChoiceCell || read.source == kInitial) continue;
            all |= cause_[read.source];
            all.set(read.source);
          }
          changed |= !cause_[id].contains(all);
          cause_[id] |= all;
          before = cause_[id];
          before.set(id);
        }
      }
    }
  }

 protected:
  Model model_ = Model::kSc;
  Set alive_;
  Set early_;  // nodes that, perhaps, read from one that came into the graph later
  std::vector<GraphNode> nodes_;
  std::vector<GraphRead> reads_;
  std::vector<GraphWrite> writes_;
  Rows past_, cause_;
  std::vector<Cell> cells_;           // those that anything has to do with
  std::vector<std::uint32_t> slots_;  // where a cell stands there
  std::vector<std::vector<NodeId>> threads_;

 private:
  std::uint32_t next_stamp_ = 0;
  std::vector<GraphItem> items_;
  std::vector<std::uint32_t> part_;
  std::vector<std::uint8_t> ended_;
};

}  // namespace weir
