// Two ways to the final states of a program, compared.
#pragma once

#include <string>

#include "check/axiomatic.hpp"
#include "engine/explicit/final_states.hpp"

namespace weir::cli {

// How the axioms disagree with a search with registers; empty if they do not. Both must be complete.
std::string disagreement(const Program& program, Model model, const FinalStates& found,
                         const AxiomaticOutcomes& axioms);

}  // namespace weir::cli
