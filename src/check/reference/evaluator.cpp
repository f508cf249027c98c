// The expressions of program.hpp, operator by operator.
#include "check/reference/evaluator.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "check/reference/float.hpp"

namespace weir {

namespace {

std::uint64_t bits_of(Value value) { return static_cast<std::uint64_t>(value); }

Value quotient(Value a, Value b, Type type) {
  if (!type.is_signed) return wrap(bits_of(a) / bits_of(b), type);
  if (b == -1) return wrap(0 - bits_of(a), type);  // the smallest value over -1 overflows in C++
  return wrap(bits_of(a / b), type);
}

Value remainder(Value a, Value b, Type type) {
  if (!type.is_signed) return wrap(bits_of(a) % bits_of(b), type);
  if (b == -1) return 0;
  return wrap(bits_of(a % b), type);
}

Value shifted_left(Value a, Value amount, Type type) {
  if (bits_of(amount) >= type.bits) return 0;
  return wrap(bits_of(a) << amount, type);
}

// Copies of the sign come in from the left where the type is signed.
Value shifted_right(Value a, Value amount, Type type) {
  const bool everything_out = bits_of(amount) >= type.bits;
  if (type.is_signed) return everything_out ? (a < 0 ? -1 : 0) : a >> amount;
  return everything_out ? 0 : wrap(bits_of(a) >> amount, type);
}

bool less(Value a, Value b, Type type) { return type.is_signed ? a < b : bits_of(a) < bits_of(b); }

class Evaluation {
 public:
  Evaluation(const Program& program, const LeafReader& read_leaf)
      : program_(program), read_leaf_(read_leaf) {}

  std::optional<Value> value(ExprId id) const {
    const Expression& expression = program_.expression(id);
    const std::optional<Value> result = unwrapped(expression);
    if (!result) return std::nullopt;
    return wrap(bits_of(*result), expression.type);
  }

 private:
  std::optional<Value> unwrapped(const Expression& e) const {
    switch (e.op) {
      case ExprOp::kConstant: return e.constant;
      case ExprOp::kRegister:
      case ExprOp::kSelf:
      case ExprOp::kFrame:
      case ExprOp::kSharedCell:
      case ExprOp::kThreadRegister: return read_leaf_(e);
      case ExprOp::kLogicalAnd:
      case ExprOp::kLogicalOr: return connective(e);
      case ExprOp::kSelect: return select(e);
      case ExprOp::kNegate:
      case ExprOp::kBitNot:
      case ExprOp::kLogicalNot:
      case ExprOp::kCast:
      case ExprOp::kFloatToInt:
      case ExprOp::kIntToFloat:
      case ExprOp::kFloatToFloat: return unary(e);
      default: return binary(e);
    }
  }

  std::optional<Value> connective(const Expression& e) const {
    const std::optional<Value> a = value(e.a);
    if (!a) return std::nullopt;
    const bool decided_by_a = (*a != 0) == (e.op == ExprOp::kLogicalOr);
    if (decided_by_a) return *a != 0;
    const std::optional<Value> b = value(e.b);
    if (!b) return std::nullopt;
    return *b != 0;
  }

  std::optional<Value> select(const Expression& e) const {
    const std::optional<Value> condition = value(e.a);
    if (!condition) return std::nullopt;
    return value(*condition != 0 ? e.b : e.c);
  }

  std::optional<Value> unary(const Expression& e) const {
    const std::optional<Value> a = value(e.a);
    if (!a) return std::nullopt;
    const Type from = program_.expression(e.a).type;
    switch (e.op) {
      case ExprOp::kNegate: return wrap(0 - bits_of(*a), e.type);
      case ExprOp::kBitNot: return ~*a;
      case ExprOp::kLogicalNot: return *a == 0;
      case ExprOp::kFloatToInt: return float_to_int(*a, from, e.type);
      case ExprOp::kIntToFloat: return int_to_float(*a, from, e.type);
      case ExprOp::kFloatToFloat: return float_to_float(*a, from, e.type);
      default: return *a;
    }
  }

