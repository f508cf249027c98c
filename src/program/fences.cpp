#include "program/fences.hpp"

#include <algorithm>

namespace weir {

Program with_fences(const Program& program, std::span<const LocationId> locations) {
  Program result = program;
  std::vector<LocationId> fenced(locations.begin(), locations.end());
  std::ranges::sort(fenced);
  fenced.erase(std::unique(fenced.begin(), fenced.end()), fenced.end());
  for (const LocationId at : fenced) {
    if (program.location(at).edges.empty()) continue;
    const Location before = result.location(at);
    const LocationId behind = result.add_location(before.function, {}, before.position);
    result.locations[behind.index()].edges = before.edges;
    result.locations[at.index()].edges.clear();
    for (const EdgeId edge : before.edges) {
      Edge& moved = result.edges[edge.index()];
      moved.source = behind;
      const bool has_no_target =
          moved.instruction.op == Opcode::kReturn || moved.instruction.op == Opcode::kStop;
      if (has_no_target) moved.target = behind;
    }
    result.add_edge(at, behind, {.op = Opcode::kFence}, before.position);
  }
  return result;
}

}  // namespace weir
