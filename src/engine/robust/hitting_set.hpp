// The cheapest set that contains at least one element of each of several sets: a 0/1 program.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace weir {

struct HittingProblem {
  std::vector<std::vector<std::uint32_t>> sets;  // of elements
  std::vector<double> cost;                      // per element; infinite: not to be chosen
  std::vector<double> preference;  // per element: among equally cheap solutions, the least sum wins
  std::vector<std::vector<std::uint32_t>> excluded;  // solutions that must not be contained in the answer
};

// In ascending order; nothing if some set has no element that may be chosen.
std::optional<std::vector<std::uint32_t>> cheapest_hitting_set(const HittingProblem& problem);

// The same by branching on an unhit set and cutting off what is not cheaper: simple, exact, for builds
// without a solver and for comparison with it.
std::optional<std::vector<std::uint32_t>> cheapest_hitting_set_by_branching(const HittingProblem& problem);

// With COIN-OR Cbc.
std::optional<std::vector<std::uint32_t>> cheapest_hitting_set_by_cbc(const HittingProblem& problem);

}  // namespace weir
