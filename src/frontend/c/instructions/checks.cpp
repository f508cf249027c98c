#include "frontend/c/instructions/checks.hpp"

#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/KnownBits.h>

#include "frontend/c/lowering/function.hpp"

namespace weir::c {

namespace {

// Is the number, taken as unsigned, surely smaller?
bool surely_below(const llvm::Value& number, std::uint64_t bound, const llvm::DataLayout& data) {
  return llvm::computeKnownBits(&number, data).getMaxValue().ult(bound);
}

void require_shift(FunctionLowering& lowering, const llvm::Instruction& shift) {
  const unsigned bits = shift.getType()->getScalarSizeInBits();
  const llvm::Value& amount = *shift.getOperand(1);
  if (!amount.getType()->isIntegerTy() || surely_below(amount, bits, lowering.data())) return;
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&amount))
    return lowering.emitter.require(
        lowering.build.constant(0, kBool),
        fmt::format("shift by {} of a {}-bit number", constant->getSExtValue(), bits));
  const ExprId by = lowering.build.as_unsigned(lowering.use(amount));
  const ExprId width = lowering.build.constant(bits, lowering.build.type(by));
  lowering.emitter.require(
      lowering.build.compare(ExprOp::kLt, by, width),
      fmt::format("shift by {} or more, or by less than 0, of a {}-bit number", bits, bits));
}

// The least number over -1 would be one more than the largest; the processor traps.
void require_quotient(FunctionLowering& lowering, const llvm::Instruction& division) {
  const llvm::Value& divisor = *division.getOperand(1);
  const unsigned bits = division.getType()->getScalarSizeInBits();
  if (!division.getType()->isIntegerTy() || bits < 32) return;
  const llvm::KnownBits known = llvm::computeKnownBits(&divisor, lowering.data());
  if (known.isNonNegative() || !known.Zero.isZero()) return;  // -1 has all bits set
  Expressions& build = lowering.build;
  const ExprId a = lowering.use(*division.getOperand(0)), b = lowering.use(divisor);
  const Type type = build.type(a);
  const Value least = wrap(std::uint64_t{1} << (bits - 1), {type.bits, true});
  const ExprId overflows = build.both(build.compare(ExprOp::kEq, b, build.constant(-1, type)),
                                      build.compare(ExprOp::kEq, a, build.constant(least, type)));
  lowering.emitter.require(build.negation(overflows),
                           fmt::format("the least {}-bit number is divided by -1", bits));
}

// Its digits behind the point are cut off: so it must lie between the least number minus 1 and the largest
// plus 1, both exclusive. Where there is no floating point number so near, the least number itself is meant.
void require_in_range(FunctionLowering& lowering, const llvm::Instruction& conversion) {
  const llvm::Type& from = *conversion.getOperand(0)->getType();
  if (!(from.isFloatTy() || from.isDoubleTy()) || !conversion.getType()->isIntegerTy()) return;
  const bool is_signed = conversion.getOpcode() == llvm::Instruction::FPToSI;
  const int bits = static_cast<int>(conversion.getType()->getScalarSizeInBits());
  const double least = is_signed ? -std::ldexp(1.0, bits - 1) : 0.0;
  const double end = std::ldexp(1.0, is_signed ? bits - 1 : bits);
  Expressions& build = lowering.build;
  const ExprId number = lowering.use(*conversion.getOperand(0));
  const Type type = build.type(number);
  const auto constant = [&](double value) {
    const std::uint64_t image = from.isFloatTy() ? std::bit_cast<std::uint32_t>(static_cast<float>(value))
                                                 : std::bit_cast<std::uint64_t>(value);
    return build.constant(static_cast<Value>(image), type);
  };
  const double before = from.isFloatTy() ? static_cast<double>(static_cast<float>(least - 1)) : least - 1;
  const ExprId above = before < least ? build.compare(ExprOp::kFloatLt, constant(before), number)
                                      : build.compare(ExprOp::kFloatLe, constant(least), number);
  const ExprId below = build.compare(ExprOp::kFloatLt, number, constant(end));
  lowering.emitter.require(build.both(above, below),
                           fmt::format("a floating point number does not fit into {} bits", bits));
}

bool is_variable(const llvm::Value& value) {
  return llvm::isa<llvm::AllocaInst, llvm::GlobalVariable>(value);
}

// Is the variable as a whole of this type? Its first member has the same address.
bool is_variable_of(const llvm::Value& value, const llvm::Type& type) {
  if (const auto* local = llvm::dyn_cast<llvm::AllocaInst>(&value)) return local->getAllocatedType() == &type;
  const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(&value);
  return global != nullptr && global->getValueType() == &type;
}

