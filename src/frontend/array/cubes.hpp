// The disjunctive normal form of what must not be reached, with a parameter for every process that something is said to exist of.
#pragma once

#include <vector>

#include "program/array/system.hpp"

namespace weir::cub {

// One case: its comparisons must all hold, for different processes 0 to `processes` - 1.
struct CubeCase {
  std::uint32_t processes = 0;
  std::vector<array::Formula> literals;
};

// The formula about the processes 0 to `parameters` - 1 as cases. Fails if there are too many, and where something is said of all
// processes, which no cube says.
std::vector<CubeCase> cubes_of(const array::Formula& formula, std::uint32_t parameters);

}  // namespace weir::cub
