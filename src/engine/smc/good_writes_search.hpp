// Is there an order of the nodes of a graph in which every read reads from one of its good writes? VerifySC
// [Toman21, Algorithm 4.1], for SC, TSO and PSO.
//
// The order is built from its begin. What can still happen depends only on which nodes are in it and which
// write of each cell is the latest, so no such state is entered twice. What is ours:
//
//   - A node is a step with all its reads and writes, and a buffered store stands for the moment at which it
//     leaves the buffer (see execution_graph.hpp). So read-modify-writes and atomic blocks need nothing
//     special, and what TSO and PSO need is one rule: a load whose thread has a store to the cell in its
//     buffer reads that one.
//   - Of the latest writes it only counts for which of the reads to come they are good. So writes of the same
//     value make no different states.
//   - A state may end in a condition on the latest writes: that is how threads are found that wait for ever.
//
// Two steps are taken greedily: a node that writes nothing and can be executed is (nothing is lost by that),
// and so is a write that nobody will read where the latest write is one that nobody will read either.
#pragma once

#include <absl/container/flat_hash_set.h>
#include <span>
#include <vector>

#include "base/fault.hpp"
#include "engine/smc/execution_graph.hpp"
#include "engine/smc/value_heuristics.hpp"

namespace weir {

// The writes that a read, or the end of an execution, wants to find in memory.
template <class Set>
struct GoodWrites {
  Set writes;            // nodes
  bool initial = false;  // the initial value too

  bool contain(NodeId source) const { return source == kInitial ? initial : writes.test(source); }
  bool empty() const { return !initial && writes.empty(); }
};

template <class Set>
struct WantedEnd {
  std::uint32_t cell = 0;
  GoodWrites<Set> good;
};

template <class Graph>
class GoodWritesSearch {
 public:
  using Set = typename Graph::Set;

  GoodWritesSearch(const Graph& graph, const ValueHeuristics& heuristics,
                   std::span<const WantedEnd<Set>> ends)
      : g_(graph), heuristics_(heuristics), ends_(ends), latest_(graph.cell_count(), kInitial) {
    for (const WantedEnd<Set>& end : ends)
      if (end.cell >= latest_.size()) latest_.resize(end.cell + 1, kInitial);
    for (std::uint32_t c = 0; c < graph.cell_count(); ++c) {
      bool read = false;
      for_each_pending_read(c, [&](NodeId, const auto&) { read = true; });
      if (read) read_cells_.push_back(c);
    }
  }

  // Changes `order`, which says what to try first, to one that is good; false if there is none.
  bool run(std::vector<NodeId>& order) {
    preferred_ = order;
    built_.reserve(order.size());
    if (!complete()) return false;
    order = built_;
    return true;
  }

 private:
  // Every node that is not in the order yet, in the order of preference.
  template <class Visit>
  bool for_each_pending(Visit&& visit) {
    for (const NodeId id : preferred_)
      if (!done_.test(id) && done_.contains(g_.past(id)) && visit(id)) return true;
    return false;
  }

  bool complete() {
    const std::size_t begin = built_.size();
    if (heuristics_.greedy)
      while (for_each_pending([&](NodeId id) { return is_harmless(id) && (execute(id), true); })) {
      }
    if (built_.size() == preferred_.size() ? ends_well() : goes_on()) return true;
    take_back(begin);
    return false;
  }

  bool goes_on() {
    if (!hopeless_.empty() && hopeless_.contains(key())) return false;
    const bool found = for_each_pending([&](NodeId id) {
      if (!can_execute(id)) return false;
      const std::size_t here = built_.size();
      execute(id);
      if (complete()) return true;
      take_back(here);
      return false;
    });
    if (!found) hopeless_.insert(key());
    return found;
  }

  // --- What can be executed

  bool can_execute(NodeId id) const { return reads_well(id) && !destroys_something(id); }

  bool reads_well(NodeId id) const {
    return g_.reads_well(
        id, [&](std::uint32_t c) { return latest_[c]; }, done_);
  }

