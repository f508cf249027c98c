// Fences change nothing under SC, so the SC traces are computed once, without any.
#include "check/fence_sets.hpp"

#include <algorithm>
#include <utility>

#include "program/fences.hpp"

namespace weir {

namespace {

using FenceSet = std::vector<LocationId>;

// Per location: inside an atomic block of its function.
std::vector<bool> inside_blocks(const Program& program) {
  std::vector<bool> inside(program.locations.size());
  std::vector<LocationId> open;
  const auto reach = [&](const Edge& edge) {
    if (inside[edge.target.index()]) return;
    inside[edge.target.index()] = true;
    open.push_back(edge.target);
  };
  for (const Edge& edge : program.edges)
    if (edge.instruction.op == Opcode::kAtomicBegin) reach(edge);
  while (!open.empty()) {
    const LocationId location = open.back();
    open.pop_back();
    for (const EdgeId edge : program.location(location).edges)
      if (program.edge(edge).instruction.op != Opcode::kAtomicEnd) reach(program.edge(edge));
  }
  return inside;
}

}  // namespace

bool dearer(double cost, double than) { return cost > than + 1e-9 * (1 + than); }

std::vector<PricedFences> fence_sets_by_cost(const std::vector<LocationId>& locations,
                                             const std::function<double(LocationId)>& cost) {
  std::vector<PricedFences> sets = {{}};
  for (const LocationId location : locations) {
    const double price = cost(location);
    const std::size_t count = sets.size();
    for (std::size_t i = 0; i < count; ++i) {
      PricedFences larger = sets[i];
      larger.cost += price;
      larger.fences.push_back(location);
      sets.push_back(std::move(larger));
    }
  }
  std::ranges::stable_sort(sets, {}, &PricedFences::cost);
  return sets;
}

std::vector<LocationId> fence_locations(const Program& program) {
  const std::vector<bool> inside = inside_blocks(program);
  std::vector<LocationId> found;
  for (std::size_t i = 0; i < program.locations.size(); ++i)
    if (!inside[i] && !program.locations[i].edges.empty()) found.emplace_back(i);
  return found;
}

std::optional<std::vector<FenceSet>> cheapest_fence_sets(const std::vector<LocationId>& locations,
                                                         const std::function<double(LocationId)>& cost,
                                                         const FencesJudge& judge) {
  std::vector<FenceSet> cheapest;
  double least = 0;
  for (PricedFences& set : fence_sets_by_cost(locations, cost)) {
    if (!cheapest.empty() && dearer(set.cost, least)) break;
    const FencesVerdict verdict = judge(set.fences);
    if (verdict == FencesVerdict::kTooLarge) return std::nullopt;
    if (verdict == FencesVerdict::kNotEnough) continue;
    if (cheapest.empty()) least = set.cost;
    cheapest.push_back(std::move(set.fences));
  }
  std::ranges::sort(cheapest);
  return cheapest;
}

std::optional<std::vector<FenceSet>> cheapest_fence_sets(const Program& program,
                                                         const std::function<double(LocationId)>& cost,
                                                         const FenceSetLimits& limits) {
  const std::vector<LocationId> locations = fence_locations(program);
  if (locations.size() > limits.locations) return std::nullopt;
  const TraceSet sequential = all_traces(program, Model::kSc, limits.traces);
  return cheapest_fence_sets(locations, cost, [&](const FenceSet& fences) {
    switch (compare_traces(sequential, with_fences(program, fences), limits.traces)) {
      case BruteForceVerdict::kRobust: return FencesVerdict::kEnough;
      case BruteForceVerdict::kNotRobust: return FencesVerdict::kNotEnough;
      case BruteForceVerdict::kTooLarge: break;
    }
    return FencesVerdict::kTooLarge;
  });
}

std::optional<std::vector<FenceSet>> cheapest_safe_fence_sets(const Program& program, Model model,
                                                              const std::function<double(LocationId)>& cost,
                                                              std::size_t most_locations,
                                                              const ExplorationLimits& limits) {
  const std::vector<LocationId> locations = fence_locations(program);
  if (locations.size() > most_locations) return std::nullopt;
  return cheapest_fence_sets(locations, cost, [&](const FenceSet& fences) {
    const ReferenceExploration explored = explore_all(with_fences(program, fences), model, limits);
    if (!explored.violations.empty()) return FencesVerdict::kNotEnough;
    return explored.complete ? FencesVerdict::kEnough : FencesVerdict::kTooLarge;
  });
}

}  // namespace weir
