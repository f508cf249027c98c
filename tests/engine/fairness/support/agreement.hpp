// All algorithms and thresholds on one instance against the explicit reference, their plays against the
// checker.
#pragma once

#include <string>

#include "engine/fairness/support/instances.hpp"

namespace weir::fairness::test {

// What disagrees, or nothing. `winning` is set to the number of vertices that win.
std::string disagreement(const Instance& instance, std::size_t* winning = nullptr);

// Takes pairs, edges and random vertices away as long as the instance still disagrees.
Instance shrink(Instance instance);

}  // namespace weir::fairness::test
