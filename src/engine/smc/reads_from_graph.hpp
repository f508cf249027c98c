// An execution without coherence: the graphs of reads-from equivalence. What is kept is what every thread
// read from whom; the graph is possible if *some* coherence order explains it.
//
// If program order and reads-from order all writes of a cell, that is its coherence, and everything is as in
// coherence_graph.hpp. Other cells are *contested*. For a read r of w and another write v of such a cell, v
// is before w or after r (and w). What of this follows from the rest is made certain by saturation:
//
//   - v before r, or v an earlier store of r's own thread: v is before w;
//   - w before v, or w the initial value: r is before v.
//
// What is still undecided after that is tried both ways, and saturated again each time. (The problem is
// NP-hard in general [Gibbons97]; saturation decides nearly all of it [cf. Abdulla19, Toman21].) Edges that
// were only tried do not stay: the certain ones are a function of the graph alone. What stays is an order of
// all nodes that explains the graph. As long as new nodes go to its end and read what is there, no search is
// needed.
//
// The list of a cell is ordered by how much program order and reads-from put before a write, then by thread
// and position. That is the coherence of a cell that is not contested. Otherwise it is arbitrary, but it does
// not depend on how the graph was made, and that is what the canonical way to add something needs: a read
// takes the last write of this list that can be last in memory.
#pragma once

#include <tuple>

#include "engine/smc/coherence_graph.hpp"

namespace weir {

template <std::size_t Words>
class ReadsFromGraph : public CoherenceGraph<Words> {
  using Base = CoherenceGraph<Words>;

 public:
  static constexpr bool kKnowsCoherence = false;
  using Set = typename Base::Set;
  using Cell = typename Base::Cell;
  using Rows = typename Base::Rows;
  using Base::cell, Base::node, Base::read, Base::read_of, Base::write, Base::write_after, Base::write_of;

  struct Last {  // which write of a cell is last in memory
    std::uint32_t cell;
    NodeId node;
  };

  bool contested(std::uint32_t c) const { return cell(c).contested; }
  bool contested_cells() const { return !contested_.empty(); }

  // --- Growing

  NodeId add_node(std::uint32_t thread, StateId before, std::uint32_t action, std::uint8_t roles,
                  std::uint32_t written_cell) {
    Set sure;
    this->for_each_predecessor(this->threads_[thread], roles, written_cell, [&](NodeId p) {
      sure |= sure_[p];
      sure.set(p);
    });
    const NodeId id = Base::add_node(thread, before, action, roles, written_cell);
    if (id >= sure_.size()) sure_.resize(id + 1);
    sure_[id] = sure;
    return id;
  }

  // False only if it is impossible for sure.
  bool can_read(NodeId id, std::uint32_t c, NodeId source) const {
    if (!contested(c)) return Base::can_read(id, c, source);
    const NodeId own = this->own_write(id, c);
    if (source == kInitial) return own == kNone && !overwritten(id, c, source);
    if (source == id || past_[source].test(id)) return false;
    if (own != kNone && own != source && past_[own].test(source)) return false;
    return !overwritten(id, c, source);
  }

  template <class Visit>
  void for_each_source(NodeId id, std::uint32_t c, Visit&& visit) {
    if (!contested(c)) return Base::for_each_source(id, c, visit);
    for_each_candidate(c, [&](NodeId source) {
      if (can_read(id, c, source)) visit(source);
      return true;
    });
  }

  // False if nothing explains the graph any more.
  bool add_read(NodeId id, std::uint32_t c, NodeId source, std::uint32_t stamp) {
    if (c == kChoiceCell || !contested(c))
      Base::add_read(id, c, source, stamp);
    else
      this->record_read(id, c, source, stamp);
    if (c != kChoiceCell) note_source(id, source);
    return settle();
  }

  std::uint32_t newest(std::uint32_t c) const {
    if (!contested(c)) return cell(c).last;
    for (std::size_t i = order_.size(); i-- > 0;)
      if (const std::uint32_t w = write_of(node(order_[i]), c); w != kNone && this->is_placed(w)) return w;
    return kNone;
  }

