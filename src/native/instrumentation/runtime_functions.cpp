#include "native/instrumentation/runtime_functions.hpp"

#include <llvm/IR/IRBuilder.h>

namespace weir::native {

using namespace llvm;

Runtime::Runtime(Module& module) {
  LLVMContext& context = module.getContext();
  Type* nothing = Type::getVoidTy(context);
  Type* pointer = PointerType::getUnqual(context);
  Type* number = Type::getInt64Ty(context);
  fails = module.getOrInsertFunction("weir_fails_by_chance", Type::getInt32Ty(context));
  fence = module.getOrInsertFunction("weir_assembly_fence", nothing);
  atomic_begin = module.getOrInsertFunction("__VERIFIER_atomic_begin", nothing);
  atomic_end = module.getOrInsertFunction("__VERIFIER_atomic_end", nothing);
  variable = module.getOrInsertFunction("weir_stack_variable", pointer, number, number, pointer);
  copy = module.getOrInsertFunction("weir_stack_copy", pointer, number, number, pointer, pointer);
  again = module.getOrInsertFunction("weir_stack_again", pointer, pointer);
  starts = module.getOrInsertFunction("weir_stack_starts", pointer, pointer);
  ends = module.getOrInsertFunction("weir_stack_ends", nothing, pointer);
  leave = module.getOrInsertFunction("weir_stack_leave", nothing);
  save = module.getOrInsertFunction("weir_stack_save", pointer);
  restore = module.getOrInsertFunction("weir_stack_restore", nothing, pointer);
}

void call_at_returns(Function& function, FunctionCallee callee) {
  for (BasicBlock& block : function) {
    if (!isa<ReturnInst>(block.getTerminator())) continue;
    Instruction* before = block.getTerminator();
    if (CallInst* tail = block.getTerminatingMustTailCall()) before = tail;
    IRBuilder<>(before).CreateCall(callee);
  }
}

}  // namespace weir::native
