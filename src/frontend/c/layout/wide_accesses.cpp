#include "frontend/c/layout/wide_accesses.hpp"

#include <llvm/IR/InstIterator.h>

#include "frontend/c/lowering/function.hpp"

namespace weir::c {

namespace {

constexpr const char* kOfRuntime = "weir.wide.access";

}  // namespace

void exempt_wide_accesses(llvm::Module& runtime) {
  llvm::MDNode* mark = llvm::MDNode::get(runtime.getContext(), {});
  for (llvm::Function& function : runtime)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (llvm::isa<llvm::LoadInst, llvm::StoreInst, llvm::CallInst>(instruction))
        instruction.setMetadata(kOfRuntime, mark);
}

void note_wide_access(FunctionLowering& lowering, const llvm::Instruction& access) {
  ModuleLowering& module = lowering.module;
  const bool happens_at_once = module.words.are_addresses() || lowering.inside_block() || access.isAtomic() ||
                               access.hasMetadata(kOfRuntime);
  if (happens_at_once || module.thread_limit == 1 || module.options.races) return;
  module.assume("a long long is read and written in one step (--races finds where that matters)");
}

}  // namespace weir::c
