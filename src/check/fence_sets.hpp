// The cheapest ways to make a small program robust or safe by full fences, by trying sets of locations in the
// order of their cost, and comparing all traces or visiting all states for each: what the placement of fences
// is compared with. Exponential in the number of locations.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "check/explore.hpp"
#include "check/trace_sets.hpp"

namespace weir {

struct FenceSetLimits {
  std::size_t locations = 14;  // where a fence may stand; more are too many
  TraceLimits traces;
};

// Where a fence can make a difference: locations with edges, outside atomic blocks.
std::vector<LocationId> fence_locations(const Program& program);

struct PricedFences {
  double cost = 0;
  std::vector<LocationId> fences;
};

// All sets of the locations, by cost.
std::vector<PricedFences> fence_sets_by_cost(const std::vector<LocationId>& locations,
                                             const std::function<double(LocationId)>& cost);

// Sums of the same costs in another order may differ in the last digits.
bool dearer(double cost, double than);

enum class FencesVerdict : std::uint8_t { kEnough, kNotEnough, kTooLarge };
using FencesJudge = std::function<FencesVerdict(const std::vector<LocationId>& fences)>;

// All cheapest sets that the judge finds to be enough, each set ascending. Nothing if one is too large.
std::optional<std::vector<std::vector<LocationId>>> cheapest_fence_sets(
    const std::vector<LocationId>& locations, const std::function<double(LocationId)>& cost,
    const FencesJudge& judge);

// All sets of such locations of least total cost for which `with_fences` is robust, each set ascending.
// `cost` is not negative. Nothing if a limit was hit before that was clear.
std::optional<std::vector<std::vector<LocationId>>> cheapest_fence_sets(
    const Program& program, const std::function<double(LocationId)>& cost, const FenceSetLimits& limits = {});

// The same for sets with which the program violates no property. No sets: none is enough.
std::optional<std::vector<std::vector<LocationId>>> cheapest_safe_fence_sets(
    const Program& program, Model model, const std::function<double(LocationId)>& cost,
    std::size_t most_locations, const ExplorationLimits& limits);

}  // namespace weir
