// All algorithms on one instance against brute force, and all witnesses against the replay in `check`.
#pragma once

#include <string>

#include "engine/consistency/verifier.hpp"

namespace weir::consistency::test {

// Whether the witness of a consistent instance is one; what is wrong otherwise.
std::string replay(const Instance& instance, Model model, std::span<const Step> witness);

// What disagrees, or nothing. `expected` is set to the right answer. Without `judge`, the naive algorithm
// without closure decides what is right.
std::string disagreement(Verifier& verifier, const Instance& instance, Model model, bool judge,
                         bool* expected);

// Takes events away as long as the instance still disagrees.
Instance shrink(Verifier& verifier, Instance instance, Model model);

}  // namespace weir::consistency::test
