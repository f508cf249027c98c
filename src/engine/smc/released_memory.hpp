// Accesses to memory that another thread may have released before, in a complete execution. Nothing in the
// execution says so: the release is only a write to the status of the block, which accesses do not read.
#pragma once

#include "engine/smc/ending.hpp"
#include "engine/smc/thread_steps.hpp"
#include "program/address.hpp"

namespace weir {

// Is the step executed before the moment of another one, whatever the order of the rest? (A store is
// executed before its own moment.)
template <class Graph>
bool comes_before(const Graph& g, NodeId id, NodeId other) {
  const GraphNode& n = g.node(id);
  if (g.node(other).thread == n.thread) return n.position < g.node(other).position;
  const std::vector<NodeId>& order = g.thread(n.thread);
  for (std::size_t p = n.position; p < order.size(); ++p)
    if (g.past(other).test(order[p])) return true;
  return false;
}

template <class Graph>
void note_access(const Graph& g, NodeId id, NodeId release, Ending& ending) {
  if (id == release || comes_before(g, id, release)) return;
  std::vector<std::pair<NodeId, NodeId>> edges = ending.edges;
  const GraphNode& n = g.node(id);
  if (n.thread != g.node(release).thread)
    for (std::size_t p = n.position; p < g.thread(n.thread).size(); ++p)
      edges.emplace_back(release, g.thread(n.thread)[p]);
  if (!g.can_order(edges)) return;
  ending.failed = id;
  ending.released = release;
  ending.edges = std::move(edges);
}

// Notes a step that accesses a block and is not before the step that releases it.
template <class Graph>
void find_access_to_released(const Graph& g, ThreadSteps& steps, Ending& ending) {
  if (!steps.memory().releases()) return;
  for (std::uint32_t c = 1; c < steps.memory().cell_count() && !ending.violates(); ++c) {
    if (address_kind(steps.memory().address(CellId(c))) != AddressKind::kStatus) continue;
    for (std::uint32_t w = g.cell(c).first; w != kNone; w = g.write(w).next)
      g.cell(c).touching.for_each([&](std::size_t id) {
        if (!ending.violates()) note_access(g, static_cast<NodeId>(id), g.write(w).node, ending);
      });
  }
}

}  // namespace weir
