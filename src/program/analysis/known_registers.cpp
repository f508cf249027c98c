#include "program/analysis/known_registers.hpp"

namespace weir {

namespace {

std::uint64_t word(Value value) { return static_cast<std::uint64_t>(value); }

std::optional<Value> apply(ExprOp op, Value a, Value b) {
  switch (op) {
    case ExprOp::kAdd: return static_cast<Value>(word(a) + word(b));
    case ExprOp::kSub: return static_cast<Value>(word(a) - word(b));
    case ExprOp::kMul: return static_cast<Value>(word(a) * word(b));
    case ExprOp::kBitAnd: return a & b;
    case ExprOp::kEq: return a == b;
    case ExprOp::kNe: return a != b;
    case ExprOp::kLt: return a < b;
    case ExprOp::kLe: return a <= b;
    case ExprOp::kGt: return a > b;
    case ExprOp::kGe: return a >= b;
    default: return std::nullopt;
  }
}

}  // namespace

KnownRegisters known_registers(const Program& program, const Thread& thread) {
  KnownRegisters known;
  for (std::size_t i = 0; i < program.function(thread.function).parameter_count; ++i)
    known[RegisterId(i)] = thread.arguments.at(i);
  for (const Edge& edge : program.edges)
    if (program.location(edge.source).function == thread.function) known.erase(edge.instruction.result);
  return known;
}

std::optional<Value> constant_value(const Program& program, ExprId id, const KnownRegisters& known) {
  const Expression& e = program.expression(id);
  if (e.type != kInt64) return std::nullopt;
  if (e.op == ExprOp::kConstant) return e.constant;
  if (e.op == ExprOp::kRegister) {
    const auto value = known.find(e.reg);
    return value == known.end() ? std::nullopt : std::optional(value->second);
  }
  if (e.op == ExprOp::kCast) return constant_value(program, e.a, known);
  if (!e.a || !e.b) return std::nullopt;
  const auto a = constant_value(program, e.a, known);
  const auto b = constant_value(program, e.b, known);
  return a && b ? apply(e.op, *a, *b) : std::nullopt;
}

}  // namespace weir
