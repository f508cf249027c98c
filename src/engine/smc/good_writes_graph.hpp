// An execution in which a read does not know what it reads from, only the writes that are good for it: those
// of one value. The graphs of the equivalences that look at values [Toman21, Chapters 3 and 4].
//
// The graph is possible if some order of its nodes gives every read a good write. It keeps one such order,
// and all edges that are known to hold in every good order (the *closure* of Section 4.2.2, with what TSO and
// PSO need). When a node is added, edges are added that follow now; that finds most of what is impossible.
// Then the order is tried, with the node wherever it can stand. If that fails, good_writes_search.hpp
// decides.
//
// Closure. For a read r of a cell, a good write w is *visible* if it is not certainly after r, and not
// certainly overwritten before r, by a write in between or by a store of r's own thread. Then
//   - some good write is visible;
//   - a visible good write before all others is before r;
//   - a visible good write after all others is after every bad write that is before r;
//   - a bad write that is after all visible good ones is after r.
// Under TSO and PSO, r can also take a good store from its own buffer, before that is in memory; then only
// the last rule holds. If the own store is bad, it must have left the buffer.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/smc/good_writes_search.hpp"

namespace weir {

template <std::size_t Words>
class GoodWritesGraph : public ExecutionGraph<Words> {
  using Base = ExecutionGraph<Words>;

 public:
  static constexpr bool kKnowsCoherence = false;
  using Set = typename Base::Set;
  using Good = GoodWrites<Set>;
  using End = WantedEnd<Set>;
  using Edge = std::pair<NodeId, NodeId>;
  using Base::cell, Base::node, Base::past, Base::read, Base::write, Base::write_of;

  // --- Looking

  const Good& good(const GraphNode& n, std::uint32_t r) const { return good_[n.first_read + r].writes; }
  bool wants_fresh(NodeId id) const { return has_stale_.test(id); }
  std::size_t cell_count() const { return this->slots_.size(); }
  const std::vector<NodeId>& order() const { return order_; }

  // The nodes that would be before a new one of the thread.
  Set before_next(std::size_t thread, std::uint8_t roles, std::uint32_t written_cell) const {
    Set before;
    this->for_each_predecessor(this->threads_[thread], roles, written_cell, [&](NodeId p) {
      before |= past_[p];
      before.set(p);
    });
    return before;
  }

  // The latest write to the cell that the thread has issued.
  NodeId latest_own_write(std::size_t thread, std::uint32_t c) const {
    const std::vector<NodeId>& order = this->threads_[thread];
    for (std::size_t i = order.size(); i-- > 0;)
      if (write_of(node(order[i]), c) != kNone) return order[i];
    return kNone;
  }

  // Could something with these nodes before it read the cell from `source`, as far as is certain?
  bool visible(const Set& before, NodeId own, std::uint32_t c, NodeId source) const {
    if (own != kNone && own != source && (source == kInitial || past_[own].test(source))) return false;
    const Set earlier = cell(c).writers & before;
    if (source == kInitial) return earlier.empty();
    return !earlier.any([&](std::size_t other) { return past_[other].test(source); });
  }

  // Is the write, or the initial value, certainly not the last one of its cell?
  bool surely_overwritten(std::uint32_t c, NodeId source) const {
    if (source == kInitial) return !cell(c).writers.empty();
    return cell(c).writers.any([&](std::size_t other) { return past_[other].test(source); });
  }

  // With these nodes executed and `latest(cell)` in memory: does the node read well?
  template <class Latest>
  bool reads_well(NodeId id, Latest&& latest, const Set& executed) const {
    const GraphNode& n = node(id);
    bool fresh = !has_stale_.test(id);
    for (std::uint32_t r = 0; r < n.reads; ++r) {
      const GraphRead& known = read(n, r);
      if (known.cell == kChoiceCell) continue;
      const NodeId source = source_of(n, r, latest, executed);
      if (!good(n, r).contain(source)) return false;
      fresh = fresh || (source != kInitial && !stale_[id].test(source));
    }
    return fresh;
  }

  // --- Growing

