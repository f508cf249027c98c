#include "machine/evaluate.hpp"

#include "base/error.hpp"

namespace weir {

namespace {

bool less(Value a, Value b, Type type) {
  return type.is_signed ? a < b : static_cast<std::uint64_t>(a) < static_cast<std::uint64_t>(b);
}

Value divide(Value a, Value b, Type type, bool remainder) {
  const auto ua = static_cast<std::uint64_t>(a);
  const auto ub = static_cast<std::uint64_t>(b);
  if (!type.is_signed) return wrap(remainder ? ua % ub : ua / ub, type);
  if (b == -1) return remainder ? 0 : wrap(0 - ua, type);  // the one quotient that overflows
  return wrap(static_cast<std::uint64_t>(remainder ? a % b : a / b), type);
}

Value shift_right(Value a, std::uint64_t amount, Type type) {
  if (amount >= type.bits) return type.is_signed && a < 0 ? -1 : 0;
  return type.is_signed ? a >> amount : static_cast<Value>(static_cast<std::uint64_t>(a) >> amount);
}

}  // namespace

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
  }
  return wrap(b, type);
}

}  // namespace weir
