// Evaluation of expressions over an environment that knows the leaves. The environment is a template
// parameter, so that threads (registers) and invariants (shared cells and registers of all threads) share one
// evaluator.
#pragma once

#include "program/program.hpp"

namespace weir {

// The result of a strict binary operator in `type`; nothing for a division by zero.
std::optional<Value> apply_binary(ExprOp op, Value a, Value b, Type operand_type, Type type);

Value apply_rmw(RmwOp op, Value old, Value operand, Type type);

// `Environment` provides `Value leaf(const Expression&)` for every operator without operands but constants.
// Nothing is returned if the evaluation divides by zero.
template <class Environment>
std::optional<Value> evaluate(const Program& program, ExprId id, const Environment& environment) {
  const Expression& e = program.expression(id);
  switch (e.op) {
    case ExprOp::kConstant: return e.constant;
    case ExprOp::kRegister:
    case ExprOp::kSharedCell:
    case ExprOp::kThreadRegister: return environment.leaf(e);
    default: break;
  }
  const std::optional<Value> a = evaluate(program, e.a, environment);
  if (!a) return std::nullopt;
  switch (e.op) {
    case ExprOp::kNegate: return wrap(0 - static_cast<std::uint64_t>(*a), e.type);
    case ExprOp::kBitNot: return wrap(~static_cast<std::uint64_t>(*a), e.type);
    case ExprOp::kLogicalNot: return wrap(*a == 0, e.type);
    case ExprOp::kCast: return wrap(static_cast<std::uint64_t>(*a), e.type);
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
