#include "frontend/c/instructions/intrinsics_bits.hpp"

#include <bit>

namespace weir::c {

namespace {

namespace Intrinsic = llvm::Intrinsic;

constexpr Type kWord{64, false};

class Bits {
 public:
  Bits(FunctionLowering& lowering, const llvm::IntrinsicInst& call)
      : lowering_(lowering), emitter_(lowering.emitter), build_(lowering.build), call_(call) {
    for (const llvm::Use& operand : call.args()) {
      const bool scalar = scalar_type(operand->getType()).has_value();
      operands_.push_back(scalar ? emitter_.in_register(lowering.use(*operand)) : ExprId());
    }
    type_ = build_.type(operands_.front());
  }

  Scalars value() {
    const ExprId a = operands_[0], b = operands_.size() > 1 ? operands_[1] : a;
    switch (call_.getIntrinsicID()) {
      case Intrinsic::abs:
        return {build_.select(signed_less(a, zero()), build_.unary(ExprOp::kNegate, a), a)};
      case Intrinsic::smax: return {build_.select(signed_less(a, b), b, a)};
      case Intrinsic::smin: return {build_.select(signed_less(a, b), a, b)};
      case Intrinsic::umax: return {build_.select(unsigned_less(a, b), b, a)};
      case Intrinsic::umin: return {build_.select(unsigned_less(a, b), a, b)};
      case Intrinsic::scmp: return {three_way(signed_less(a, b), signed_less(b, a))};
      case Intrinsic::ucmp: return {three_way(unsigned_less(a, b), unsigned_less(b, a))};
      case Intrinsic::ctpop: return {as_result(ones(as_word(a)))};
      case Intrinsic::ctlz: return {as_result(leading_zeros(as_word(a)))};
      case Intrinsic::cttz: return {as_result(trailing_zeros(as_word(a)))};
      case Intrinsic::bswap: return {as_result(rearranged(as_word(a), 8))};
      case Intrinsic::bitreverse: return {as_result(rearranged(as_word(a), 1))};
      case Intrinsic::fshl: return {funnel(true)};
      case Intrinsic::fshr: return {funnel(false)};
      case Intrinsic::ptrmask: {
        const ExprId word = lowering_.word_of_pointer(a);
        return {lowering_.pointer_of_word(
            build_.binary(ExprOp::kBitAnd, word, build_.cast(b, build_.type(word))))};
      }
      case Intrinsic::fabs: return {magnitude(a)};
      case Intrinsic::copysign: return {build_.binary(ExprOp::kBitOr, magnitude(a), sign(b))};
      case Intrinsic::fmuladd:
        return {build_.binary(ExprOp::kFloatAdd, build_.binary(ExprOp::kFloatMul, a, b), operands_[2])};
      case Intrinsic::minnum: return {number_if(less_float(a, b), a, b)};
      case Intrinsic::maxnum: return {number_if(less_float(b, a), a, b)};
      case Intrinsic::is_fpclass: return {float_class(static_cast<unsigned>(*build_.number(b)))};
      default: return with_overflow();
    }
  }

 private:
  ExprId zero() { return build_.constant(0, type_); }
  ExprId word(std::uint64_t number) { return build_.constant(static_cast<Value>(number), kWord); }
  ExprId less(ExprId a, ExprId b) { return build_.compare(ExprOp::kLt, a, b); }
  ExprId signed_less(ExprId a, ExprId b) { return less(build_.as_signed(a), build_.as_signed(b)); }
  ExprId unsigned_less(ExprId a, ExprId b) { return less(build_.as_unsigned(a), build_.as_unsigned(b)); }
  ExprId as_word(ExprId a) { return emitter_.in_register(build_.cast(build_.as_unsigned(a), kWord)); }
  ExprId as_result(ExprId a) { return build_.cast(a, *scalar_type(call_.getType())); }
  ExprId masked(ExprId a, std::uint64_t mask) { return build_.binary(ExprOp::kBitAnd, a, word(mask)); }
  ExprId right(ExprId a, unsigned bits) { return build_.binary(ExprOp::kShr, a, word(bits)); }
  ExprId left(ExprId a, unsigned bits) { return build_.binary(ExprOp::kShl, a, word(bits)); }
  ExprId keep(ExprId a) { return emitter_.in_register(a); }

