// Which values `*` stands for.
#pragma once

#include <vector>

#include "frontend/rmm/syntax.hpp"

namespace weir::rmm {

// Enough values for every declaration in the program that says `*` without a range: with these, everything
// can be reached that could be reached with any integers. Nothing if that is not known.
std::optional<Range> sufficient_values(const ProgramSyntax& syntax);

}  // namespace weir::rmm
