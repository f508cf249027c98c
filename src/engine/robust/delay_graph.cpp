#include "engine/robust/delay_graph.hpp"

#include <algorithm>

#include "program/ordering.hpp"

namespace weir {

DelayGraph::DelayGraph(const Program& program, std::span<const LocationId> fences)
    : program_(program),
      fenced_(program.locations.size()),
      leads_to_load_(program.locations.size()),
      return_targets_(program.functions.size()) {
  for (const LocationId location : fences) fenced_[location.index()] = true;
  for (const Edge& edge : program.edges)
    if (edge.instruction.op == Opcode::kCall)
      return_targets_[edge.instruction.callee.index()].push_back(edge.target);
  find_ways_to_loads();
}

// Where the thread is after executing the edge.
std::vector<LocationId> DelayGraph::targets(EdgeId id) const {
  const Edge& edge = program_.edge(id);
  switch (edge.instruction.op) {
    case Opcode::kCall: return {program_.function(edge.instruction.callee).entry};
    case Opcode::kStop:
    case Opcode::kHalt: return {};
    case Opcode::kReturn: return return_targets_[program_.location(edge.source).function.index()];
    default: return {edge.target};
  }
}

std::vector<bool> DelayGraph::reachable_after(EdgeId edge) const {
  std::vector<bool> reachable(program_.edges.size());
  std::vector<bool> visited(program_.locations.size());
  std::vector<LocationId> open = targets(edge);
  while (!open.empty()) {
    const LocationId at = open.back();
    open.pop_back();
    if (visited[at.index()] || fenced(at)) continue;
    visited[at.index()] = true;
    for (const EdgeId next : program_.location(at).edges) {
      if (waits_for_empty_buffer(program_.edge(next).instruction)) continue;
      reachable[next.index()] = true;
      for (const LocationId target : targets(next)) open.push_back(target);
    }
  }
  return reachable;
}

void DelayGraph::find_ways_to_loads() {
  std::vector<std::vector<LocationId>> sources(program_.locations.size());  // of passable edges to a location
  std::vector<LocationId> open;
  for (std::size_t e = 0; e < program_.edges.size(); ++e) {
    const Edge& edge = program_.edges[e];
    if (fenced(edge.source) || waits_for_empty_buffer(edge.instruction)) continue;
    if (edge.instruction.op == Opcode::kLoad) open.push_back(edge.source);
    for (const LocationId target : targets(EdgeId(e))) sources[target.index()].push_back(edge.source);
  }
  while (!open.empty()) {
    const LocationId at = open.back();
    open.pop_back();
    if (leads_to_load_[at.index()]) continue;
    leads_to_load_[at.index()] = true;
    for (const LocationId source : sources[at.index()]) open.push_back(source);
  }
}

}  // namespace weir
