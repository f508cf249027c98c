// Looking into expressions: what they consist of, and what two conditions have to do with each other as far
// as their form shows.
#pragma once

#include <optional>
#include <vector>

#include "program/program.hpp"

namespace weir {

// Calls `visit(const Expression&)` for the expression and everything in it. None is fine.
template <class Visit>
void for_each_subexpression(const Program& program, ExprId root, Visit&& visit) {
  std::vector<ExprId> pending{root};
  while (!pending.empty()) {
    const ExprId id = pending.back();
    pending.pop_back();
    if (!id) continue;
    const Expression& e = program.expression(id);
    visit(e);
    pending.insert(pending.end(), {e.a, e.b, e.c});
  }
}

// Written alike, up to the numbers of the expressions.
bool same_expression(const Program& program, ExprId a, ExprId b);

// Is `negation` the logical negation of `id`?
bool is_negation(const Program& program, ExprId negation, ExprId id);
// The comparison that holds where this one does not; nothing if it is none.
std::optional<ExprOp> opposite_comparison(ExprOp op);
// Comparisons of the same operands of which exactly one holds: = and !=, < and >=, > and <=.
bool opposite_comparisons(const Program& program, ExprId a, ExprId b);
// Exactly one of them is true, whatever the registers hold.
bool complementary(const Program& program, ExprId a, ExprId b);

// Never both true, as far as their form shows.
bool disjoint(const Program& program, ExprId a, ExprId b);

// As C writes it: "+", "<=", "&&"; null for an operator that is not binary.
const char* binary_symbol(ExprOp op);

}  // namespace weir
