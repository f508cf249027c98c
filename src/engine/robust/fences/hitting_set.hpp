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

// In ascending order; nothing if some set has no element that may be chosen. Most problems are so small that
// branching ends before a solver has been set up; the others are for Cbc.
std::optional<std::vector<std::uint32_t>> cheapest_hitting_set(const HittingProblem& problem);

// By branching on an unhit set and cutting off what is not cheaper: simple and exact. Nothing in the outer
// optional if it takes more than `most_branches`.
std::optional<std::optional<std::vector<std::uint32_t>>> cheapest_hitting_set_by_branching(
    const HittingProblem& problem, std::uint64_t most_branches);

// With COIN-OR Cbc. Where that is not there, by branching for as long as it takes.
std::optional<std::vector<std::uint32_t>> cheapest_hitting_set_by_cbc(const HittingProblem& problem);

}  // namespace weir
