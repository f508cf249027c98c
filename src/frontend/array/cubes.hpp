// The disjunctive normal form of a formula without quantifiers.
#pragma once

#include <vector>

#include "program/array/system.hpp"

namespace weir::cub {

// The formula as cases, each a list of comparisons that must all hold. Fails if there are too many.
std::vector<std::vector<array::Formula>> cubes_of(const array::Formula& formula);

}  // namespace weir::cub