  // Would a read lose the last good write that it can still have?
  bool destroys_something(NodeId id) const {
    const GraphNode& n = g_.node(id);
    for (std::uint32_t w = n.first_write; w < n.first_write + n.writes; ++w) {
      bool destroys = false;
      for_each_pending_read(g_.write(w).cell, [&](NodeId reader, const auto& good) {
        destroys |= reader != id && !good.writes.test(id) && done_.contains(good.writes);
      });
      if (destroys) return true;
    }
    return false;
  }

  bool is_harmless(NodeId id) const {
    const GraphNode& n = g_.node(id);
    if (n.writes == 0) return reads_well(id);
    if (n.reads > 0 || n.writes > 1) return false;
    const std::uint32_t c = g_.write(n.first_write).cell;
    for (const WantedEnd<Set>& end : ends_)
      if (end.cell == c) return false;
    if (fault("harmful-write")) return true;
    bool harmless = true;
    for_each_pending_read(
        c, [&](NodeId, const auto& good) { harmless &= !good.contain(latest_[c]) && !good.writes.test(id); });
    return harmless;
  }

  template <class Visit>
  void for_each_pending_read(std::uint32_t c, Visit&& visit) const {
    (g_.cell(c).touching - done_).for_each([&](std::size_t i) {
      const auto reader = static_cast<NodeId>(i);
      const GraphNode& n = g_.node(reader);
      for (std::uint32_t r = 0; r < n.reads; ++r)
        if (g_.read(n, r).cell == c) visit(reader, g_.good(n, r));
    });
  }

  bool ends_well() const {
    for (const WantedEnd<Set>& end : ends_)
      if (!end.good.contain(latest_[end.cell])) return false;
    return true;
  }

  // --- Forth and back

  void execute(NodeId id) {
    built_.push_back(id);
    done_.set(id);
    const GraphNode& n = g_.node(id);
    for (std::uint32_t w = n.first_write; w < n.first_write + n.writes; ++w) {
      const std::uint32_t c = g_.write(w).cell;
      overwritten_.push_back({built_.size(), c, latest_[c]});
      latest_[c] = id;
    }
  }

  void take_back(std::size_t size) {
    for (; !overwritten_.empty() && overwritten_.back().size > size; overwritten_.pop_back())
      latest_[overwritten_.back().cell] = overwritten_.back().before;
    for (; built_.size() > size; built_.pop_back()) done_.reset(built_.back());
  }

  // What can still happen depends on these: the nodes that are there, and which of the others would read
  // well now. (A node that must read something fresh wants to know more.)
  std::vector<std::uint64_t> key() const {
    Set content;
    std::vector<std::uint64_t> key(done_.words().begin(), done_.words().end());
    for (const std::uint32_t c : read_cells_) {
      bool fresh_wanted = false;
      for_each_pending_read(c, [&](NodeId reader, const auto& good) {
        if (g_.wants_fresh(reader)) fresh_wanted = true;
        if (good.contain(latest_[c])) content.set(reader);
      });
      if (fresh_wanted) key.push_back(latest_[c]);
    }
    key.insert(key.end(), content.words().begin(), content.words().end());
    for (const WantedEnd<Set>& end : ends_) key.push_back(latest_[end.cell]);
    return key;
  }

  struct Overwritten {
    std::size_t size;  // of the order, with the node that has overwritten it
    std::uint32_t cell;
    NodeId before;
  };

  const Graph& g_;
  const ValueHeuristics& heuristics_;
  std::span<const WantedEnd<Set>> ends_;
  Set done_;
  std::vector<NodeId> latest_;  // by cell
  std::vector<std::uint32_t> read_cells_;
  std::vector<NodeId> preferred_, built_;
  std::vector<Overwritten> overwritten_;
  absl::flat_hash_set<std::vector<std::uint64_t>> hopeless_;
};

}  // namespace weir