  // There is one place, if any; `place` finds it.
  template <class Visit>
  void for_each_place(std::uint32_t, Visit&& visit) const {
    visit(kInitial);
  }

  bool place(std::uint32_t w, NodeId) {
    const std::uint32_t c = writes_[w].cell;
    const NodeId previous = previous_in_list(w);
    if (contested(c) || !is_between(writes_[w].node, previous, write_after(previous, c))) {
      this->insert_write(w, previous);
      contest(c);
    } else {
      if (!this->can_place(w, previous)) return false;
      Base::place(w, previous);
    }
    return settle();
  }

  bool finds_places(NodeId id) const {
    if (contested_.empty() && !node(id).has_successors) return true;  // with all its writes last
    ReadsFromGraph trial = *this;
    const GraphNode& n = trial.node(id);
    for (std::uint32_t w = n.first_write; w < n.first_write + n.writes; ++w)
      if (!trial.place(w, kInitial)) return false;
    return true;
  }

  template <class Keep>
  void copy_part(const ReadsFromGraph& from, Keep&& keep) {
    contested_.clear();
    if (from.contested_.empty()) {
      Base::copy_part(from, keep);
      copy_sure(from);
    } else {
      this->copy_kept(from, keep);
      copy_sure(from);
      for (const std::uint32_t c : from.contested_) recheck(c);
      rebuild();
    }
    order_.clear();
    ordered_ = {};
    for (const NodeId id : from.order_)
      if (this->alive_.test(id)) append(id);
    if (!contested_.empty()) saturate(past_);
  }

  // --- The canonical way to add something

  // A read of the last write of the list that can be last in memory at the moment of the node; if the node's
  // earlier reads allow none, the last one that is possible.
  template <class There>
  bool canonical_read(NodeId id, std::uint32_t r, const There& there) const {
    const GraphRead& known = read(node(id), r);
    if (known.cell == kChoiceCell) return known.source == 0;
    if (contested_.empty() || (r == 0 && !contested(known.cell))) return Base::canonical_read(id, r, there);
    if (known.source != kInitial && !there.end(node(known.source), known.source)) return false;
    ReadsFromGraph rest;
    rest.copy_part(*this, [&](const GraphItem& item) {
      const bool of_writer = item.node == there.writer && item.read != kNone;
      return of_writer || item.stamp < known.stamp || there.cause.test(item.node);
    });
    return rest.favourite(*this, id, r) == known.source;
  }

  // A write that nobody reads yet.
  template <class There>
  bool canonical_end(NodeId id, const There& there) const {
    return !this->is_read(id, there);
  }

  // --- Waiting, and the end

  // Can a node that cannot go on with what it has read be left as it is?
  bool may_wait(NodeId id) const {
    if (contested_.empty()) return Base::may_wait(id);
    Rows rows = past_;
    return put_last(rows, id) && search(rows);
  }

  bool may_wait_with(NodeId id, std::uint32_t c, NodeId source) const {
    if (contested_.empty()) return Base::may_wait_with(id, c, source);
    return contested(c) || write_after(source, c) == kNone;  // what certainly comes later cannot be before it
  }

  // Can memory end like this?
  bool can_end(std::span<const Last> lasts) const {
    Rows rows = past_;
    return end_with(rows, lasts) && search(rows);
  }

  // Can all these edges be in one order that explains the graph?
  bool can_order(std::span<const std::pair<NodeId, NodeId>> edges) const {
    Rows rows = past_;
    for (const auto& [a, b] : edges)
      if (!this->link(rows, a, b)) return false;
    return search(rows);
  }

  // Decides everything, so that every order that keeps to the edges explains the graph and has these too.
  void decide(std::span<const std::pair<NodeId, NodeId>> edges) {
    for (const auto& [a, b] : edges) this->link(past_, a, b);
    [[maybe_unused]] const bool possible = search(past_);
    WEIR_ASSERT(possible, "a complete graph has an explanation");
  }

