#include "frontend/c/instructions/expressions.hpp"

#include <limits>

#include "program/expressions.hpp"

namespace weir::c {

namespace {

bool preserves_values(Type from, Type to) { return to.bits > from.bits && (to.is_signed || !from.is_signed); }

bool is_commutative(ExprOp op) {
  return op == ExprOp::kAdd || op == ExprOp::kMul || op == ExprOp::kBitAnd || op == ExprOp::kBitOr ||
         op == ExprOp::kBitXor;
}

std::uint64_t shifted(ExprOp op, Value a, std::uint64_t amount, Type type) {
  const bool all_out = amount >= type.bits;
  if (op == ExprOp::kShl) return all_out ? 0 : static_cast<std::uint64_t>(a) << amount;
  if (type.is_signed) return static_cast<std::uint64_t>(a >> (all_out ? 63 : amount));
  return all_out ? 0 : static_cast<std::uint64_t>(a) >> amount;
}

std::optional<std::uint64_t> computed(ExprOp op, Value a, Value b, Type type) {
  const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
  switch (op) {
    case ExprOp::kAdd: return x + y;
    case ExprOp::kSub: return x - y;
    case ExprOp::kMul: return x * y;
    case ExprOp::kBitAnd: return x & y;
    case ExprOp::kBitOr: return x | y;
    case ExprOp::kBitXor: return x ^ y;
    case ExprOp::kShl:
    case ExprOp::kShr: return shifted(op, a, static_cast<std::uint64_t>(wrap(y, {type.bits, false})), type);
    default: return std::nullopt;
  }
}

std::optional<bool> compared(ExprOp op, Value a, Value b, Type type) {
  const bool less = type.is_signed ? a < b : static_cast<std::uint64_t>(a) < static_cast<std::uint64_t>(b);
  switch (op) {
    case ExprOp::kEq: return a == b;
    case ExprOp::kNe: return a != b;
    case ExprOp::kLt: return less;
    case ExprOp::kGe: return !less;
    case ExprOp::kLe: return less || a == b;
    case ExprOp::kGt: return !less && a != b;
    default: return std::nullopt;
  }
}

}  // namespace

ExprId Expressions::constant(Value value, Type type) {
  return program_.constant(wrap(static_cast<std::uint64_t>(value), type), type);
}

ExprId Expressions::frame(std::uint64_t offset) {
  return program_.add_expression(
      {.op = ExprOp::kFrame, .type = kAddress, .constant = static_cast<Value>(offset)});
}

std::optional<Value> Expressions::number(ExprId id) const {
  const Expression& e = program_.expression(id);
  return e.op == ExprOp::kConstant ? std::optional(e.constant) : std::nullopt;
}

bool Expressions::is_leaf(ExprId id) const {
  const ExprOp op = program_.expression(id).op;
  return op == ExprOp::kConstant || op == ExprOp::kRegister || op == ExprOp::kSelf || op == ExprOp::kFrame;
}

std::size_t Expressions::size(ExprId id) const {
  constexpr std::size_t kEnough = 100;
  std::vector<ExprId> pending{id};
  std::size_t count = 0;
  while (!pending.empty() && count < kEnough) {
    const ExprId next = pending.back();
    pending.pop_back();
    if (!next) continue;
    ++count;
    const Expression& e = program_.expression(next);
    pending.insert(pending.end(), {e.a, e.b, e.c});
  }
  return count;
}

ExprId Expressions::cast(ExprId a, Type to) {
  const Expression e = program_.expression(a);
  if (e.type == to) return a;
  if (e.op == ExprOp::kConstant) return constant(e.constant, to);
  if (e.op == ExprOp::kCast) {
    const Type from = type(e.a);
    if (e.type.bits >= to.bits || preserves_values(from, e.type)) return cast(e.a, to);
  }
  return program_.unary(ExprOp::kCast, a, to);
}

ExprId Expressions::as_unsigned(ExprId a) { return cast(a, {type(a).bits, false}); }

ExprId Expressions::as_signed(ExprId a) { return cast(a, {type(a).bits, true}); }

ExprId Expressions::unary(ExprOp op, ExprId a) {
  if (const auto value = number(a); value && op == ExprOp::kNegate)
    return constant(static_cast<Value>(-static_cast<std::uint64_t>(*value)), type(a));
  return program_.unary(op, a, type(a));
}

std::optional<ExprId> Expressions::folded(ExprOp op, ExprId a, ExprId b, Type of) {
  const auto x = number(a), y = number(b);
  if (x && y) {
    const auto result = computed(op, *x, *y, of);
    return result ? std::optional(constant(static_cast<Value>(*result), of)) : std::nullopt;
  }
  if (!y) return std::nullopt;
  const Expression left = program_.expression(a);
  if (op == ExprOp::kAdd && left.op == ExprOp::kFrame && *y > -kMostPrivateBytes && *y < kMostPrivateBytes)
    if (const Value sum = left.constant + *y; sum >= 0 && sum < kMostPrivateBytes)
      return frame(static_cast<std::uint64_t>(sum));
  const bool keeps_left =
      (*y == 0 && (op == ExprOp::kAdd || op == ExprOp::kSub || op == ExprOp::kShl || op == ExprOp::kShr ||
                   op == ExprOp::kBitOr || op == ExprOp::kBitXor)) ||
      (*y == 1 && op == ExprOp::kMul && of.bits > 1);
  if (keeps_left) return a;
  if (op == ExprOp::kAdd && left.op == ExprOp::kAdd)
    if (const auto z = number(left.b))
      return binary(op, left.a,
                    constant(wrap(static_cast<std::uint64_t>(*y) + static_cast<std::uint64_t>(*z), of), of));
  return std::nullopt;
}

ExprId Expressions::binary(ExprOp op, ExprId a, ExprId b) {
  const Type of = type(a);
  if (is_commutative(op) && number(a) && !number(b)) std::swap(a, b);  // constants stand on the right
  if (const auto result = folded(op, a, b, of)) return *result;
  if (op == ExprOp::kBitXor && of == kBool && number(b) == 1) return negation(a);
  return program_.binary(op, a, b, of);
}

ExprId Expressions::plus(ExprId a, Value offset) {
  return binary(ExprOp::kAdd, a, constant(offset, type(a)));
}

ExprId Expressions::without_extensions(ExprId id) const {
  while (true) {
    const Expression& e = program_.expression(id);
    if (e.op != ExprOp::kCast || !preserves_values(type(e.a), e.type)) return id;
    id = e.a;
  }
}

ExprId Expressions::compare(ExprOp op, ExprId a, ExprId b) {
  const auto x = number(a), y = number(b);
  if (x && y)
    if (const auto result = compared(op, *x, *y, type(a))) return constant(*result ? 1 : 0, kBool);
  if (y && (op == ExprOp::kEq || op == ExprOp::kNe)) {
    const ExprId narrow = without_extensions(a);
    const Type of = type(narrow);
    if (of == kBool && (*y == 0 || *y == 1))
      return (*y == 1) == (op == ExprOp::kEq) ? narrow : negation(narrow);
    if (narrow != a && wrap(static_cast<std::uint64_t>(*y), of) == *y)
      return program_.binary(op, narrow, constant(*y, of), kBool);
  }
  return program_.binary(op, a, b, kBool);
}

ExprId Expressions::negation(ExprId a) {
  const Expression e = program_.expression(a);
  if (e.op == ExprOp::kConstant) return constant(e.constant == 0 ? 1 : 0, kBool);
  if (const auto other = opposite_comparison(e.op)) return program_.binary(*other, e.a, e.b, kBool);
  if (e.op == ExprOp::kLogicalNot && type(e.a) == kBool) return e.a;
  return program_.unary(ExprOp::kLogicalNot, a, kBool);
}

ExprId Expressions::both(ExprId a, ExprId b) {
  if (const auto x = number(a)) return *x == 0 ? a : b;
  return program_.binary(ExprOp::kLogicalAnd, a, b, kBool);
}

ExprId Expressions::either(ExprId a, ExprId b) {
  if (const auto x = number(a)) return *x != 0 ? a : b;
  return program_.binary(ExprOp::kLogicalOr, a, b, kBool);
}

ExprId Expressions::select(ExprId condition, ExprId a, ExprId b) {
  if (const auto known = number(condition)) return *known != 0 ? a : b;
  return program_.add_expression({.op = ExprOp::kSelect, .type = type(a), .a = condition, .b = a, .c = b});
}

ExprId Expressions::convert(ExprOp op, ExprId a, Type to) { return program_.unary(op, a, to); }

}  // namespace weir::c