  // A read of one of these writes, which all have the value that `example` writes.
  void add_good_read(NodeId id, std::uint32_t c, const Good& writes, NodeId example) {
    GraphNode& n = this->nodes_[id];
    WEIR_ASSERT(n.first_read + n.reads == reads_.size(), "a node gets its reads at once");
    reads_.push_back({c, example, 0});
    good_.resize(reads_.size());
    ++n.reads;
    if (c == kChoiceCell) return;
    const bool direct = (n.roles & kDrains) != 0;
    good_.back() = {writes, direct ? kNone : this->own_buffered_write(id, c)};
    this->touch(c).touching.set(id);
    open_.set(id);
  }

  // One of the node's reads must be from none of these, nor from the initial value.
  void demand_fresh(NodeId id, const Set& stale) {
    if (stale_.size() <= id) stale_.resize(id + 1);
    stale_[id] = stale;
    has_stale_.set(id);
  }

  void append_write(NodeId id, std::uint32_t c, Value value, bool read_back) {
    this->add_write(id, c, value, read_back);
    const std::uint32_t w = write_of(node(id), c);
    if (this->is_placed(w)) return;
    const std::uint32_t last = cell(c).last;
    this->insert_write(w, last == kNone ? kInitial : writes_[last].node);
    open_ |= cell(c).touching;
  }

  // A node that reads nothing, and comes last in the order.
  void append(NodeId id) { order_.push_back(id); }

  // Finds a good order with the new node; false if there is none.
  bool settle(NodeId id, const ValueHeuristics& heuristics) {
    if (heuristics.closure && !saturate()) return false;
    if (heuristics.guidance && insert(id)) return true;
    order_.push_back(id);
    return (heuristics.guidance && rearrange()) || search(heuristics, {});
  }

  bool add_order(NodeId a, NodeId b, const ValueHeuristics& heuristics) {
    if (!require(a, b)) return false;
    if (heuristics.closure && !saturate()) return false;
    return is_good(order_) || (heuristics.guidance && rearrange()) || search(heuristics, {});
  }

  // Changes the order to one that ends like this; false if there is none.
  bool end_with(std::span<const End> ends, const ValueHeuristics& heuristics) {
    const auto is_there = [&](const End& end) { return end.good.contain(last_in_order(end.cell)); };
    return std::ranges::all_of(ends, is_there) || search(heuristics, ends);
  }

  // Can all these edges be in a good order?
  bool can_order(std::span<const Edge> edges) const {
    GoodWritesGraph trial = *this;
    return trial.find_order(edges);
  }

  // Makes the graph one in which everything is decided, as in its order; with these edges too.
  void decide(std::span<const Edge> edges) {
    [[maybe_unused]] const bool possible = edges.empty() || find_order(edges);
    WEIR_ASSERT(possible, "the edges were found to be possible");
    Set executed;
    std::vector<NodeId>& latest = scratch_.latest;
    latest.assign(cell_count(), kInitial);
    for (const NodeId id : order_) {
      const GraphNode& n = node(id);
      for (std::uint32_t r = 0; r < n.reads; ++r)
        if (GraphRead& known = reads_[n.first_read + r]; known.cell != kChoiceCell)
          known.source = source_of(
              n, r, [&](std::uint32_t c) { return latest[c]; }, executed);
      note_writes(n, id);
      past_[id] = executed;
      executed.set(id);
    }
  }

  // If everything is decided: what each node depends on.
  typename Base::Rows causes() const {
    typename Base::Rows causes(this->nodes_.size());
    for (const NodeId id : order_) note_causes(causes, id);
    return causes;
  }

 private:
  // Memory that is used again and again. Copies of a graph have their own.
  struct Scratch {
    std::vector<NodeId> order, latest;

    Scratch() = default;
    Scratch(const Scratch&) {}
    Scratch& operator=(const Scratch&) { return *this; }
  };

  struct GoodRead {
    Good writes;
    NodeId own = kNone;  // a store of the same thread that the read may find in the buffer
  };

