// Which accesses of the threads that are not the root are still to be ordered, for the equivalences that have
// a root [Toman21, Sections 3.3 and 3.4].
//
// All conflicting accesses of these threads are, with two relaxations: two writes are not ordered as long as
// neither is good for any read, or as one of them cannot be read by anybody, well or not.
#pragma once

#include <optional>
#include <utility>

#include "engine/smc/good_writes_graph.hpp"

namespace weir {

template <class Graph>
class LeafOrder {
 public:
  using Good = typename Graph::Good;

  LeafOrder(const Graph& graph, std::size_t root, bool relaxed) : g_(graph), root_(root), relaxed_(relaxed) {}

  // A write and another access.
  std::optional<std::pair<NodeId, NodeId>> find_unordered() const {
    for (std::uint32_t c = 0; c < g_.cell_count(); ++c)
      for (std::uint32_t w = g_.cell(c).first; w != kNone; w = g_.write(w).next) {
        const NodeId writer = g_.write(w).node;
        NodeId found = kNone;
        g_.cell(c).touching.any([&](std::size_t other) {
          if (is_unordered(c, writer, static_cast<NodeId>(other))) found = static_cast<NodeId>(other);
          return found != kNone;
        });
        if (found != kNone) return std::pair(writer, found);
      }
    return std::nullopt;
  }

 private:
  bool is_unordered(std::uint32_t c, NodeId writer, NodeId other) const {
    const GraphNode& n = g_.node(other);
    const std::uint32_t thread = g_.node(writer).thread;
    if (thread == root_ || n.thread == root_ || n.thread == thread) return false;
    if (g_.past(writer).test(other) || g_.past(other).test(writer)) return false;
    if (g_.read_of(n, c) != nullptr) return true;
    if (g_.write_of(n, c) == kNone) return false;
    if (!relaxed_) return true;
    if (!is_good_for_any(c, writer) && !is_good_for_any(c, other)) return false;
    return is_observable(c, writer) && is_observable(c, other);
  }

  bool is_good_for_any(std::uint32_t c, NodeId writer) const {
    return any_read(c, [&](NodeId, const Good& good) { return good.contain(writer); });
  }

  // Is there an order that keeps to the edges in which somebody reads it?
  bool is_observable(std::uint32_t c, NodeId writer) const {
    return any_read(c, [&](NodeId reader, const Good&) {
      return reader != writer && !g_.past(writer).test(reader) &&
             g_.visible(g_.past(reader), kNone, c, writer);
    });
  }

  template <class Is>
  bool any_read(std::uint32_t c, Is&& is) const {
    return g_.cell(c).touching.any([&](std::size_t i) {
      const GraphNode& n = g_.node(static_cast<NodeId>(i));
      for (std::uint32_t r = 0; r < n.reads; ++r)
        if (g_.read(n, r).cell == c && is(static_cast<NodeId>(i), g_.good(n, r))) return true;
      return false;
    });
  }

  const Graph& g_;
  std::size_t root_;
  bool relaxed_;
};

}  // namespace weir
