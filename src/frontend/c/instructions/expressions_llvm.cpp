// LLVM's computing instructions as expressions. Integers are signed in registers (see layout.hpp), so
// whatever takes its operands as unsigned casts them first, and its result back.
#include <llvm/IR/GetElementPtrTypeIterator.h>

#include "frontend/c/instructions/expressions.hpp"
#include "frontend/c/layout/layout.hpp"

namespace weir::c {

namespace {

class Computation {
 public:
  Computation(Expressions& build, Operands operand) : build_(build), operand_(operand) {}

  std::optional<ExprId> of(const llvm::Instruction& i) {
    const auto result = scalar_type(i.getType());
    if (!result) return std::nullopt;
    for (const llvm::Value* value : i.operand_values())
      if (!scalar_type(value->getType())) return std::nullopt;
    if (const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&i)) return binary(*operation);
    if (const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&i)) return compare(*comparison);
    if (const auto* comparison = llvm::dyn_cast<llvm::FCmpInst>(&i)) return compare(*comparison);
    if (const auto* conversion = llvm::dyn_cast<llvm::CastInst>(&i)) return convert(*conversion, *result);
    switch (i.getOpcode()) {
      case llvm::Instruction::Select: return build_.select(value(i, 0), value(i, 1), value(i, 2));
      case llvm::Instruction::Freeze: return value(i, 0);
      case llvm::Instruction::FNeg: return flip_sign(value(i, 0));
      default: return std::nullopt;
    }
  }

 private:
  ExprId value(const llvm::Instruction& i, unsigned k) { return operand_(*i.getOperand(k)); }

  std::optional<ExprId> binary(const llvm::BinaryOperator& i) {
    const ExprId a = value(i, 0), b = value(i, 1);
    switch (i.getOpcode()) {
      case llvm::Instruction::Add: return build_.binary(ExprOp::kAdd, a, b);
      case llvm::Instruction::Sub: return build_.binary(ExprOp::kSub, a, b);
      case llvm::Instruction::Mul: return build_.binary(ExprOp::kMul, a, b);
      case llvm::Instruction::SDiv: return build_.binary(ExprOp::kDiv, a, b);
      case llvm::Instruction::SRem: return build_.binary(ExprOp::kRem, a, b);
      case llvm::Instruction::UDiv: return as_unsigned(ExprOp::kDiv, a, b);
      case llvm::Instruction::URem: return as_unsigned(ExprOp::kRem, a, b);
      case llvm::Instruction::And: return build_.binary(ExprOp::kBitAnd, a, b);
      case llvm::Instruction::Or: return build_.binary(ExprOp::kBitOr, a, b);
      case llvm::Instruction::Xor: return build_.binary(ExprOp::kBitXor, a, b);
      case llvm::Instruction::Shl: return build_.binary(ExprOp::kShl, a, b);
      case llvm::Instruction::AShr: return build_.binary(ExprOp::kShr, a, b);
      case llvm::Instruction::LShr: return as_unsigned(ExprOp::kShr, a, b);
      case llvm::Instruction::FAdd: return build_.binary(ExprOp::kFloatAdd, a, b);
      case llvm::Instruction::FSub: return build_.binary(ExprOp::kFloatSub, a, b);
      case llvm::Instruction::FMul: return build_.binary(ExprOp::kFloatMul, a, b);
      case llvm::Instruction::FDiv: return build_.binary(ExprOp::kFloatDiv, a, b);
      case llvm::Instruction::FRem: return build_.binary(ExprOp::kFloatRem, a, b);
      default: return std::nullopt;
    }
  }

  ExprId as_unsigned(ExprOp op, ExprId a, ExprId b) {
    return build_.cast(build_.binary(op, build_.as_unsigned(a), build_.as_unsigned(b)), build_.type(a));
  }

  ExprId flip_sign(ExprId a) {
    const Type type = build_.type(a);
    const std::uint64_t sign = std::uint64_t{1} << (type.bits - 1);
    return build_.binary(ExprOp::kBitXor, a, build_.constant(static_cast<Value>(sign), type));
  }

  static ExprOp comparison_op(llvm::CmpInst::Predicate predicate) {
    switch (predicate) {
      case llvm::CmpInst::ICMP_EQ: return ExprOp::kEq;
      case llvm::CmpInst::ICMP_NE: return ExprOp::kNe;
      case llvm::CmpInst::ICMP_SLT:
      case llvm::CmpInst::ICMP_ULT: return ExprOp::kLt;
      case llvm::CmpInst::ICMP_SLE:
      case llvm::CmpInst::ICMP_ULE: return ExprOp::kLe;
      case llvm::CmpInst::ICMP_SGT:
      case llvm::CmpInst::ICMP_UGT: return ExprOp::kGt;
      default: return ExprOp::kGe;
    }
  }

  ExprId compare(const llvm::ICmpInst& i) {
    ExprId a = value(i, 0), b = value(i, 1);
    if (i.isUnsigned()) {
      a = build_.as_unsigned(a);
      b = build_.as_unsigned(b);
    } else if (i.isSigned()) {
      a = build_.as_signed(a);
      b = build_.as_signed(b);
    }
    return build_.compare(comparison_op(i.getPredicate()), a, b);
  }

