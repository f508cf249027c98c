// What operators compute, and evaluation of expressions node by node, over an environment that knows the
// leaves: for invariants and reports. Threads evaluate by `Code`.
#pragma once

#include "program/program.hpp"

namespace weir {

// The result of a strict binary operator in `type`; nothing for a division by zero.
std::optional<Value> apply_binary(ExprOp op, Value a, Value b, Type operand_type, Type type);

// The result of an operator with one operand.
Value apply_unary(ExprOp op, Value a, Type operand_type, Type type);

inline bool less(Value a, Value b, Type type) {
  return type.is_signed ? a < b : static_cast<std::uint64_t>(a) < static_cast<std::uint64_t>(b);
}

inline Value shift_right(Value a, std::uint64_t amount, Type type) {
  if (amount >= type.bits) return type.is_signed && a < 0 ? -1 : 0;
  return type.is_signed ? a >> amount : static_cast<Value>(static_cast<std::uint64_t>(a) >> amount);
}

Value apply_rmw(RmwOp op, Value old, Value operand, Type type);

// `Environment` provides `Value leaf(const Expression&)` for every operator without operands but constants.
// Nothing is returned if the evaluation divides by zero.
template <class Environment>
std::optional<Value> evaluate(const Program& program, ExprId id, const Environment& environment) {
  const Expression& e = program.expression(id);
  switch (e.op) {
    case ExprOp::kConstant: return e.constant;
    case ExprOp::kRegister:
    case ExprOp::kSelf:
    case ExprOp::kFrame:
    case ExprOp::kSharedCell:
    case ExprOp::kThreadRegister: return environment.leaf(e);
    default: break;
  }
  const std::optional<Value> a = evaluate(program, e.a, environment);
  if (!a) return std::nullopt;
  switch (e.op) {
    case ExprOp::kNegate:
    case ExprOp::kBitNot:
    case ExprOp::kLogicalNot:
    case ExprOp::kCast:
    case ExprOp::kFloatToInt:
    case ExprOp::kIntToFloat:
    case ExprOp::kFloatToFloat: return apply_unary(e.op, *a, program.expression(e.a).type, e.type);
    case ExprOp::kSelect: return evaluate(program, *a != 0 ? e.b : e.c, environment);
    case ExprOp::kLogicalAnd:
    case ExprOp::kLogicalOr: {
      if ((*a != 0) == (e.op == ExprOp::kLogicalOr)) return wrap(*a != 0, e.type);
      const std::optional<Value> b = evaluate(program, e.b, environment);
      if (!b) return std::nullopt;
      return wrap(*b != 0, e.type);
    }
    default: break;
  }
  const std::optional<Value> b = evaluate(program, e.b, environment);
  if (!b) return std::nullopt;
  return apply_binary(e.op, *a, *b, program.expression(e.a).type, e.type);
}

}  // namespace weir
