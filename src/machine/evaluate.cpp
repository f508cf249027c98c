#include "machine/evaluate.hpp"

#include <bit>
#include <cmath>

#include "base/error.hpp"

namespace weir {

namespace {

Value divide(Value a, Value b, Type type, bool remainder) {
  const auto ua = static_cast<std::uint64_t>(a);
  const auto ub = static_cast<std::uint64_t>(b);
  if (!type.is_signed) return wrap(remainder ? ua % ub : ua / ub, type);
  if (b == -1) return remainder ? 0 : wrap(0 - ua, type);  // the one quotient that overflows
  return wrap(static_cast<std::uint64_t>(remainder ? a % b : a / b), type);
}

// The lesser or greater of two numbers compared in type `as`.
Value extremum(Value a, Value b, Type as, bool least, Type type) {
  const bool first_less =
      less(wrap(static_cast<std::uint64_t>(a), as), wrap(static_cast<std::uint64_t>(b), as), as);
  return wrap(static_cast<std::uint64_t>(first_less == least ? a : b), type);
}

// Whatever is no number has the same bits, those that x86 gives to the result of an invalid operation.
Value bits_of(float number) {
  return static_cast<Value>(std::isnan(number) ? 0xFFC0'0000 : std::bit_cast<std::uint32_t>(number));
}

Value bits_of(double number) {
  return static_cast<Value>(std::isnan(number) ? 0xFFF8'0000'0000'0000
                                               : std::bit_cast<std::uint64_t>(number));
}

// `compute(a, b)` in the format that the width names, as bits.
template <class Compute>
Value in_float(Value a, Value b, Type type, Compute compute) {
  if (type.bits == 32)
    return bits_of(compute(std::bit_cast<float>(static_cast<std::uint32_t>(a)),
                           std::bit_cast<float>(static_cast<std::uint32_t>(b))));
  return bits_of(compute(std::bit_cast<double>(a), std::bit_cast<double>(b)));
}

// Every float is a double, exactly.
double number(Value bits, Type type) {
  return type.bits == 32 ? std::bit_cast<float>(static_cast<std::uint32_t>(bits))
                         : std::bit_cast<double>(bits);
}

Value to_integer(double value, Type type) {
  const int magnitude_bits = type.is_signed ? type.bits - 1 : type.bits;
  const double limit = std::ldexp(1.0, magnitude_bits);
  const double truncated = std::trunc(value);
  const bool fits = truncated < limit && truncated >= (type.is_signed ? -limit : 0.0);
  if (!fits) return wrap(std::uint64_t{1} << 63, type);  // also what is no number
  return type.is_signed ? static_cast<Value>(truncated)
                        : static_cast<Value>(static_cast<std::uint64_t>(truncated));
}

Value to_float(Value a, Type from, Type type) {
  const bool negative_possible = from.is_signed;
  if (type.bits == 32)
    return bits_of(negative_possible ? static_cast<float>(a)
                                     : static_cast<float>(static_cast<std::uint64_t>(a)));
  return bits_of(negative_possible ? static_cast<double>(a)
                                   : static_cast<double>(static_cast<std::uint64_t>(a)));
}

}  // namespace

Value apply_unary(ExprOp op, Value a, Type operand_type, Type type) {
  switch (op) {
    case ExprOp::kNegate: return wrap(0 - static_cast<std::uint64_t>(a), type);
    case ExprOp::kBitNot: return wrap(~static_cast<std::uint64_t>(a), type);
    case ExprOp::kLogicalNot: return wrap(a == 0, type);
    case ExprOp::kCast: return wrap(static_cast<std::uint64_t>(a), type);
    case ExprOp::kFloatToInt: return to_integer(number(a, operand_type), type);
    case ExprOp::kIntToFloat: return to_float(a, operand_type, type);
    case ExprOp::kFloatToFloat: {
      if (operand_type == type) return a;
      const double value = number(a, operand_type);
      return type.bits == 32 ? bits_of(static_cast<float>(value)) : bits_of(value);
    }
    default: break;
  }
  invariant_broken("op", "not a unary operator", __FILE__, __LINE__);
}

std::optional<Value> apply_binary(ExprOp op, Value a, Value b, Type operand_type, Type type) {
  const auto ua = static_cast<std::uint64_t>(a);
  const auto ub = static_cast<std::uint64_t>(b);
  switch (op) {
    case ExprOp::kAdd: return wrap(ua + ub, type);
    case ExprOp::kSub: return wrap(ua - ub, type);
    case ExprOp::kMul: return wrap(ua * ub, type);
    case ExprOp::kDiv:
    case ExprOp::kRem:
      if (b == 0) return std::nullopt;
      return divide(a, b, type, op == ExprOp::kRem);
    case ExprOp::kBitAnd: return wrap(ua & ub, type);
    case ExprOp::kBitOr: return wrap(ua | ub, type);
    case ExprOp::kBitXor: return wrap(ua ^ ub, type);
    case ExprOp::kShl: return ub >= type.bits ? 0 : wrap(ua << ub, type);
    case ExprOp::kShr: return wrap(static_cast<std::uint64_t>(shift_right(a, ub, type)), type);
    case ExprOp::kEq: return wrap(a == b, type);
    case ExprOp::kNe: return wrap(a != b, type);
    case ExprOp::kLt: return wrap(less(a, b, operand_type), type);
    case ExprOp::kLe: return wrap(!less(b, a, operand_type), type);
    case ExprOp::kGt: return wrap(less(b, a, operand_type), type);
    case ExprOp::kGe: return wrap(!less(a, b, operand_type), type);
    case ExprOp::kFloatAdd: return in_float(a, b, type, [](auto x, auto y) { return x + y; });
    case ExprOp::kFloatSub: return in_float(a, b, type, [](auto x, auto y) { return x - y; });
    case ExprOp::kFloatMul: return in_float(a, b, type, [](auto x, auto y) { return x * y; });
    case ExprOp::kFloatDiv: return in_float(a, b, type, [](auto x, auto y) { return x / y; });
    case ExprOp::kFloatRem: return in_float(a, b, type, [](auto x, auto y) { return std::fmod(x, y); });
    case ExprOp::kFloatEq: return wrap(number(a, operand_type) == number(b, operand_type), type);
    case ExprOp::kFloatLt: return wrap(number(a, operand_type) < number(b, operand_type), type);
    case ExprOp::kFloatLe: return wrap(number(a, operand_type) <= number(b, operand_type), type);
    case ExprOp::kFloatUnordered:
      return wrap(std::isunordered(number(a, operand_type), number(b, operand_type)), type);
    default: break;
  }
  invariant_broken("op", "not a strict binary operator", __FILE__, __LINE__);
}

Value apply_rmw(RmwOp op, Value old, Value operand, Type type) {
  const auto a = static_cast<std::uint64_t>(old);
  const auto b = static_cast<std::uint64_t>(operand);
  switch (op) {
    case RmwOp::kExchange:
    case RmwOp::kCompareExchange: return wrap(b, type);
    case RmwOp::kAdd: return wrap(a + b, type);
    case RmwOp::kSub: return wrap(a - b, type);
    case RmwOp::kBitAnd: return wrap(a & b, type);
    case RmwOp::kBitOr: return wrap(a | b, type);
    case RmwOp::kBitXor: return wrap(a ^ b, type);
    case RmwOp::kBitNand: return wrap(~(a & b), type);
    case RmwOp::kMin:
    case RmwOp::kMax: return extremum(old, operand, {type.bits, true}, op == RmwOp::kMin, type);
    case RmwOp::kUnsignedMin:
    case RmwOp::kUnsignedMax:
      return extremum(old, operand, {type.bits, false}, op == RmwOp::kUnsignedMin, type);
  }
  return wrap(b, type);
}

}  // namespace weir
