// An execution with the coherence order of every cell: the graphs of Mazurkiewicz equivalence, which for
// programs in this form is the equivalence of Shasha and Snir.
//
// The list of a cell is its coherence order. So all edges are certain, and what is possible can be read off
// the closure.
#pragma once

#include <span>
#include <utility>

#include "engine/smc/execution_graph.hpp"

namespace weir {

template <std::size_t Words>
class CoherenceGraph : public ExecutionGraph<Words> {
  using Base = ExecutionGraph<Words>;

 public:
  static constexpr bool kKnowsCoherence = true;
  static bool contested_cells() { return false; }
  using Set = typename Base::Set;
  using Base::cell, Base::node, Base::past, Base::read, Base::read_of, Base::write, Base::write_after;

  // Could the node read this cell from `source`?
  bool can_read(NodeId id, std::uint32_t c, NodeId source) const {
    if (source != kInitial && (source == id || past_[source].test(id))) return false;
    const std::uint32_t next = write_after(source, c);
    if (next != kNone && writes_[next].node != id && past_[id].test(writes_[next].node)) return false;
    const NodeId own = this->own_write(id, c);
    for (std::uint32_t w = next; w != kNone; w = writes_[w].next)
      if (writes_[w].node == own) return false;
    return true;
  }

  // Calls `visit(source)` for every write that the node can read from, the latest in coherence first.
  template <class Visit>
  void for_each_source(NodeId id, std::uint32_t c, Visit&& visit) {
    scratch_.clear();
    for (std::uint32_t w = cell(c).first; w != kNone; w = writes_[w].next) scratch_.push_back(w);
    const NodeId own = this->own_write(id, c);
    for (std::size_t i = scratch_.size(); i-- > 0;) {
      const NodeId source = writes_[scratch_[i]].node;
      const std::uint32_t next = writes_[scratch_[i]].next;
      if (next != kNone && past_[id].test(writes_[next].node)) return;
      if (!past_[source].test(id)) visit(source);
      if (source == own) return;
    }
    const std::uint32_t first = cell(c).first;
    if (first == kNone || !past_[id].test(writes_[first].node)) visit(kInitial);
  }

  // True: what is offered as possible is.
  bool add_read(NodeId id, std::uint32_t c, NodeId source, std::uint32_t stamp) {
    this->record_read(id, c, source, stamp);
    if (c == kChoiceCell) return true;
    const std::uint32_t next = write_after(source, c);
    if (next != kNone) this->add_edge(id, writes_[next].node);
    return true;
  }

  // What a node at the end of everything reads.
  std::uint32_t newest(std::uint32_t c) const { return cell(c).last; }

  // Calls `visit(previous)` for the places that the write can have in coherence, the last one first.
  template <class Visit>
  void for_each_place(std::uint32_t w, Visit&& visit) {
    scratch_.clear();
    if (can_place(w, kInitial)) scratch_.push_back(kInitial);
    for (std::uint32_t other = cell(writes_[w].cell).first; other != kNone; other = writes_[other].next)
      if (can_place(w, writes_[other].node)) scratch_.push_back(writes_[other].node);
    for (std::size_t i = scratch_.size(); i-- > 0;) visit(scratch_[i]);
  }

  bool place(std::uint32_t w, NodeId previous) {
    const NodeId id = writes_[w].node;
    const std::uint32_t c = writes_[w].cell;
    this->insert_write(w, previous);
    if (previous != kInitial) this->add_edge(previous, id);
    this->for_each_reader(previous, c, [&](NodeId reader) {
      if (reader != id) this->add_edge(reader, id);
    });
    if (writes_[w].next != kNone) this->add_edge(id, writes_[writes_[w].next].node);
    return true;
  }

  // Are there places for the writes of a node that have none yet?
  bool finds_places(NodeId id) {
    // What nothing must follow can be the last of everything.
    return !node(id).has_successors || finds_places(id, node(id).first_write);
  }

  // Everything is decided: an edge is possible unless the opposite one is there.
  bool can_order(std::span<const std::pair<NodeId, NodeId>> edges) const {
    return std::ranges::none_of(edges, [&](const auto& edge) { return past_[edge.first].test(edge.second); });
  }
  void decide(std::span<const std::pair<NodeId, NodeId>>) {}

  template <class Keep>
  void copy_part(const CoherenceGraph& from, Keep&& keep) {
    if (!this->copy_kept(from, keep)) return this->copy_closures(from);
    this->rebuild_closures();
    this->for_each_read([&](NodeId id, const GraphRead& known) {
      const std::uint32_t next = write_after(known.source, known.cell);
      if (next != kNone && writes_[next].node != id) this->add_edge(id, writes_[next].node);
    });
    for (const auto& info : this->cells_)
      for (std::uint32_t w = info.first; w != kNone && writes_[w].next != kNone; w = writes_[w].next)
        this->add_edge(writes_[w].node, writes_[writes_[w].next].node);
  }