  // (A load can stand before the store that it reads from, and before earlier stores of its thread.)
  void note_causes(typename Base::Rows& causes, NodeId id) const {
    if (!causes[id].empty()) return;
    const auto add = [&](NodeId cause) {
      note_causes(causes, cause);
      causes[id] |= causes[cause];
      causes[id].set(cause);
    };
    const GraphNode& n = node(id);
    if (n.position > 0) add(this->threads_[n.thread][n.position - 1]);
    for (std::uint32_t r = 0; r < n.reads; ++r)
      if (const GraphRead& known = read(n, r); known.cell != kChoiceCell && known.source != kInitial)
        add(known.source);
  }

  template <class Latest>
  NodeId source_of(const GraphNode& n, std::uint32_t r, Latest&& latest, const Set& executed) const {
    const NodeId own = good_[n.first_read + r].own;
    return own != kNone && !executed.test(own) ? own : latest(read(n, r).cell);
  }

  NodeId own_buffered_write(NodeId id, std::uint32_t c) const {
    const NodeId own = this->own_write(id, c);
    return own != kNone && (node(own).roles & kBuffered) && !past_[id].test(own) ? own : kNone;
  }

  void note_writes(const GraphNode& n, NodeId id) {
    for (std::uint32_t w = n.first_write; w < n.first_write + n.writes; ++w)
      scratch_.latest[writes_[w].cell] = id;
  }

  // --- The order that is kept

  NodeId last_in_order(std::uint32_t c) const {
    for (std::size_t i = order_.size(); i-- > 0;)
      if (write_of(node(order_[i]), c) != kNone) return order_[i];
    return kInitial;
  }

  // Tries to insert the node into the order, as late as possible.
  bool insert(NodeId id) {
    const GraphNode& n = node(id);
    Set executed = this->alive_;
    executed.reset(id);
    bool changed = true;  // what the node would read
    for (std::size_t at = order_.size();; --at) {
      if (changed && reads_well_at(id, at, executed)) {
        order_.insert(order_.begin() + static_cast<std::ptrdiff_t>(at), id);
        if (n.writes == 0 || at + 1 == order_.size() || is_good(order_)) return true;
        order_.erase(order_.begin() + static_cast<std::ptrdiff_t>(at));
      }
      if (at == 0 || past_[id].test(order_[at - 1])) return false;
      changed = writes_what_is_read(order_[at - 1], n);
      executed.reset(order_[at - 1]);
    }
  }

  // Tries the order that differs least from the last one and has all edges that are known.
  bool rearrange() {
    std::vector<NodeId>& rearranged = scratch_.order;
    rearranged.clear();
    Set executed;
    std::size_t first = 0;  // not executed
    while (rearranged.size() < order_.size()) {
      while (executed.test(order_[first])) ++first;
      std::size_t i = first;
      while (executed.test(order_[i]) || !executed.contains(past_[order_[i]])) ++i;
      executed.set(order_[i]);
      rearranged.push_back(order_[i]);
    }
    if (!is_good(rearranged)) return false;
    order_.swap(rearranged);
    return true;
  }

  bool writes_what_is_read(NodeId writer, const GraphNode& n) const {
    for (std::uint32_t r = 0; r < n.reads; ++r)
      if (cell(read(n, r).cell).writers.test(writer)) return true;
    return false;
  }

  // With these nodes, the first `at` of the order, before it.
  bool reads_well_at(NodeId id, std::size_t at, const Set& executed) const {
    const auto latest = [&](std::uint32_t c) {
      const Set& writers = cell(c).writers;
      for (std::size_t i = at; i-- > 0;)
        if (writers.test(order_[i])) return order_[i];
      return kInitial;
    };
    return reads_well(id, latest, executed);
  }

  bool is_good(const std::vector<NodeId>& order) {
    std::vector<NodeId>& latest = scratch_.latest;
    latest.assign(cell_count(), kInitial);
    Set executed;
    for (const NodeId id : order) {
      if (!executed.contains(past_[id])) return false;
      if (!reads_well(
              id, [&](std::uint32_t c) { return latest[c]; }, executed))
        return false;
      note_writes(node(id), id);
      executed.set(id);
    }
    return true;
  }

  bool search(const ValueHeuristics& heuristics, std::span<const End> ends) {
    return GoodWritesSearch<GoodWritesGraph>(*this, heuristics, ends).run(order_);
  }

