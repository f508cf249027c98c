// The operators of C++ on float and double, which are what docs/semantics.md means.
#include "check/reference/float.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "base/error.hpp"

namespace weir {

namespace {

static_assert(std::numeric_limits<float>::is_iec559 && sizeof(float) == 4);
static_assert(std::numeric_limits<double>::is_iec559 && sizeof(double) == 8);

constexpr std::uint32_t kNoNumber32 = 0xFFC0'0000;
constexpr std::uint64_t kNoNumber64 = 0xFFF8'0000'0000'0000;

bool is_single(Type type) { return type.bits == 32; }

float single(Value bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }

// Every single is a double, so reading one as the other changes nothing.
double number(Value bits, Type type) {
  return is_single(type) ? double{single(bits)} : std::bit_cast<double>(bits);
}

Value bits_of(float value) {
  return static_cast<Value>(std::isnan(value) ? kNoNumber32 : std::bit_cast<std::uint32_t>(value));
}

Value bits_of(double value) {
  return static_cast<Value>(std::isnan(value) ? kNoNumber64 : std::bit_cast<std::uint64_t>(value));
}

template <class Float>
Float computed(ExprOp op, Float a, Float b) {
  switch (op) {
    case ExprOp::kFloatAdd: return a + b;
    case ExprOp::kFloatSub: return a - b;
    case ExprOp::kFloatMul: return a * b;
    case ExprOp::kFloatDiv: return a / b;
    case ExprOp::kFloatRem: return std::fmod(a, b);
    default: break;
  }
  WEIR_CHECK(false, "every operator is handled");
  return a;
}

// Is there a value of the type that is this whole number?
bool fits(double whole, Type type) {
  const double end = std::ldexp(1.0, type.is_signed ? type.bits - 1 : type.bits);
  return whole < end && whole >= (type.is_signed ? -end : 0.0);  // false if it is no number
}

}  // namespace

Value float_arithmetic(ExprOp op, Value a, Value b, Type type) {
  if (is_single(type)) return bits_of(computed(op, single(a), single(b)));
  return bits_of(computed(op, number(a, type), number(b, type)));
}

bool float_comparison(ExprOp op, Value a, Value b, Type type) {
  const double left = number(a, type);
  const double right = number(b, type);
  switch (op) {
    case ExprOp::kFloatEq: return left == right;
    case ExprOp::kFloatLt: return left < right;
    case ExprOp::kFloatLe: return left <= right;
    case ExprOp::kFloatUnordered: return std::isnan(left) || std::isnan(right);
    default: break;
  }
  WEIR_CHECK(false, "every comparison is handled");
  return false;
}

Value float_to_int(Value a, Type from, Type to) {
  const double whole = std::trunc(number(a, from));
  if (!fits(whole, to)) return wrap(std::uint64_t{1} << 63, to);
  return to.is_signed ? static_cast<Value>(whole) : static_cast<Value>(static_cast<std::uint64_t>(whole));
}

// Straight to the type wanted: by way of a double it would be rounded twice.
Value int_to_float(Value a, Type from, Type to) {
  const auto word = static_cast<std::uint64_t>(a);
  if (is_single(to)) return bits_of(from.is_signed ? static_cast<float>(a) : static_cast<float>(word));
  return bits_of(from.is_signed ? static_cast<double>(a) : static_cast<double>(word));
}

Value float_to_float(Value a, Type from, Type to) {
  const double value = number(a, from);
  return is_single(to) ? bits_of(static_cast<float>(value)) : bits_of(value);
}

}  // namespace weir