  ExprId three_way(ExprId is_less, ExprId is_greater) {
    const Type type = *scalar_type(call_.getType());
    return build_.select(is_less, build_.constant(-1, type),
                         build_.select(is_greater, build_.constant(1, type), build_.constant(0, type)));
  }

  // Adds neighbours, then pairs of them, and so on.
  ExprId ones(ExprId a) {
    a = keep(build_.binary(ExprOp::kSub, a, masked(right(a, 1), 0x5555'5555'5555'5555)));
    a = keep(build_.binary(ExprOp::kAdd, masked(a, 0x3333'3333'3333'3333),
                           masked(right(a, 2), 0x3333'3333'3333'3333)));
    a = keep(masked(build_.binary(ExprOp::kAdd, a, right(a, 4)), 0x0F0F'0F0F'0F0F'0F0F));
    return right(build_.binary(ExprOp::kMul, a, word(0x0101'0101'0101'0101)), 56);
  }

  ExprId leading_zeros(ExprId a) {
    for (unsigned shift = 1; shift < type_.bits; shift *= 2)
      a = keep(build_.binary(ExprOp::kBitOr, a, right(a, shift)));
    return build_.binary(ExprOp::kSub, word(type_.bits), ones(a));
  }

  // The zeros below the lowest one are the ones of ~a & (a - 1). Of 0, there are as many as bits.
  ExprId trailing_zeros(ExprId a) {
    const ExprId below = build_.binary(ExprOp::kBitAnd, build_.unary(ExprOp::kBitNot, a), build_.plus(a, -1));
    return ones(keep(type_.bits == 64 ? below : masked(below, (std::uint64_t{1} << type_.bits) - 1)));
  }

  // Pieces of so many bits in the opposite order.
  ExprId rearranged(ExprId a, unsigned piece) {
    ExprId result = word(0);
    const std::uint64_t mask = (std::uint64_t{1} << piece) - 1;
    for (unsigned bit = 0; bit < type_.bits; bit += piece) {
      const ExprId moved = left(masked(right(a, bit), mask), type_.bits - piece - bit);
      result = bit == 0 ? moved : keep(build_.binary(ExprOp::kBitOr, result, moved));
    }
    return result;
  }

  ExprId funnel(bool to_left) {
    const Type whole{type_.bits, false};
    const ExprId high = build_.cast(operands_[0], whole), low = build_.cast(operands_[1], whole);
    const ExprId width = build_.constant(type_.bits, whole);
    const ExprId amount = keep(build_.binary(ExprOp::kRem, build_.cast(operands_[2], whole), width));
    const ExprId rest = build_.binary(ExprOp::kSub, width, amount);
    const ExprId upper = build_.binary(ExprOp::kShl, high, to_left ? amount : rest);
    const ExprId lower = build_.binary(ExprOp::kShr, low, to_left ? rest : amount);
    return build_.cast(build_.binary(ExprOp::kBitOr, upper, lower), type_);
  }

  // --- Floating point: on the bits.

  std::uint64_t sign_bit() const { return std::uint64_t{1} << (type_.bits - 1); }
  ExprId number(std::uint64_t value) { return build_.constant(static_cast<Value>(value), type_); }
  ExprId magnitude(ExprId a) { return build_.binary(ExprOp::kBitAnd, a, number(~sign_bit())); }
  ExprId sign(ExprId a) { return build_.binary(ExprOp::kBitAnd, a, number(sign_bit())); }

  ExprId less_float(ExprId a, ExprId b) { return build_.compare(ExprOp::kFloatLt, a, b); }

  // The one of them that is a number; if both are, a if it is the one wanted.
  ExprId number_if(ExprId wanted, ExprId a, ExprId b) {
    return build_.select(build_.either(wanted, build_.compare(ExprOp::kFloatUnordered, b, b)), a, b);
  }

  // The classes of LLVM's is.fpclass, bit by bit.
  ExprId float_class(unsigned classes) {
    const std::uint64_t infinity = type_.bits == 32 ? 0x7F80'0000 : 0x7FF0'0000'0000'0000;
    const std::uint64_t quiet = type_.bits == 32 ? 0x0040'0000 : 0x0008'0000'0000'0000;
    const std::uint64_t normal = type_.bits == 32 ? 0x0080'0000 : 0x0010'0000'0000'0000;
    const ExprId size = keep(magnitude(operands_[0]));
    const ExprId negative = keep(build_.compare(ExprOp::kNe, sign(operands_[0]), zero()));
    const auto within = [&](std::uint64_t low, std::uint64_t high) {
      return build_.both(build_.compare(ExprOp::kGe, size, number(low)),
                         build_.compare(ExprOp::kLe, size, number(high)));
    };
    const std::uint64_t largest = sign_bit() - 1;
    const std::pair<std::uint64_t, std::uint64_t> ranges[] = {{infinity + 1, infinity + quiet - 1},
                                                              {infinity + quiet, largest},
                                                              {infinity, infinity},
                                                              {normal, infinity - 1},
                                                              {1, normal - 1},
                                                              {0, 0}};
    constexpr unsigned kMirrored[] = {0, 0, 9, 8, 7, 6};  // the positive class that belongs to a negative one
    ExprId result = build_.constant(0, kBool);
    for (unsigned bit = 0; bit < 6; ++bit) {
      const bool plain = (classes >> bit & 1) != 0;
      const bool mirrored = bit >= 2 && (classes >> kMirrored[bit] & 1) != 0;
      ExprId here = within(ranges[bit].first, ranges[bit].second);
      if (bit >= 2 && plain && !mirrored) here = build_.both(negative, here);
      if (bit >= 2 && !plain && mirrored) here = build_.both(build_.negation(negative), here);
      if (plain || mirrored) result = build_.either(result, here);
    }
    return result;
  }

  // --- Overflow: in a wider type where there is one.

  struct Sum {
    ExprId value, overflows;
  };

  Scalars with_overflow() {
    const auto* pair = llvm::dyn_cast<llvm::WithOverflowInst>(&call_);
    const auto* saturating = llvm::dyn_cast<llvm::SaturatingInst>(&call_);
    const auto op = pair != nullptr ? pair->getBinaryOp() : saturating->getBinaryOp();
    const bool is_signed = pair != nullptr ? pair->isSigned() : saturating->isSigned();
    const Sum sum = type_.bits <= 32 ? wide(op, is_signed) : full(op, is_signed);
    if (pair != nullptr) return {sum.value, sum.overflows};
    return {build_.select(sum.overflows, limit(op, is_signed), sum.value)};
  }

  static ExprOp expression_op(llvm::Instruction::BinaryOps op) {
    if (op == llvm::Instruction::Add) return ExprOp::kAdd;
    return op == llvm::Instruction::Sub ? ExprOp::kSub : ExprOp::kMul;
  }

  Sum wide(llvm::Instruction::BinaryOps op, bool is_signed) {
    const Type narrow{type_.bits, is_signed}, larger{64, is_signed};
    const auto widened = [&](ExprId a) { return build_.cast(build_.cast(a, narrow), larger); };
    const ExprId exact = keep(build_.binary(expression_op(op), widened(operands_[0]), widened(operands_[1])));
    const ExprId back = build_.cast(build_.cast(exact, narrow), larger);
    return {build_.cast(exact, type_), build_.compare(ExprOp::kNe, back, exact)};
  }

  Sum full(llvm::Instruction::BinaryOps op, bool is_signed) {
    const Type type{type_.bits, is_signed};
    const ExprId a = keep(build_.cast(operands_[0], type)), b = keep(build_.cast(operands_[1], type));
    const ExprId result = keep(build_.binary(expression_op(op), a, b));
    return {build_.cast(result, type_), overflow(op, is_signed, a, b, result)};
  }

  ExprId overflow(llvm::Instruction::BinaryOps op, bool is_signed, ExprId a, ExprId b, ExprId result) {
    const ExprId none = build_.constant(0, build_.type(a));
    const auto differ = [&](ExprId x, ExprId y) { return build_.binary(ExprOp::kBitXor, x, y); };
    const auto both = [&](ExprId x, ExprId y) { return build_.binary(ExprOp::kBitAnd, x, y); };
    if (op == llvm::Instruction::Mul) {
      const ExprId wrong = build_.compare(ExprOp::kNe, build_.binary(ExprOp::kDiv, result, a), b);
      const ExprId nonzero = build_.compare(ExprOp::kNe, a, none);
      if (!is_signed) return build_.both(nonzero, wrong);
      const Type type = build_.type(a);
      const ExprId least = build_.constant(std::numeric_limits<Value>::min() >> (64 - type.bits), type);
      const ExprId special = build_.both(build_.compare(ExprOp::kEq, a, build_.constant(-1, type)),
                                         build_.compare(ExprOp::kEq, b, least));
      return build_.both(nonzero, build_.either(special, wrong));
    }
    if (op == llvm::Instruction::Add)
      return is_signed ? less(both(differ(a, result), differ(b, result)), none) : less(result, a);
    return is_signed ? less(both(differ(a, b), differ(a, result)), none) : less(a, b);
  }

  // What saturating arithmetic gives instead.
  ExprId limit(llvm::Instruction::BinaryOps op, bool is_signed) {
    if (!is_signed) return build_.constant(op == llvm::Instruction::Sub ? 0 : -1, type_);
    const ExprId least = number(sign_bit()), most = number(sign_bit() - 1);
    return build_.select(signed_less(operands_[0], zero()), least, most);
  }

  FunctionLowering& lowering_;
  Emitter& emitter_;
  Expressions& build_;
  const llvm::IntrinsicInst& call_;
  std::vector<ExprId> operands_;
  Type type_;  // of the first operand
};

bool is_float_operation(Intrinsic::ID id) {
  return id == Intrinsic::fabs || id == Intrinsic::copysign || id == Intrinsic::fmuladd ||
         id == Intrinsic::minnum || id == Intrinsic::maxnum || id == Intrinsic::is_fpclass;
}

bool is_integer_operation(Intrinsic::ID id) {
  switch (id) {
    case Intrinsic::abs:
    case Intrinsic::smax:
    case Intrinsic::smin:
    case Intrinsic::umax:
    case Intrinsic::umin:
    case Intrinsic::scmp:
    case Intrinsic::ucmp:
    case Intrinsic::ctpop:
    case Intrinsic::ctlz:
    case Intrinsic::cttz:
    case Intrinsic::bswap:
    case Intrinsic::bitreverse:
    case Intrinsic::fshl:
    case Intrinsic::fshr:
    case Intrinsic::ptrmask: return true;
    default: return false;
  }
}

bool is_saturating(const llvm::IntrinsicInst& call) {
  const Intrinsic::ID id = call.getIntrinsicID();
  return id == Intrinsic::sadd_sat || id == Intrinsic::uadd_sat || id == Intrinsic::ssub_sat ||
         id == Intrinsic::usub_sat;
}

}  // namespace

bool computes_bits(const llvm::IntrinsicInst& call) {
  if (call.arg_size() == 0 || !scalar_type(call.getArgOperand(0)->getType())) return false;
  const Intrinsic::ID id = call.getIntrinsicID();
  return is_integer_operation(id) || is_float_operation(id) || llvm::isa<llvm::WithOverflowInst>(call) ||
         is_saturating(call);
}

Scalars computed_bits(FunctionLowering& lowering, const llvm::IntrinsicInst& call) {
  return Bits(lowering, call).value();
}

}  // namespace weir::c
