#include "frontend/c/library/ending_mutexes.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <vector>

#include "frontend/c/layout/lifetimes.hpp"

namespace weir::c {

namespace {

bool holds_mutex(const llvm::Type* type) {
  if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) return holds_mutex(array->getElementType());
  const auto* structure = llvm::dyn_cast<llvm::StructType>(type);
  if (structure == nullptr) return false;
  const llvm::StringRef name = structure->hasName() ? structure->getName() : "";
  return name.starts_with("union.pthread_mutex_t") || name.starts_with("union.mtx_t") ||
         llvm::any_of(structure->elements(), holds_mutex);
}

// Where the variable ends: at its marks, or with its function.
std::vector<llvm::Instruction*> ends_of(llvm::AllocaInst& variable) {
  std::vector<llvm::Instruction*> marks, returns;
  for (llvm::Instruction& instruction : llvm::instructions(variable.getFunction())) {
    if (ending_variable(instruction) == &variable) marks.push_back(&instruction);
    if (llvm::isa<llvm::ReturnInst>(instruction)) returns.push_back(&instruction);
  }
  return marks.empty() ? returns : marks;
}

void check_at_end(llvm::AllocaInst& variable) {
  llvm::Module& module = *variable.getModule();
  const llvm::DataLayout& layout = module.getDataLayout();
  llvm::Type* const number = layout.getIntPtrType(module.getContext());
  llvm::Constant* const size =
      llvm::ConstantInt::get(number, layout.getTypeAllocSize(variable.getAllocatedType()));
  for (llvm::Instruction* end : ends_of(variable)) {
    llvm::IRBuilder<> builder(end);
    builder.CreateCall(
        module.getOrInsertFunction("__weir_check_unlocked", builder.getVoidTy(), builder.getPtrTy(), number),
        {&variable, size});
  }
}

bool locks_mutexes(const llvm::Module& module) {
  return llvm::any_of(module, [](const llvm::Function& function) {
    const llvm::StringRef name = function.getName();
    return function.isDeclaration() && (name.starts_with("pthread_mutex_") || name.starts_with("mtx_"));
  });
}

}  // namespace

void check_ending_mutexes(llvm::Module& module) {
  if (!locks_mutexes(module)) return;
  std::vector<llvm::AllocaInst*> variables;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
        if (!variable->isArrayAllocation() && holds_mutex(variable->getAllocatedType()))
          variables.push_back(variable);
  for (llvm::AllocaInst* variable : variables) check_at_end(*variable);
}

}  // namespace weir::c
