#include "frontend/c/instructions/wide_numbers.hpp"

namespace weir::c {

namespace {

constexpr Type kHalfType{64, false};
constexpr Value kHalfBits = 64;

struct Wide {
  ExprId low, high;  // unsigned
};

class WideArithmetic {
 public:
  explicit WideArithmetic(Expressions& build) : build_(build) {}

  Wide from(const Scalars& words) {
    return {build_.cast(words[0], kHalfType), build_.cast(words[1], kHalfType)};
  }
  // As registers hold integers.
  Scalars words(Wide number) { return {build_.as_signed(number.low), build_.as_signed(number.high)}; }

  std::optional<Wide> binary(unsigned opcode, Wide a, Wide b) {
    switch (opcode) {
      case llvm::Instruction::Add: return sum(a, b);
      case llvm::Instruction::Sub: return difference(a, b);
      case llvm::Instruction::Mul: return product(a, b);
      case llvm::Instruction::And: return by_words(ExprOp::kBitAnd, a, b);
      case llvm::Instruction::Or: return by_words(ExprOp::kBitOr, a, b);
      case llvm::Instruction::Xor: return by_words(ExprOp::kBitXor, a, b);
      case llvm::Instruction::Shl: return shifted_left(a, b.low);
      case llvm::Instruction::LShr: return shifted_right(a, b.low, word(0));
      case llvm::Instruction::AShr: return shifted_right(a, b.low, sign(a.high));
      default: return std::nullopt;
    }
  }

  ExprId compare(llvm::CmpInst::Predicate predicate, Wide a, Wide b) {
    using llvm::CmpInst;
    switch (predicate) {
      case CmpInst::ICMP_EQ: return equal(a, b);
      case CmpInst::ICMP_NE: return build_.negation(equal(a, b));
      case CmpInst::ICMP_ULT: return less(a, b, false);
      case CmpInst::ICMP_SLT: return less(a, b, true);
      case CmpInst::ICMP_UGT: return less(b, a, false);
      case CmpInst::ICMP_SGT: return less(b, a, true);
      case CmpInst::ICMP_ULE: return build_.negation(less(b, a, false));
      case CmpInst::ICMP_SLE: return build_.negation(less(b, a, true));
      case CmpInst::ICMP_UGE: return build_.negation(less(a, b, false));
      default: return build_.negation(less(a, b, true));
    }
  }

  ExprId sign(ExprId number) {  // all its bits
    return build_.cast(
        build_.binary(ExprOp::kShr, build_.as_signed(number), build_.constant(kHalfBits - 1, {64, true})),
        kHalfType);
  }
  ExprId word(Value value) { return build_.constant(value, kHalfType); }

  Wide select(ExprId condition, Wide a, Wide b) {
    return {build_.select(condition, a.low, b.low), build_.select(condition, a.high, b.high)};
  }

 private:
  ExprId op(ExprOp operation, ExprId a, ExprId b) { return build_.binary(operation, a, b); }
  ExprId number_of(ExprId condition) { return build_.cast(condition, kHalfType); }

  Wide by_words(ExprOp operation, Wide a, Wide b) {
    return {op(operation, a.low, b.low), op(operation, a.high, b.high)};
  }

  Wide sum(Wide a, Wide b) {
    const ExprId low = op(ExprOp::kAdd, a.low, b.low);
    const ExprId carry = number_of(build_.compare(ExprOp::kLt, low, a.low));
    return {low, op(ExprOp::kAdd, op(ExprOp::kAdd, a.high, b.high), carry)};
  }

  Wide difference(Wide a, Wide b) {
    const ExprId borrow = number_of(build_.compare(ExprOp::kLt, a.low, b.low));
    return {op(ExprOp::kSub, a.low, b.low), op(ExprOp::kSub, op(ExprOp::kSub, a.high, b.high), borrow)};
  }