  // Calls `visit(source)` from the end of the cell's list to its begin and, last, for the initial value,
  // until that returns false.
  template <class Visit>
  bool for_each_candidate(std::uint32_t c, Visit&& visit) const {
    std::vector<NodeId> nodes;
    for (std::uint32_t w = cell(c).first; w != kNone; w = writes_[w].next) nodes.push_back(writes_[w].node);
    for (std::size_t i = nodes.size(); i-- > 0;)
      if (!visit(nodes[i])) return false;
    return visit(kInitial);
  }

  // The number of ways to order the pairs of writes to a cell of which one is read. `possible(rows)` says
  // whether the graph can be as it is with these edges.
  template <class Possible>
  std::uint64_t count_observed_orders(const Possible& possible) const {
    return count_orders(past_, observed_pairs(), 0, possible);
  }

  // Decides what is open in `rows`; false if that is impossible.
  bool search(Rows& rows) const {
    for (;;) {
      if (!saturate(rows)) return false;
      const Triple open = first_undecided(rows);
      if (open.reader == kNone) return true;
      Rows tried = rows;
      const bool first = likely_before(open);
      if (decide_triple(tried, open, first) && search(tried)) {
        rows = std::move(tried);
        return true;
      }
      if (!decide_triple(rows, open, !first)) return false;
    }
  }

  // Adds that memory ends like this; false if that makes a cycle.
  bool end_with(Rows& rows, std::span<const Last> lasts) const {
    for (const Last& last : lasts)
      for (std::uint32_t w = cell(last.cell).first; w != kNone; w = writes_[w].next) {
        if (writes_[w].node == last.node) continue;
        if (last.node == kInitial || !this->link(rows, writes_[w].node, last.node)) return false;
      }
    return true;
  }

 private:
  // A read, what it reads, and another write to the same cell.
  struct Triple {
    NodeId reader = kNone, source = kNone, other = kNone;
  };
  using Pair = std::pair<NodeId, NodeId>;

  // --- What program order and reads-from put before what

  void note_source(NodeId id, NodeId source) {
    if (source == kInitial || this->from_own_buffer(node(id), source)) return;
    sure_[id] |= sure_[source];
    sure_[id].set(source);
  }

  void copy_sure(const ReadsFromGraph& from) {
    sure_ = from.sure_;
    for (const std::vector<NodeId>& thread : this->threads_) {
      if (thread.empty() || node(thread.back()).status != NodeStatus::kOpen) continue;
      // A part of this node may be gone.
      const NodeId id = thread.back();
      const std::vector<NodeId> before(thread.begin(), thread.end() - 1);
      sure_[id] = {};
      this->for_each_predecessor(before, node(id).roles, kNone, [&](NodeId p) {
        sure_[id] |= sure_[p];
        sure_[id].set(p);
      });
      for (std::uint32_t r = 0; r < node(id).reads; ++r)
        if (const GraphRead& known = read(node(id), r); known.cell != kChoiceCell)
          note_source(id, known.source);
    }
  }

  bool is_between(NodeId id, NodeId previous, std::uint32_t next) const {
    return (previous == kInitial || sure_[id].test(previous)) &&
           (next == kNone || sure_[writes_[next].node].test(id));
  }

  void contest(std::uint32_t c) {
    if (contested(c)) return;
    this->touch(c).contested = true;
    contested_.push_back(c);
  }

  void recheck(std::uint32_t c) {
    this->touch(c).contested = false;
    for (std::uint32_t w = cell(c).first; w != kNone && writes_[w].next != kNone; w = writes_[w].next)
      if (!sure_[writes_[writes_[w].next].node].test(writes_[w].node)) return contest(c);
  }

  auto list_key(NodeId id) const { return std::tuple(sure_[id].count(), node(id).thread, node(id).position); }

  // Is there a write that is certainly after the source and before the node?
  bool overwritten(NodeId id, std::uint32_t c, NodeId source) const {
    for (std::uint32_t w = cell(c).first; w != kNone; w = writes_[w].next) {
      const NodeId other = writes_[w].node;
      if (other == id || other == source || !past_[id].test(other)) continue;
      if (source == kInitial || past_[other].test(source)) return true;
    }
    return false;
  }

