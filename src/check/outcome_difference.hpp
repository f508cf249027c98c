// Final states that were found in another way, compared with those that the axioms allow.
#pragma once

#include <set>
#include <string>

#include "check/axiomatic.hpp"

namespace weir {

// How the axioms disagree with a search; empty if they do not. Both must be complete, and the states that
// were found must have registers.
std::string outcome_difference(const Program& program, Model model, const std::set<FinalState>& found,
                               const AxiomaticOutcomes& axioms);

}  // namespace weir