  ExprId compare(const llvm::FCmpInst& i) {
    const ExprId a = value(i, 0), b = value(i, 1);
    const auto equal = [&] { return build_.compare(ExprOp::kFloatEq, a, b); };
    const auto less = [&](ExprId x, ExprId y) { return build_.compare(ExprOp::kFloatLt, x, y); };
    const auto less_or_equal = [&](ExprId x, ExprId y) { return build_.compare(ExprOp::kFloatLe, x, y); };
    const auto unordered = [&] { return build_.compare(ExprOp::kFloatUnordered, a, b); };
    switch (i.getPredicate()) {
      case llvm::CmpInst::FCMP_FALSE: return build_.constant(0, kBool);
      case llvm::CmpInst::FCMP_OEQ: return equal();
      case llvm::CmpInst::FCMP_OGT: return less(b, a);
      case llvm::CmpInst::FCMP_OGE: return less_or_equal(b, a);
      case llvm::CmpInst::FCMP_OLT: return less(a, b);
      case llvm::CmpInst::FCMP_OLE: return less_or_equal(a, b);
      case llvm::CmpInst::FCMP_ONE: return build_.either(less(a, b), less(b, a));
      case llvm::CmpInst::FCMP_ORD: return build_.negation(unordered());
      case llvm::CmpInst::FCMP_UNO: return unordered();
      case llvm::CmpInst::FCMP_UEQ: return build_.either(unordered(), equal());
      case llvm::CmpInst::FCMP_UGT: return build_.negation(less_or_equal(a, b));
      case llvm::CmpInst::FCMP_UGE: return build_.negation(less(a, b));
      case llvm::CmpInst::FCMP_ULT: return build_.negation(less_or_equal(b, a));
      case llvm::CmpInst::FCMP_ULE: return build_.negation(less(b, a));
      case llvm::CmpInst::FCMP_UNE: return build_.negation(equal());
      default: return build_.constant(1, kBool);
    }
  }

  std::optional<ExprId> convert(const llvm::CastInst& i, Type to) {
    const ExprId a = value(i, 0);
    switch (i.getOpcode()) {
      case llvm::Instruction::ZExt: return build_.cast(build_.as_unsigned(a), to);
      case llvm::Instruction::SExt: return build_.cast(build_.as_signed(a), to);
      case llvm::Instruction::Trunc:
      case llvm::Instruction::BitCast: return build_.cast(a, to);
      case llvm::Instruction::FPToSI: return build_.convert(ExprOp::kFloatToInt, a, to);
      case llvm::Instruction::FPToUI:
        return build_.cast(build_.convert(ExprOp::kFloatToInt, a, {to.bits, false}), to);
      case llvm::Instruction::SIToFP: return build_.convert(ExprOp::kIntToFloat, build_.as_signed(a), to);
      case llvm::Instruction::UIToFP: return build_.convert(ExprOp::kIntToFloat, build_.as_unsigned(a), to);
      case llvm::Instruction::FPTrunc:
      case llvm::Instruction::FPExt: return build_.convert(ExprOp::kFloatToFloat, a, to);
      default: return std::nullopt;
    }
  }

  Expressions& build_;
  Operands operand_;
};

}  // namespace

std::optional<ExprId> computed_value(const llvm::Instruction& instruction, Expressions& build,
                                     Operands operand) {
  return Computation(build, operand).of(instruction);
}

ExprId element_address(const llvm::GEPOperator& gep, const llvm::DataLayout& data, Expressions& build,
                       Operands operand) {
  ExprId address = operand(*gep.getPointerOperand());
  std::uint64_t offset = 0;  // wraps around, as addresses do
  for (auto step = llvm::gep_type_begin(gep); step != llvm::gep_type_end(gep); ++step) {
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(step.getOperand());
    if (llvm::StructType* structure = step.getStructTypeOrNull()) {
      const auto field = static_cast<unsigned>(constant->getZExtValue());
      offset += data.getStructLayout(structure)->getElementOffset(field).getFixedValue();
      continue;
    }
    const std::uint64_t stride = step.getSequentialElementStride(data).getFixedValue();
    if (constant != nullptr) {
      offset += constant->getValue().sextOrTrunc(kAddress.bits).getZExtValue() * stride;
      continue;
    }
    const ExprId index = build.cast(build.as_signed(operand(*step.getOperand())), kAddress);
    address = build.binary(ExprOp::kAdd, address, build.binary(ExprOp::kMul, index, build.address(stride)));
  }
  return build.plus(address, static_cast<Value>(offset));
}

bool may_fail(const llvm::Instruction& instruction) {
  switch (instruction.getOpcode()) {
    case llvm::Instruction::SDiv:
    case llvm::Instruction::UDiv:
    case llvm::Instruction::SRem:
    case llvm::Instruction::URem: {
      const auto* divisor = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
      return divisor == nullptr || divisor->isZero();
    }
    default: return false;
  }
}

}  // namespace weir::c
