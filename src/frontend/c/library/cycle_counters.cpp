#include "frontend/c/library/cycle_counters.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <vector>

namespace weir::c {

namespace {

constexpr unsigned kHalf = 32;

bool is_counter(llvm::Intrinsic::ID intrinsic) {
  return intrinsic == llvm::Intrinsic::x86_rdtsc || intrinsic == llvm::Intrinsic::x86_rdtscp ||
         intrinsic == llvm::Intrinsic::readcyclecounter;
}

// Assembly with one instruction, after fences that order it.
bool reads_counter(const llvm::CallBase& call) {
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call))
    return is_counter(intrinsic->getIntrinsicID());
  const auto* assembly = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand());
  if (assembly == nullptr) return false;
  llvm::SmallVector<llvm::StringRef, 4> statements;
  llvm::SplitString(assembly->getAsmString(), statements, ";\n\t ");
  if (statements.empty() || (statements.back() != "rdtsc" && statements.back() != "rdtscp")) return false;
  statements.pop_back();
  return llvm::all_of(statements, [](llvm::StringRef statement) { return statement == "lfence"; });
}

// What each output is: "a" and "d" are the halves of the counter, "c" is the number of the processor.
llvm::Value* output(llvm::IRBuilder<>& build, llvm::StringRef code, llvm::Value* counter, llvm::Type* type) {
  if (code == "{ax}" || code == "{eax}" || code == "{rax}")
    return build.CreateZExtOrTrunc(build.CreateTrunc(counter, build.getIntNTy(kHalf)), type);
  if (code == "{dx}" || code == "{edx}" || code == "{rdx}")
    return build.CreateZExtOrTrunc(build.CreateLShr(counter, kHalf), type);
  if (code == "{cx}" || code == "{ecx}" || code == "{rcx}") return llvm::Constant::getNullValue(type);
  return nullptr;
}

bool adapt_assembly(llvm::CallBase& call, llvm::FunctionCallee count) {
  const auto constraints = llvm::cast<llvm::InlineAsm>(call.getCalledOperand())->ParseConstraints();
  llvm::IRBuilder<> build(&call);
  auto* counter = build.CreateCall(count);
  auto* results = llvm::dyn_cast<llvm::StructType>(call.getType());
  llvm::Value* whole = results != nullptr ? llvm::PoisonValue::get(results) : nullptr;
  unsigned next = 0;
  for (const auto& constraint : constraints) {
    if (constraint.Type == llvm::InlineAsm::isClobber) continue;
    if (constraint.Type != llvm::InlineAsm::isOutput || constraint.isIndirect || constraint.Codes.empty())
      return false;
    llvm::Type* type = results != nullptr ? results->getElementType(next) : call.getType();
    llvm::Value* part =
        type->isIntegerTy() ? output(build, constraint.Codes.front(), counter, type) : nullptr;
    if (part == nullptr) return false;
    whole = results != nullptr ? build.CreateInsertValue(whole, part, next) : part;
    ++next;
  }
  if (whole != nullptr) call.replaceAllUsesWith(whole);
  return true;
}

// rdtscp gives the number of the processor, too.
bool adapt_intrinsic(llvm::CallBase& call, llvm::FunctionCallee count) {
  llvm::IRBuilder<> build(&call);
  llvm::Value* result = build.CreateCall(count);
  if (call.getType()->isStructTy()) {
    result = build.CreateInsertValue(llvm::PoisonValue::get(call.getType()), result, 0u);
    result = build.CreateInsertValue(result, build.getInt32(0), 1u);
  }
  call.replaceAllUsesWith(result);
  return true;
}

}  // namespace

void adapt_cycle_counters(llvm::Module& module) {
  const auto count = [&] {
    return module.getOrInsertFunction("__weir_cycles", llvm::Type::getInt64Ty(module.getContext()));
  };
  std::vector<llvm::CallBase*> calls;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction); call != nullptr)
        if (reads_counter(*call)) calls.push_back(call);
  for (llvm::CallBase* call : calls)
    if (llvm::isa<llvm::IntrinsicInst>(call) ? adapt_intrinsic(*call, count())
                                             : adapt_assembly(*call, count()))
      call->eraseFromParent();
}

}  // namespace weir::c
