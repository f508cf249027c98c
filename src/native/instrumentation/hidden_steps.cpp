#include "native/instrumentation/hidden_steps.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>

namespace weir::native {

namespace {

using namespace llvm;

void mark_fences(Function& function, const Runtime& runtime) {
  for (Instruction& instruction : instructions(function)) {
    const auto* call = dyn_cast<CallBase>(&instruction);
    if (call == nullptr || !call->isInlineAsm()) continue;
    const StringRef text = cast<InlineAsm>(call->getCalledOperand())->getAsmString();
    if (text.contains("mfence") || text.contains("lock") || text.contains("xchg") || text.contains("cpuid"))
      IRBuilder<>(&instruction).CreateCall(runtime.fence);
  }
}

bool is_one_step(StringRef name) {
  return name.starts_with("__VERIFIER_atomic_") && name != "__VERIFIER_atomic_begin" &&
         name != "__VERIFIER_atomic_end";
}

}  // namespace

void tell_hidden_steps(Function& function, const Runtime& runtime) {
  mark_fences(function, runtime);
  if (!is_one_step(function.getName())) return;
  IRBuilder<>(&*function.getEntryBlock().getFirstInsertionPt()).CreateCall(runtime.atomic_begin);
  call_at_returns(function, runtime.atomic_end);
}

}  // namespace weir::native