  NodeId previous_in_list(std::uint32_t w) const {
    const NodeId id = writes_[w].node;
    const Cell& info = cell(writes_[w].cell);
    if (info.last != kNone && sure_[id].test(writes_[info.last].node)) return writes_[info.last].node;
    NodeId previous = kInitial;
    for (std::uint32_t v = info.first; v != kNone; v = writes_[v].next) {
      if (list_key(writes_[v].node) > list_key(id)) break;
      previous = writes_[v].node;
    }
    return previous;
  }

  void rebuild() {
    this->rebuild_closures();
    this->for_each_read([&](NodeId id, const GraphRead& known) {
      if (contested(known.cell)) return;
      const std::uint32_t next = write_after(known.source, known.cell);
      if (next != kNone && writes_[next].node != id) this->add_edge(id, writes_[next].node);
    });
  }

  // --- One order that explains everything

  void append(NodeId id) {
    order_.push_back(id);
    ordered_.set(id);
  }

  // Saturates, and finds an order of all nodes that explains the graph.
  bool settle() {
    if (contested_.empty()) return true;
    for (const std::vector<NodeId>& thread : this->threads_)
      for (const NodeId id : thread)
        if (!ordered_.test(id)) append(id);
    if (explains()) return true;
    if (!saturate(past_)) return false;
    Rows rows = past_;
    if (!search(rows)) return false;
    // In a closure without cycles, who comes later has more before it.
    std::ranges::stable_sort(order_, {}, [&](NodeId id) { return rows[id].count(); });
    return true;
  }

  bool explains() {
    latest_.assign(this->slots_.size(), kInitial);
    Set seen;
    for (const NodeId id : order_) {
      if (!seen.contains(past_[id])) return false;
      const GraphNode& n = node(id);
      for (std::uint32_t r = 0; r < n.reads; ++r) {
        const GraphRead& known = read(n, r);
        if (known.cell == kChoiceCell || latest_[known.cell] == known.source) continue;
        const bool forwarded =
            known.source != kInitial && this->from_own_buffer(n, known.source) && !seen.test(known.source);
        if (!forwarded) return false;
      }
      for (std::uint32_t w = n.first_write; w < n.first_write + n.writes; ++w)
        if (this->is_placed(w)) latest_[writes_[w].cell] = id;
      seen.set(id);
    }
    return true;
  }

  // --- Edges that are tried

  bool put_last(Rows& rows, NodeId id) const {
    bool possible = true;
    this->alive_.for_each([&](std::size_t k) {
      if (k != id && possible) possible = this->link(rows, static_cast<NodeId>(k), id);
    });
    return possible;
  }

  // Calls `visit(reader, source, other)` for each triple of a contested cell, until that returns false.
  template <class Visit>
  bool for_each_triple(Visit&& visit) const {
    bool going = true;
    for (const std::uint32_t c : contested_) {
      cell(c).touching.for_each([&](std::size_t i) {
        if (!going) return;
        const auto reader = static_cast<NodeId>(i);
        const GraphRead* known = read_of(node(reader), c);
        if (known == nullptr) return;
        for (std::uint32_t w = cell(c).first; w != kNone && going; w = writes_[w].next)
          if (writes_[w].node != reader && writes_[w].node != known->source)
            going = visit(Triple{reader, known->source, writes_[w].node});
      });
      if (!going) return false;
    }
    return true;
  }

  bool must_be_before(const Rows& rows, const Triple& t) const {
    const GraphNode& reader = node(t.reader);
    const GraphNode& other = node(t.other);
    return rows[t.reader].test(t.other) ||
           (other.thread == reader.thread && other.position < reader.position);
  }

  bool decided(const Rows& rows, const Triple& t) const {
    return rows[t.other].test(t.reader) || (t.source != kInitial && rows[t.source].test(t.other));
  }

  // False if there is a cycle.
  bool saturate(Rows& rows) const {
    for (bool changed = true; changed;) {
      changed = false;
      const bool possible = for_each_triple([&](const Triple& t) {
        if (must_be_before(rows, t)) {
          if (t.source == kInitial) return false;
          if (rows[t.source].test(t.other)) return true;
          changed = true;
          return this->link(rows, t.other, t.source);
        }
        if (t.source != kInitial && !rows[t.other].test(t.source)) return true;
        if (rows[t.other].test(t.reader)) return true;
        changed = true;
        return this->link(rows, t.reader, t.other);
      });
      if (!possible) return false;
    }
    return acyclic(rows);
  }