  // By halves of words, whose products are words.
  Wide product(Wide a, Wide b) {
    const auto lower = [&](ExprId x) { return op(ExprOp::kBitAnd, x, word(0xFFFF'FFFF)); };
    const auto upper = [&](ExprId x) { return op(ExprOp::kShr, x, word(32)); };
    const auto times = [&](ExprId x, ExprId y) { return op(ExprOp::kMul, x, y); };
    const auto plus = [&](ExprId x, ExprId y) { return op(ExprOp::kAdd, x, y); };
    const ExprId first = times(lower(a.low), upper(b.low)), second = times(upper(a.low), lower(b.low));
    const ExprId middle = plus(plus(upper(times(lower(a.low), lower(b.low))), lower(first)), lower(second));
    const ExprId carried =
        plus(plus(plus(times(upper(a.low), upper(b.low)), upper(first)), upper(second)), upper(middle));
    return {times(a.low, b.low), plus(carried, plus(times(a.low, b.high), times(a.high, b.low)))};
  }

  // A shift by 64 or more moves one word into the other; one by 0 moves nothing between them.
  ExprId within_word(ExprId by) { return op(ExprOp::kBitAnd, by, word(kHalfBits - 1)); }
  ExprId crosses(ExprId by) { return build_.compare(ExprOp::kGe, by, word(kHalfBits)); }
  ExprId passed_on(ExprOp operation, ExprId number, ExprId by) {
    const ExprId rest = within_word(op(ExprOp::kSub, word(kHalfBits), by));
    return build_.select(build_.compare(ExprOp::kEq, by, word(0)), word(0), op(operation, number, rest));
  }

  Wide shifted_left(Wide a, ExprId by) {
    const ExprId inner = within_word(by), moved = op(ExprOp::kShl, a.low, inner);
    const ExprId high =
        op(ExprOp::kBitOr, op(ExprOp::kShl, a.high, inner), passed_on(ExprOp::kShr, a.low, inner));
    return select(crosses(by), {word(0), moved}, {moved, high});
  }

  // `above`: what comes from above the high word.
  Wide shifted_right(Wide a, ExprId by, ExprId above) {
    const ExprId inner = within_word(by);
    const ExprId high =
        op(ExprOp::kBitOr, op(ExprOp::kShr, a.high, inner), passed_on(ExprOp::kShl, above, inner));
    const ExprId low =
        op(ExprOp::kBitOr, op(ExprOp::kShr, a.low, inner), passed_on(ExprOp::kShl, a.high, inner));
    return select(crosses(by), {high, above}, {low, high});
  }

  ExprId equal(Wide a, Wide b) {
    return build_.both(build_.compare(ExprOp::kEq, a.low, b.low),
                       build_.compare(ExprOp::kEq, a.high, b.high));
  }

  ExprId less(Wide a, Wide b, bool is_signed) {
    const ExprId low = build_.compare(ExprOp::kLt, a.low, b.low);
    const ExprId same = build_.compare(ExprOp::kEq, a.high, b.high);
    const ExprId high = is_signed
                            ? build_.compare(ExprOp::kLt, build_.as_signed(a.high), build_.as_signed(b.high))
                            : build_.compare(ExprOp::kLt, a.high, b.high);
    return build_.either(high, build_.both(same, low));
  }

  Expressions& build_;
};

class WideLowering {
 public:
  explicit WideLowering(FunctionLowering& lowering)
      : lowering_(lowering), build_(lowering.build), arithmetic_(lowering.build) {}

  bool run(const llvm::Instruction& i) {
    if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&i)) return convert(*cast);
    if (const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&i)) return compare(*comparison);
    if (!is_wide_number(i.getType())) return false;
    if (const auto* choice = llvm::dyn_cast<llvm::SelectInst>(&i)) return choose(*choice);
    if (llvm::isa<llvm::FreezeInst>(i)) return define(i, kept(*i.getOperand(0)));
    if (!llvm::isa<llvm::BinaryOperator>(i)) return false;
    const Wide a = kept(*i.getOperand(0)), b = kept(*i.getOperand(1));
    const auto result = arithmetic_.binary(i.getOpcode(), a, b);
    return result && define(i, *result);
  }

