// Two ways to the final states of a program, compared: by search and by axioms.
#pragma once

#include <string>

#include "check/axiomatic.hpp"
#include "engine/explicit/final_states.hpp"

namespace weir::selfcheck {

// How the axioms disagree with a search with registers; empty if they do not. Both must be complete.
std::string outcome_difference(const Program& program, Model model, const FinalStates& found,
                               const AxiomaticOutcomes& axioms);

struct OutcomeComparison {
  std::string problem;   // empty if the two agree
  std::string left_out;  // why there was no comparison; empty if there was one
};

OutcomeComparison compare_outcomes(const Program& program, Model model);

}  // namespace weir::selfcheck
