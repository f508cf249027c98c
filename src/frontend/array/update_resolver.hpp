// The updates of a transition.
#pragma once

#include "frontend/array/formula_resolver.hpp"

namespace weir::cub {

// No cell is changed twice; fails otherwise.
std::vector<array::Update> resolve_updates(const std::vector<UpdateSyntax>& syntax, const ArraySystem& system,
                                           TermResolver& terms, FormulaResolver& formulas);

}  // namespace weir::cub
