// LLVM's own functions, llvm.*: those that clang emits without optimising, and those that other front ends
// and light optimisation leave.
#pragma once

#include <llvm/IR/IntrinsicInst.h>

namespace weir::c {

class FunctionLowering;

// About debugging, lifetimes or hints: nothing happens, nothing comes back.
bool is_ignored_intrinsic(const llvm::IntrinsicInst& call);
// Only computes a value.
bool is_pure_intrinsic(const llvm::IntrinsicInst& call);

void lower_intrinsic(FunctionLowering& lowering, const llvm::IntrinsicInst& call);

}  // namespace weir::c
