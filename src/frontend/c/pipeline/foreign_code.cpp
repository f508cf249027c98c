#include "frontend/c/pipeline/foreign_code.hpp"

#include <fmt/format.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/MathExtras.h>

namespace weir::c {

namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40;

// What is wrong with the type wherever it occurs; nothing if it is a usual one.
std::optional<std::string> problem_of(const llvm::Type* type) {
  if (llvm::isa<llvm::ScalableVectorType>(type)) return "scalable vectors";
  if (type->isPointerTy() && type->getPointerAddressSpace() != 0)
    return fmt::format("the address space {}", type->getPointerAddressSpace());
  for (const llvm::Type* part : type->subtypes())
    if (auto problem = problem_of(part)) return problem;
  return std::nullopt;
}

// Vectors whose elements are not whole bytes have these side by side, bit by bit.
bool has_packed_vector(llvm::Type* type, const llvm::DataLayout& data) {
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    return data.getTypeSizeInBits(vector->getElementType()) !=
           data.getTypeAllocSizeInBits(vector->getElementType());
  return llvm::any_of(type->subtypes(), [&](llvm::Type* part) { return has_packed_vector(part, data); });
}

// LLVM computes sizes modulo 2^64; this stops at the largest number.
std::uint64_t bytes_of(llvm::Type* type, const llvm::DataLayout& data) {
  if (!type->isSized()) return 0;
  if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type))
    return llvm::SaturatingMultiply(bytes_of(array->getElementType(), data), array->getNumElements());
  const auto* structure = llvm::dyn_cast<llvm::StructType>(type);
  if (structure == nullptr) return data.getTypeAllocSize(type);
  std::uint64_t sum = 0;
  for (llvm::Type* part : structure->elements()) sum = llvm::SaturatingAdd(sum, bytes_of(part, data));
  return sum > kMostBytes ? sum : data.getTypeAllocSize(type).getFixedValue();
}

std::optional<std::string> problem_in_memory(llvm::Type* type, const llvm::DataLayout& data) {
  if (auto problem = problem_of(type)) return problem;
  if (bytes_of(type, data) > kMostBytes) return "more than 2^40 bytes of memory";
  if (has_packed_vector(type, data)) return "vectors of elements that are not whole bytes";
  return std::nullopt;
}

// The type of the memory that the instruction talks about; null if it does not.
llvm::Type* memory_type(const llvm::Instruction& instruction) {
  if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
    return variable->getAllocatedType();
  if (const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
    return gep->getSourceElementType();
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return load->getType();
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return store->getValueOperand()->getType();
  return nullptr;
}

bool is_too_large(const llvm::AllocaInst& variable, const llvm::DataLayout& data) {
  const auto* count = llvm::dyn_cast<llvm::ConstantInt>(variable.getArraySize());
  return count != nullptr && llvm::SaturatingMultiply(bytes_of(variable.getAllocatedType(), data),
                                                      count->getValue().getLimitedValue()) > kMostBytes;
}

bool passes_on_arguments(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call != nullptr && call->isMustTailCall() && call->getFunction()->isVarArg();
}

// Makes the frame of a function known to others, so that it cannot be inlined.
bool shows_frame(const llvm::Instruction& instruction) {
  const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return intrinsic != nullptr && (intrinsic->getIntrinsicID() == llvm::Intrinsic::localescape ||
                                  intrinsic->getIntrinsicID() == llvm::Intrinsic::localrecover);
}

std::optional<std::string> problem_of(const llvm::Instruction& instruction, const llvm::DataLayout& data) {
  if (auto problem = problem_of(instruction.getType())) return problem;
  if (llvm::Type* type = memory_type(instruction))
    if (auto problem = problem_in_memory(type, data)) return problem;
  for (const llvm::Use& operand : instruction.operands()) {
    if (auto problem = problem_of(operand->getType())) return problem;
    const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(operand.get());
    if (gep == nullptr) continue;
    if (auto problem = problem_in_memory(gep->getSourceElementType(), data)) return problem;
  }
  if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
    if (is_too_large(*variable, data)) return "more than 2^40 bytes of memory";
  if (passes_on_arguments(instruction)) return "the variable arguments of its caller (musttail)";
  if (shows_frame(instruction)) return "the variables of another function (localescape)";
  return std::nullopt;
}

ForeignCode unsupported(const char* kind, const llvm::Value& user, const std::string& what,
                        const llvm::Value& where) {
  return {fmt::format("the {} `{}` uses {}: that is not supported", kind, user.getName().str(), what),
          &where};
}

std::optional<ForeignCode> problem_of(const llvm::Function& function, const llvm::DataLayout& data) {
  if (auto problem = problem_of(function.getFunctionType()))
    return unsupported("function", function, *problem, function);
  for (const llvm::Instruction& instruction : llvm::instructions(function))
    if (auto problem = problem_of(instruction, data))
      return unsupported("function", function, *problem, instruction);
  return std::nullopt;
}

std::optional<ForeignCode> problem_of(const llvm::GlobalVariable& variable, const llvm::DataLayout& data) {
  auto problem = problem_of(variable.getType());
  if (!problem) problem = problem_in_memory(variable.getValueType(), data);
  return problem ? std::optional(unsupported("variable", variable, *problem, variable)) : std::nullopt;
}

}  // namespace

std::optional<ForeignCode> foreign_code(const llvm::Module& module) {
  const llvm::DataLayout& data = module.getDataLayout();
  for (const llvm::GlobalValue& value : module.global_values())
    if (value.getName().starts_with("__weir_"))
      return ForeignCode{fmt::format("`{}` is a name of Weir's own", value.getName().str()), &value};
  if (!module.ifunc_empty())
    return ForeignCode{fmt::format("`{}` is chosen when the program is loaded (ifunc): that is not supported",
                                   module.ifunc_begin()->getName().str()),
                       &*module.ifunc_begin()};
  for (const llvm::GlobalVariable& variable : module.globals())
    if (auto problem = problem_of(variable, data)) return problem;
  for (const llvm::Function& function : module)
    if (auto problem = problem_of(function, data)) return problem;
  return std::nullopt;
}

}  // namespace weir::c
