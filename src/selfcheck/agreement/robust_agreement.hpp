// Compares the robustness engine with brute force on one program: the verdict with the sets of all traces;
// every witness must replay, and triangular-race freedom must imply robustness. Fences are compared in
// fence_agreement.hpp.
#pragma once

#include <string>

#include "selfcheck/random/program_generator.hpp"

namespace weir::selfcheck {

struct RobustComparisons {
  std::size_t verdicts = 0, not_robust = 0, reachability = 0, undecided = 0;
};

inline constexpr std::size_t kMostBruteForceSteps = 60'000;  // per model and program

// Whether a block was released is no part of a trace, so robustness says nothing about programs that access one then.
bool accesses_released_memory(const Program& program);

// Empty if all agree, otherwise what differs. What takes brute force more steps than that counts as agreeing.
std::string robust_disagreement(const Program& program, RobustComparisons* made = nullptr,
                                std::size_t most_steps = kMostBruteForceSteps);

// Lazy reachability against the explicit engine under TSO. In programs with loops both look at a part: what
// lazy finds must replay, and what it proves must not be refuted.
std::string lazy_disagreement(const Program& program, RobustComparisons* made = nullptr);

// Straight-line and branching programs with fences and atomics, without properties.
GeneratorShape robust_shape_for(std::uint64_t seed);
// The same with properties and loops.
GeneratorShape lazy_shape_for(std::uint64_t seed);

}  // namespace weir::selfcheck