 private:
  // Operands are used several times.
  Wide kept(const llvm::Value& value) {
    Wide number = arithmetic_.from(lowering_.use_all(value));
    number.low = lowering_.emitter.in_register(number.low);
    number.high = lowering_.emitter.in_register(number.high);
    return number;
  }

  bool define(const llvm::Instruction& i, Wide number) {
    lowering_.define(i, arithmetic_.words(number));
    return true;
  }

  bool convert(const llvm::CastInst& cast) {
    const llvm::Value& from = *cast.getOperand(0);
    if (is_wide_number(from.getType()) && scalar_type(cast.getType()) &&
        cast.getOpcode() == llvm::Instruction::Trunc) {
      lowering_.define(cast, build_.cast(kept(from).low, *scalar_type(cast.getType())));
      return true;
    }
    if (!is_wide_number(cast.getType()) || !scalar_type(from.getType())) return false;
    if (cast.getOpcode() == llvm::Instruction::ZExt)
      return define(cast,
                    {build_.cast(build_.as_unsigned(lowering_.use(from)), kHalfType), arithmetic_.word(0)});
    if (cast.getOpcode() != llvm::Instruction::SExt) return false;
    const ExprId low =
        lowering_.emitter.in_register(build_.cast(build_.as_signed(lowering_.use(from)), kHalfType));
    return define(cast, {low, arithmetic_.sign(low)});
  }

  bool compare(const llvm::ICmpInst& comparison) {
    if (!is_wide_number(comparison.getOperand(0)->getType())) return false;
    const Wide a = kept(*comparison.getOperand(0)), b = kept(*comparison.getOperand(1));
    lowering_.define(comparison, arithmetic_.compare(comparison.getPredicate(), a, b));
    return true;
  }

  bool choose(const llvm::SelectInst& choice) {
    if (!scalar_type(choice.getCondition()->getType())) return false;
    const ExprId condition = lowering_.emitter.in_register(lowering_.use(*choice.getCondition()));
    const auto word_of = [&](const llvm::Value& value) { return arithmetic_.from(lowering_.value(value)); };
    return define(choice, arithmetic_.select(condition, word_of(*choice.getTrueValue()),
                                             word_of(*choice.getFalseValue())));
  }

  FunctionLowering& lowering_;
  Expressions& build_;
  WideArithmetic arithmetic_;
};

std::optional<unsigned> opcode_of(llvm::AtomicRMWInst::BinOp operation) {
  switch (operation) {
    case llvm::AtomicRMWInst::Add: return llvm::Instruction::Add;
    case llvm::AtomicRMWInst::Sub: return llvm::Instruction::Sub;
    case llvm::AtomicRMWInst::And: return llvm::Instruction::And;
    case llvm::AtomicRMWInst::Or: return llvm::Instruction::Or;
    case llvm::AtomicRMWInst::Xor: return llvm::Instruction::Xor;
    default: return std::nullopt;
  }
}

}  // namespace

bool is_wide_number(const llvm::Type* type) { return type->isIntegerTy(2 * kHalfBits); }

bool lower_wide_number(FunctionLowering& lowering, const llvm::Instruction& instruction) {
  return WideLowering(lowering).run(instruction);
}

Scalars updated_wide_number(Expressions& build, llvm::AtomicRMWInst::BinOp operation, const Scalars& old,
                            const Scalars& operand) {
  if (operation == llvm::AtomicRMWInst::Xchg) return operand;
  WideArithmetic arithmetic(build);
  const auto opcode = opcode_of(operation);
  if (!opcode) return {};
  return arithmetic.words(*arithmetic.binary(*opcode, arithmetic.from(old), arithmetic.from(operand)));
}

}  // namespace weir::c