  bool acyclic(const Rows& rows) const {
    bool good = true;
    this->alive_.for_each([&](std::size_t i) { good &= !rows[i].test(i); });
    return good;
  }

  Triple first_undecided(const Rows& rows) const {
    Triple found;
    for_each_triple([&](const Triple& t) {
      if (decided(rows, t)) return true;
      found = t;
      return false;
    });
    return found;
  }

  // Is the other write before the source in the order that was the last to explain the graph?
  bool likely_before(const Triple& t) const {
    for (const NodeId id : order_) {
      if (id == t.other) return true;
      if (id == t.source) return false;
    }
    return false;
  }

  bool decide_triple(Rows& rows, const Triple& t, bool before) const {
    if (before) return this->link(rows, t.other, t.source);
    return this->link(rows, t.source, t.other) && this->link(rows, t.reader, t.other);
  }

  // --- The favourite source of a read that is not in this graph

  NodeId favourite(const ReadsFromGraph& whole, NodeId id, std::uint32_t r) {
    const std::uint32_t c = whole.read(whole.node(id), r).cell;
    if (r == 0) return newest_possible(past_, c);
    Rows rows = past_;
    if (put_last(rows, id))
      if (const NodeId found = newest_possible(rows, c); found != kNone) return found;
    NodeId found = kNone;
    for_each_candidate(c, [&](NodeId source) {
      if (!can_read(id, c, source)) return true;
      ReadsFromGraph trial = *this;
      if (trial.add_read(id, c, source, trial.new_stamp())) found = source;
      return found == kNone;
    });
    return found;
  }

  NodeId newest_possible(const Rows& from, std::uint32_t c) const {
    NodeId found = kNone;
    for_each_candidate(c, [&](NodeId source) {
      Rows rows = from;
      const Last last{c, source};
      if (end_with(rows, {&last, 1}) && search(rows)) found = source;
      return found == kNone;
    });
    return found;
  }

  // --- Observers

  bool observed(NodeId id, std::uint32_t c) const {
    bool found = writes_[write_of(node(id), c)].read_back;
    this->for_each_reader(id, c, [&](NodeId) { found = true; });
    return found;
  }

  std::vector<Pair> observed_pairs() const {
    std::vector<Pair> pairs;
    for (const std::uint32_t c : contested_)
      for (std::uint32_t w = cell(c).first; w != kNone; w = writes_[w].next)
        for (std::uint32_t v = writes_[w].next; v != kNone; v = writes_[v].next)
          if (observed(writes_[w].node, c) || observed(writes_[v].node, c))
            pairs.emplace_back(writes_[w].node, writes_[v].node);
    return pairs;
  }

  template <class Possible>
  std::uint64_t count_orders(const Rows& rows, const std::vector<Pair>& pairs, std::size_t next,
                             const Possible& possible) const {
    while (next < pairs.size() && ordered(rows, pairs[next])) ++next;
    if (next == pairs.size()) return 1;
    const auto [a, b] = pairs[next];
    std::uint64_t count = 0;
    for (const Pair& edge : {Pair(a, b), Pair(b, a)}) {
      Rows tried = rows;
      if (this->link(tried, edge.first, edge.second) && saturate(tried) && possible(tried))
        count += count_orders(tried, pairs, next + 1, possible);
    }
    return count;
  }

  static bool ordered(const Rows& rows, const Pair& pair) {
    return rows[pair.second].test(pair.first) || rows[pair.first].test(pair.second);
  }

  using Base::past_, Base::writes_;
  Rows sure_;                             // the closure of program order and reads-from alone
  std::vector<std::uint32_t> contested_;  // cells
  std::vector<NodeId> order_;             // explains the graph, if there are contested cells
  Set ordered_;                           // the nodes in it
  std::vector<NodeId> latest_;
};

}  // namespace weir
