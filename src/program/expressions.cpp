#include "program/expressions.hpp"

#include <utility>

namespace weir {

bool same_expression(const Program& program, ExprId a, ExprId b) {
  if (a == b) return true;
  if (!a || !b) return false;
  const Expression& x = program.expression(a);
  const Expression& y = program.expression(b);
  return x.op == y.op && x.type == y.type && x.constant == y.constant && x.reg == y.reg &&
         x.thread == y.thread && same_expression(program, x.a, y.a) && same_expression(program, x.b, y.b) &&
         same_expression(program, x.c, y.c);
}

bool is_negation(const Program& program, ExprId negation, ExprId id) {
  const Expression& e = program.expression(negation);
  return e.op == ExprOp::kLogicalNot && same_expression(program, e.a, id);
}

std::optional<ExprOp> opposite_comparison(ExprOp op) {
  switch (op) {
    case ExprOp::kEq: return ExprOp::kNe;
    case ExprOp::kNe: return ExprOp::kEq;
    case ExprOp::kLt: return ExprOp::kGe;
    case ExprOp::kGe: return ExprOp::kLt;
    case ExprOp::kGt: return ExprOp::kLe;
    case ExprOp::kLe: return ExprOp::kGt;
    default: return std::nullopt;
  }
}

bool opposite_comparisons(const Program& program, ExprId a, ExprId b) {
  const Expression& x = program.expression(a);
  const Expression& y = program.expression(b);
  return opposite_comparison(x.op) == y.op && same_expression(program, x.a, y.a) &&
         same_expression(program, x.b, y.b);
}

bool complementary(const Program& program, ExprId a, ExprId b) {
  return is_negation(program, a, b) || is_negation(program, b, a) || opposite_comparisons(program, a, b);
}

bool disjoint(const Program& program, ExprId a, ExprId b) {
  if (complementary(program, a, b)) return true;
  const Expression& x = program.expression(a);
  const Expression& y = program.expression(b);
  if (x.op != ExprOp::kEq || y.op != ExprOp::kEq || !same_expression(program, x.a, y.a)) return false;
  const Expression& p = program.expression(x.b);
  const Expression& q = program.expression(y.b);
  return p.op == ExprOp::kConstant && q.op == ExprOp::kConstant && p.constant != q.constant;
}

const char* binary_symbol(ExprOp op) {
  switch (op) {
    case ExprOp::kAdd: return "+";
    case ExprOp::kSub: return "-";
    case ExprOp::kMul: return "*";
    case ExprOp::kDiv: return "/";
    case ExprOp::kRem: return "%";
    case ExprOp::kBitAnd: return "&";
    case ExprOp::kBitOr: return "|";
    case ExprOp::kBitXor: return "^";
    case ExprOp::kShl: return "<<";
    case ExprOp::kShr: return ">>";
    case ExprOp::kEq: return "==";
    case ExprOp::kNe: return "!=";
    case ExprOp::kLt: return "<";
    case ExprOp::kLe: return "<=";
    case ExprOp::kGt: return ">";
    case ExprOp::kGe: return ">=";
    case ExprOp::kLogicalAnd: return "&&";
    case ExprOp::kLogicalOr: return "||";
    default: return nullptr;
  }
}

}  // namespace weir