  bool find_order(std::span<const Edge> edges) {
    for (const auto& [a, b] : edges)
      if (!require(a, b)) return false;
    return saturate() && search({}, {});
  }

  // --- Closure

  // False if there is no good order.
  bool saturate() {
    while (!open_.empty()) {
      const Set now = std::exchange(open_, {});
      bool possible = true;
      now.for_each([&](std::size_t i) {
        const auto id = static_cast<NodeId>(i);
        for (std::uint32_t r = 0; r < node(id).reads; ++r)
          possible = possible && (read(node(id), r).cell == kChoiceCell || saturate(id, r));
      });
      if (!possible) return false;
    }
    return true;
  }

  bool saturate(NodeId id, std::uint32_t r) {
    const GoodRead& wanted = good_[node(id).first_read + r];
    const std::uint32_t c = read(node(id), r).cell;
    if (wanted.own != kNone && !wanted.writes.contain(wanted.own) && !require(wanted.own, id)) return false;
    const bool initial = wanted.writes.initial && visible(past_[id], wanted.own, c, kInitial);
    Set seen;  // the visible good writes
    wanted.writes.writes.for_each([&](std::size_t i) {
      const auto source = static_cast<NodeId>(i);
      const bool later = source == id || (source != wanted.own && past_[source].test(id));
      if (!later && visible(past_[id], wanted.own, c, source)) seen.set(source);
    });
    if (!initial && seen.empty()) return false;
    const bool buffered = wanted.own != kNone && !past_[id].test(wanted.own);
    if (!buffered && !initial && !require_first(id, seen)) return false;
    Set bad = cell(c).writers - wanted.writes.writes;
    bad.reset(id);
    if (!buffered && !initial && !require_last(seen, bad & past_[id])) return false;
    return !bad.any([&](std::size_t b) {
      const auto other = static_cast<NodeId>(b);
      return past_[other].contains(seen) && !require(id, other);
    });
  }

  // If one visible good write is before all others, it is before the read.
  bool require_first(NodeId id, const Set& seen) {
    if (past_[id].contains(seen)) return true;
    return !seen.any([&](std::size_t first) {
      const auto is_later = [&](std::size_t other) { return other == first || past_[other].test(first); };
      if (seen.any([&](std::size_t other) { return !is_later(other); })) return false;
      return !require(static_cast<NodeId>(first), id);
    });
  }

  // If one visible good write is after all others, it is after the bad writes before the read.
  bool require_last(const Set& seen, const Set& bad) {
    if (bad.empty()) return true;
    return !seen.any([&](std::size_t last) {
      Set others = seen;
      others.reset(last);
      if (!past_[last].contains(others)) return false;
      return bad.any(
          [&](std::size_t b) { return !require(static_cast<NodeId>(b), static_cast<NodeId>(last)); });
    });
  }

  // Adds the edge; false if that makes a cycle. What may follow from it is looked at again.
  bool require(NodeId a, NodeId b) {
    if (past_[b].test(a)) return true;
    if (a == b || past_[a].test(b)) return false;
    Set before = past_[a];
    before.set(a);
    past_[b] |= before;
    note_change(b);
    this->nodes_[a].has_successors = true;
    if (!node(b).has_successors) return true;
    this->alive_.for_each([&](std::size_t k) {
      if (!past_[k].test(b)) return;
      past_[k] |= before;
      note_change(static_cast<NodeId>(k));
    });
    return true;
  }

  void note_change(NodeId id) {
    const GraphNode& n = node(id);
    if (n.reads > 0) open_.set(id);
    for (std::uint32_t w = n.first_write; w < n.first_write + n.writes; ++w)
      open_ |= cell(writes_[w].cell).touching;
  }

  using Base::past_, Base::reads_, Base::writes_;
  std::vector<GoodRead> good_;  // of reads
  std::vector<Set> stale_;      // of nodes
  Set has_stale_;
  Set open_;                   // nodes of which the closure is to be looked at
  std::vector<NodeId> order_;  // a good one
  Scratch scratch_;
};

}  // namespace weir
