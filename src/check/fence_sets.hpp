// The cheapest ways to make a small program robust by full fences, by trying sets of locations in the order
// of their cost and comparing all traces for each: what the placement of fences is compared with.
// Exponential in the number of locations, and for each set as expensive as `compare_traces`.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "check/trace_sets.hpp"

namespace weir {

struct FenceSetLimits {
  std::size_t locations = 14;  // where a fence may stand; more are too many
  TraceLimits traces;
};

// Where a fence can make a difference: locations with edges, outside atomic blocks.
std::vector<LocationId> fence_locations(const Program& program);

// All sets of such locations of least total cost for which `with_fences` is robust, each set ascending.
// `cost` is not negative. Nothing if a limit was hit before that was clear.
std::optional<std::vector<std::vector<LocationId>>> cheapest_fence_sets(
    const Program& program, const std::function<double(LocationId)>& cost, const FenceSetLimits& limits = {});

}  // namespace weir
