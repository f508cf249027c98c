// Compares the two ways to find data races on one program whose atomic accesses all synchronise: in
// executions, by the happens-before relation (smc), and in states, where two accesses can both be next (the
// reference machine). That they find the same is a theorem, so it checks both, and the relation itself.
#pragma once

#include <cstddef>
#include <string>

#include "program/model.hpp"
#include "program/program.hpp"

namespace weir::selfcheck {

struct RaceComparisons {
  std::size_t compared = 0, racing = 0;  // programs; those with a violation
  std::size_t too_large = 0;             // for the reference machine
  std::size_t refused = 0;               // by the engine; or nothing to be compared
};

// Empty if the two agree, otherwise what differs. Programs that cannot be compared count as agreeing.
std::string race_disagreement(const Program& program, Model model, RaceComparisons& made,
                              std::size_t most_states);

}  // namespace weir::selfcheck