  // --- The canonical way to add something

  template <class There>
  bool canonical_read(NodeId id, std::uint32_t r, const There& there) const {
    const GraphRead& known = read(node(id), r);
    if (known.cell == kChoiceCell) return known.source == 0;
    if (known.source != kInitial && !there.end(node(known.source), known.source)) return false;
    return nothing_later(id, r, write_after(known.source, known.cell), there);
  }

  template <class There>
  bool canonical_end(NodeId id, const There& there) const {
    const GraphNode& n = node(id);
    for (std::uint32_t w = n.first_write; w < n.first_write + n.writes; ++w)
      if (!nothing_later(id, n.reads, write(w).next, there)) return false;
    return !is_read(id, there);
  }

  // --- Waiting, and the end

  // Can a node that cannot go on with what it has read be left as it is?
  bool may_wait(NodeId id) const { return reads_newest(id); }

  // Will it be possible, for all that the graph knows, once the node has also read this cell from `source`?
  bool may_wait_with(NodeId id, std::uint32_t c, NodeId source) const {
    return nothing_later(id, node(id).reads, write_after(source, c), Everything{});
  }

  // Does the node read what is last in coherence?
  bool reads_newest(NodeId id) const {
    for (std::uint32_t r = 0; r < node(id).reads; ++r)
      if (!canonical_read(id, r, Everything{})) return false;
    return true;
  }

 protected:
  // Does anyone read what the node writes? What is there of the causes of a writer does not, if the node is no such cause;
  // so whoever reads it came before it.
  template <class There>
  bool is_read(NodeId id, const There& there) const {
    const GraphNode& n = node(id);
    bool found = false;
    for (std::uint32_t w = n.first_write; w < n.first_write + n.writes; ++w) {
      const std::uint32_t c = write(w).cell;
      (cell(c).touching & this->early_).for_each([&](std::size_t reader) {
        const GraphRead* known = read_of(node(static_cast<NodeId>(reader)), c);
        found |= known != nullptr && known->source == id && there.read(*known, static_cast<NodeId>(reader));
      });
    }
    return found;
  }

  // Can the write stand right after the one of `previous` (or first)?
  bool can_place(std::uint32_t w, NodeId previous) const {
    const NodeId id = writes_[w].node;
    const std::uint32_t c = writes_[w].cell;
    if (previous != kInitial && past_[previous].test(id)) return false;
    const std::uint32_t next = write_after(previous, c);
    const NodeId after = next == kNone ? kNone : writes_[next].node;
    if (after != kNone && past_[id].test(after)) return false;
    bool possible = true;
    this->for_each_reader(previous, c, [&](NodeId reader) {
      if (reader != id && (reader == after || past_[reader].test(id))) possible = false;
    });
    return possible;
  }

 private:
  bool finds_places(NodeId id, std::uint32_t w) {
    if (w == node(id).first_write + node(id).writes) return true;
    std::vector<NodeId> places;
    for_each_place(w, [&](NodeId previous) { places.push_back(previous); });
    if (w + 1 == node(id).first_write + node(id).writes) return !places.empty();
    return std::ranges::any_of(places, [&](NodeId previous) {
      CoherenceGraph trial = *this;
      trial.place(w, previous);
      return trial.finds_places(id, w + 1);
    });
  }

  // Do the first `count` reads of the node put it before `later` anyway?
  bool forced_before(NodeId id, std::uint32_t count, NodeId later) const {
    const GraphNode& n = node(id);
    for (std::uint32_t r = 0; r < count; ++r) {
      const GraphRead& known = read(n, r);
      if (known.cell == kChoiceCell) continue;
      std::uint32_t next = write_after(known.source, known.cell);
      if (next != kNone && write(next).node == id) next = write(next).next;
      if (next == kNone) continue;
      const NodeId follower = write(next).node;
      if (follower == later || past(later).test(follower)) return true;
    }
    return false;
  }

  template <class There>
  bool nothing_later(NodeId id, std::uint32_t count, std::uint32_t w, const There& there) const {
    for (; w != kNone; w = write(w).next) {
      const NodeId other = write(w).node;
      if (other == id || !there.end(node(other), other)) continue;
      if (There::kAtBest && count > 0) continue;
      if (!forced_before(id, count, other)) return false;
    }
    return true;
  }

  std::vector<std::uint32_t> scratch_;

 protected:
  using Base::past_, Base::writes_;
};

}  // namespace weir
