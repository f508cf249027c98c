#include "native/instrumentation/runtime_functions.hpp"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/EscapeEnumerator.h>

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
  unwound = module.getOrInsertFunction("weir_stack_unwound", nothing);
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

void call_at_exits(Function& function, FunctionCallee callee) {
  if (function.doesNotThrow()) return call_at_returns(function, callee);
  EscapeEnumerator exits(function, "weir_left", true);
  while (IRBuilder<>* builder = exits.Next()) {
    DISubprogram* scope = function.getSubprogram();
    if (const DebugLoc place = builder->GetInsertPoint()->getDebugLoc())
      builder->SetCurrentDebugLocation(place);
    else if (scope != nullptr)
      builder->SetCurrentDebugLocation(DILocation::get(function.getContext(), scope->getLine(), 1, scope));
    builder->CreateCall(callee);
  }
}

void call_at_landing_pads(Function& function, FunctionCallee callee) {
  for (BasicBlock& block : function)
    if (LandingPadInst* pad = block.getLandingPadInst()) {
      IRBuilder<> builder(pad->getNextNode());
      builder.SetCurrentDebugLocation(pad->getDebugLoc());
      builder.CreateCall(callee);
    }
}

}  // namespace weir::native