  std::optional<Value> binary(const Expression& e) const {
    const std::optional<Value> a = value(e.a);
    if (!a) return std::nullopt;
    const std::optional<Value> b = value(e.b);
    if (!b) return std::nullopt;
    const Type compared = program_.expression(e.a).type;
    switch (e.op) {
      case ExprOp::kDiv: return *b == 0 ? std::nullopt : std::optional(quotient(*a, *b, e.type));
      case ExprOp::kRem: return *b == 0 ? std::nullopt : std::optional(remainder(*a, *b, e.type));
      case ExprOp::kEq: return *a == *b;
      case ExprOp::kNe: return *a != *b;
      case ExprOp::kLt: return less(*a, *b, compared);
      case ExprOp::kLe: return !less(*b, *a, compared);
      case ExprOp::kGt: return less(*b, *a, compared);
      case ExprOp::kGe: return !less(*a, *b, compared);
      case ExprOp::kFloatAdd:
      case ExprOp::kFloatSub:
      case ExprOp::kFloatMul:
      case ExprOp::kFloatDiv:
      case ExprOp::kFloatRem: return float_arithmetic(e.op, *a, *b, e.type);
      case ExprOp::kFloatEq:
      case ExprOp::kFloatLt:
      case ExprOp::kFloatLe:
      case ExprOp::kFloatUnordered: return float_comparison(e.op, *a, *b, compared);
      default: return arithmetic(e.op, *a, *b, e.type);
    }
  }

  static Value arithmetic(ExprOp op, Value a, Value b, Type type) {
    switch (op) {
      case ExprOp::kAdd: return wrap(bits_of(a) + bits_of(b), type);
      case ExprOp::kSub: return wrap(bits_of(a) - bits_of(b), type);
      case ExprOp::kMul: return wrap(bits_of(a) * bits_of(b), type);
      case ExprOp::kBitAnd: return a & b;
      case ExprOp::kBitOr: return a | b;
      case ExprOp::kBitXor: return a ^ b;
      case ExprOp::kShl: return shifted_left(a, b, type);
      case ExprOp::kShr: return shifted_right(a, b, type);
      default: break;
    }
    WEIR_CHECK(false, "every operator is handled");
    return 0;
  }

  const Program& program_;
  const LeafReader& read_leaf_;
};

}  // namespace

std::optional<Value> evaluate(const Program& program, ExprId id, const LeafReader& read_leaf) {
  return Evaluation(program, read_leaf).value(id);
}

Value modify(RmwOp op, Value old_value, Value operand, Type type) {
  const auto result = [&]() -> std::uint64_t {
    const std::uint64_t a = bits_of(wrap(bits_of(old_value), {type.bits, false}));
    const std::uint64_t b = bits_of(wrap(bits_of(operand), {type.bits, false}));
    const Value signed_a = wrap(a, {type.bits, true});
    const Value signed_b = wrap(b, {type.bits, true});
    switch (op) {
      case RmwOp::kAdd: return a + b;
      case RmwOp::kSub: return a - b;
      case RmwOp::kBitAnd: return a & b;
      case RmwOp::kBitOr: return a | b;
      case RmwOp::kBitXor: return a ^ b;
      case RmwOp::kBitNand: return ~(a & b);
      case RmwOp::kMin: return bits_of(std::min(signed_a, signed_b));
      case RmwOp::kMax: return bits_of(std::max(signed_a, signed_b));
      case RmwOp::kUnsignedMin: return std::min(a, b);
      case RmwOp::kUnsignedMax: return std::max(a, b);
      case RmwOp::kExchange:
      case RmwOp::kCompareExchange: return b;
    }
    WEIR_CHECK(false, "every operation is handled");
    return 0;
  }();
  return wrap(result, type);
}

}  // namespace weir
