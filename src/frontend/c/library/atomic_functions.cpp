#include "frontend/c/library/atomic_functions.hpp"

#include <fmt/format.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>

namespace weir::c {

namespace {

constexpr const char* kPrefix = "__VERIFIER_atomic_";

// `begin` and `end` are for blocks that the user marks himself.
bool is_atomic(const llvm::Function& function) {
  const llvm::StringRef name = function.getName();
  return !function.isDeclaration() && name.starts_with(kPrefix) && name != "__VERIFIER_atomic_begin" &&
         name != "__VERIFIER_atomic_end";
}

llvm::DebugLoc start_of(const llvm::Function& function) {
  llvm::DISubprogram* subprogram = function.getSubprogram();
  if (subprogram == nullptr) return {};
  return llvm::DILocation::get(function.getContext(), subprogram->getScopeLine(), 0, subprogram);
}

void begin_block(llvm::Function& function) {
  llvm::Module& module = *function.getParent();
  llvm::BasicBlock& entry = function.getEntryBlock();
  llvm::IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  builder.SetCurrentDebugLocation(start_of(function));
  auto* text = llvm::ConstantDataArray::getString(module.getContext(),
                                                  fmt::format("executes {}", function.getName().str()));
  auto* what = new llvm::GlobalVariable(module, text->getType(), true, llvm::GlobalValue::InternalLinkage,
                                        text, "what");
  builder.CreateCall(
      module.getOrInsertFunction("__weir_atomic_begin", builder.getVoidTy(), builder.getPtrTy()), {what});
}

void end_block(llvm::Function& function) {
  for (llvm::BasicBlock& block : function) {
    auto* leaving = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator());
    if (leaving == nullptr) continue;
    llvm::IRBuilder<> builder(leaving);
    builder.CreateCall(function.getParent()->getOrInsertFunction("__weir_atomic_end", builder.getVoidTy()));
  }
}

}  // namespace

void wrap_atomic_functions(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (!is_atomic(function)) continue;
    begin_block(function);
    end_block(function);
  }
}

}  // namespace weir::c
