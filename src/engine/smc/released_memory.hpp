// Accesses to memory that another thread may have released before, in a complete execution. Nothing in the
// execution says so: the release is only a write to the status of the block, which accesses do not read.
#pragma once

#include <span>

#include "engine/smc/ending.hpp"
#include "engine/smc/thread_steps.hpp"
#include "program/address.hpp"
#include "program/ordering.hpp"

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

// Notes it if all of `later` can follow the release.
template <class Graph>
bool note_if_possible(const Graph& g, NodeId id, NodeId release, std::span<const NodeId> later,
                      Ending& ending) {
  std::vector<std::pair<NodeId, NodeId>> edges = ending.edges;
  for (const NodeId node : later) edges.emplace_back(release, node);
  if (!g.can_order(edges)) return false;
  ending.failed = id;
  ending.released = release;
  ending.edges = std::move(edges);
  return true;
}

// The access is executed after the release, and so is the rest of its thread.
template <class Graph>
bool note_access(const Graph& g, NodeId id, NodeId release, Ending& ending) {
  if (id == release || comes_before(g, id, release)) return false;
  const GraphNode& n = g.node(id);
  const std::span<const NodeId> rest = std::span(g.thread(n.thread)).subspan(n.position);
  return note_if_possible(g, id, release, n.thread == g.node(release).thread ? rest.first(0) : rest, ending);
}

// A buffered store has its moment after the release by another thread, although it was executed before: only
// under PSO (see ThreadView).
template <class Graph>
void note_late_flush(const Graph& g, ThreadSteps& steps, NodeId id, NodeId release, Ending& ending) {
  const GraphNode& n = g.node(id);
  if (!(n.roles & kBuffered) || n.writes == 0 || n.thread == g.node(release).thread ||
      g.past(release).test(id))
    return;
  const Value address = steps.memory().address(CellId(g.write(n.first_write).cell));
  if (address_kind(address) != AddressKind::kBlock) return;
  const BlockAddress block = decode_block(address);
  if (block.kind == BlockKind::kStack && block.thread == n.thread) return;
  ending.late = note_if_possible(g, id, release, {&id, 1}, ending);
}

// Notes a step that accesses a block and is not before the step that releases it.
template <class Graph>
void find_access_to_released(const Graph& g, ThreadSteps& steps, Ending& ending) {
  if (!steps.memory().releases()) return;
  for (std::uint32_t c = 1; c < steps.memory().cell_count() && !ending.violates(); ++c) {
    if (address_kind(steps.memory().address(CellId(c))) != AddressKind::kStatus) continue;
    for (std::uint32_t w = g.cell(c).first; w != kNone; w = g.write(w).next)
      g.cell(c).touching.for_each([&](std::size_t id) {
        const auto access = static_cast<NodeId>(id);
        const NodeId release = g.write(w).node;
        if (ending.violates() || note_access(g, access, release, ending)) return;
        if (reorders_stores(steps.model())) note_late_flush(g, steps, access, release, ending);
      });
  }
}

}  // namespace weir
