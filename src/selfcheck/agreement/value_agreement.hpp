// Compares stateless model checking by values with brute force on one program (see value_classes.hpp for what
// is expected). For each equivalence:
//
//   rvf  every combination of values that the threads can read and write is met, and nothing else; no two
//        executions are of one class;
//   vc   the same, with any root; there are no more executions than classes;
//   dc   as many executions as there are classes.
//
// The witness of a violation replays, and there is one if some execution fails.
#pragma once

#include <cstddef>
#include <string>

#include "engine/smc/smc.hpp"
#include "program/program.hpp"
#include "selfcheck/agreement/smc_agreement.hpp"

namespace weir::selfcheck {

struct ValueComparisons {
  std::size_t compared = 0;   // programs under one model, for all equivalences
  std::size_t too_large = 0;  // for brute force
  std::size_t given_up = 0;   // explorations that the engine does not finish, and says so
  std::size_t blocking = 0;   // of those compared: some execution blocks
  std::size_t visited = 0, values = 0, classes = 0;  // executions visited for rvf, and the classes there are
};

// Empty if the two agree, otherwise what differs. Programs that cannot be compared count as agreeing.
std::string value_disagreement(const Program& program, Model model, ValueComparisons* made = nullptr,
                               const ValueHeuristics& heuristics = {},
                               const ExecutionLimits& limits = kComparedExecutions);

}  // namespace weir::selfcheck
