// What two conditions over registers have to do with each other, as far as their form shows.
#pragma once

#include "program/program.hpp"

namespace weir::imp {

// Is `negation` the logical negation of `id`?
bool is_negation(const Program& program, ExprId negation, ExprId id);
// Comparisons of the same operands of which exactly one holds: = and !=, < and >=, > and <=.
bool opposite_comparisons(const Program& program, ExprId a, ExprId b);
// Never both true.
bool disjoint(const Program& program, ExprId a, ExprId b);

}  // namespace weir::imp