// The last member of a structure of which only a pointer is known: programs give it as many elements as they
// need.
bool is_open_end(const llvm::Value& array) {
  const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(&array);
  if (gep == nullptr || gep->getNumIndices() < 2) return false;
  llvm::SmallVector<llvm::Value*> before(gep->idx_begin(), gep->idx_end() - 1);
  const auto* structure = llvm::dyn_cast_or_null<llvm::StructType>(
      llvm::GetElementPtrInst::getIndexedType(gep->getSourceElementType(), before));
  const auto* member = llvm::dyn_cast<llvm::ConstantInt>(*(gep->idx_end() - 1));
  if (structure == nullptr || member == nullptr) return false;
  return member->getZExtValue() + 1 == structure->getNumElements() &&
         !is_variable(*llvm::getUnderlyingObject(gep));
}

void require_index(FunctionLowering& lowering, const llvm::Value& index, std::uint64_t count) {
  const std::string message = fmt::format("an index is outside its array, which has {} elements", count);
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&index)) {
    if (constant->getValue().uge(count)) lowering.emitter.require(lowering.build.constant(0, kBool), message);
    return;
  }
  if (surely_below(index, count, lowering.data())) return;
  const ExprId number = lowering.build.as_unsigned(lowering.use(index));
  lowering.emitter.require(
      lowering.build.compare(ExprOp::kLt, number,
                             lowering.build.constant(static_cast<Value>(count), lowering.build.type(number))),
      message);
}

// Does every step from the pointer to the next one before it keep the alignment?
bool keeps_alignment(const llvm::GEPOperator& gep, std::uint64_t alignment, const llvm::DataLayout& data) {
  llvm::MapVector<llvm::Value*, llvm::APInt> variable;
  llvm::APInt constant(data.getIndexTypeSizeInBits(gep.getType()), 0);
  if (!gep.collectOffset(data, constant.getBitWidth(), variable, constant)) return false;
  if (constant.urem(alignment) != 0) return false;
  return llvm::all_of(variable, [&](const auto& part) {
    const llvm::KnownBits known = llvm::computeKnownBits(part.first, data);
    return (part.second.getZExtValue() << known.countMinTrailingZeros()) % alignment == 0;
  });
}

}  // namespace

void require_defined(FunctionLowering& lowering, const llvm::Instruction& computation) {
  switch (computation.getOpcode()) {
    case llvm::Instruction::Shl:
    case llvm::Instruction::LShr:
    case llvm::Instruction::AShr: return require_shift(lowering, computation);
    case llvm::Instruction::SDiv:
    case llvm::Instruction::SRem: return require_quotient(lowering, computation);
    case llvm::Instruction::FPToSI:
    case llvm::Instruction::FPToUI: return require_in_range(lowering, computation);
    default: return;
  }
}

void require_aligned(FunctionLowering& lowering, const llvm::Value& pointer, std::uint64_t alignment) {
  if (alignment <= 1) return;
  // Pointers that come from elsewhere are what they say they are.
  const llvm::Value* base = &pointer;
  bool odd = false;
  while (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(base)) {
    odd |= !keeps_alignment(*gep, alignment, lowering.data());
    base = gep->getPointerOperand();
  }
  if (!odd) return;
  Expressions& build = lowering.build;
  const ExprId low = build.binary(ExprOp::kBitAnd, lowering.use(pointer), build.address(alignment - 1));
  lowering.emitter.require(
      build.compare(ExprOp::kEq, low, build.address(0)),
      fmt::format("an access through a pointer that is not aligned to {} bytes", alignment));
}

// An array that is a whole variable has its end where the machine sees it.
void require_inside_arrays(FunctionLowering& lowering, const llvm::Value& pointer) {
  for (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(&pointer); gep != nullptr;
       gep = llvm::dyn_cast<llvm::GEPOperator>(gep->getPointerOperand())) {
    const llvm::Value& base = *gep->getPointerOperand();
    llvm::Type* type = gep->getSourceElementType();
    for (unsigned i = 1; i < gep->getNumIndices(); ++i) {
      const llvm::Value& index = *gep->getOperand(i + 1);
      if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
        const bool open = i == 1 && (is_variable_of(base, *type) || is_open_end(base));
        if (!open && array->getNumElements() > 1) require_index(lowering, index, array->getNumElements());
        type = array->getElementType();
      } else if (const auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
        type = structure->getElementType(
            static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(index).getZExtValue()));
      } else {
        break;
      }
    }
  }
}

}  // namespace weir::c
