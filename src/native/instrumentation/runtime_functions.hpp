// The functions of the runtime (src/native/runtime) that the pass calls.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

namespace weir::native {

struct Runtime {
  explicit Runtime(llvm::Module& module);

  llvm::FunctionCallee fails, fence, atomic_begin, atomic_end;
  llvm::FunctionCallee variable, copy, again, starts, ends, leave, unwound, save, restore;
};

// Calls it before the function is left.
void call_at_returns(llvm::Function& function, llvm::FunctionCallee callee);
// Also where it is left by an exception.
void call_at_exits(llvm::Function& function, llvm::FunctionCallee callee);
// Calls it where the function goes on when one that it has called was left by an exception.
void call_at_landing_pads(llvm::Function& function, llvm::FunctionCallee callee);

}  // namespace weir::native
