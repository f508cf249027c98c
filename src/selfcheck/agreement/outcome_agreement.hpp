// Two ways to the final states of a program, compared: by search and by axioms.
#pragma once

#include <string>

#include "program/model.hpp"
#include "program/program.hpp"

namespace weir::selfcheck {

struct OutcomeComparison {
  std::string problem;   // empty if the two agree
  std::string left_out;  // why there was no comparison; empty if there was one
};

OutcomeComparison compare_outcomes(const Program& program, Model model);

}  // namespace weir::selfcheck
