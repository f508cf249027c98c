#include "frontend/imp/conditions.hpp"

#include <utility>

namespace weir::imp {

namespace {

bool same(const Program& program, ExprId a, ExprId b) {
  if (a == b) return true;
  if (!a || !b) return false;
  const Expression& x = program.expression(a);
  const Expression& y = program.expression(b);
  return x.op == y.op && x.type == y.type && x.constant == y.constant && x.reg == y.reg &&
         same(program, x.a, y.a) && same(program, x.b, y.b) && same(program, x.c, y.c);
}

}  // namespace

bool is_negation(const Program& program, ExprId negation, ExprId id) {
  const Expression& e = program.expression(negation);
  return e.op == ExprOp::kLogicalNot && same(program, e.a, id);
}

bool opposite_comparisons(const Program& program, ExprId a, ExprId b) {
  const Expression& x = program.expression(a);
  const Expression& y = program.expression(b);
  static constexpr std::pair<ExprOp, ExprOp> kOpposites[] = {
      {ExprOp::kEq, ExprOp::kNe}, {ExprOp::kLt, ExprOp::kGe}, {ExprOp::kGt, ExprOp::kLe}};
  for (const auto& [p, q] : kOpposites)
    if ((x.op == p && y.op == q) || (x.op == q && y.op == p))
      return same(program, x.a, y.a) && same(program, x.b, y.b);
  return false;
}

bool disjoint(const Program& program, ExprId a, ExprId b) {
  if (is_negation(program, a, b) || is_negation(program, b, a) || opposite_comparisons(program, a, b))
    return true;
  const Expression& x = program.expression(a);
  const Expression& y = program.expression(b);
  if (x.op != ExprOp::kEq || y.op != ExprOp::kEq || !same(program, x.a, y.a)) return false;
  const Expression& p = program.expression(x.b);
  const Expression& q = program.expression(y.b);
  return p.op == ExprOp::kConstant && q.op == ExprOp::kConstant && p.constant != q.constant;
}

}  // namespace weir::imp
