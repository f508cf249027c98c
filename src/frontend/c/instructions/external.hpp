// Functions that no file defines and that are known by their names: those of the C library that do not matter
// for the behaviour of threads, and those that verification tasks use.
#pragma once

#include <llvm/IR/InstrTypes.h>

namespace weir::c {

class FunctionLowering;

// Neither has an effect nor gives a value that counts: debugging intrinsics, sleep and its kind.
bool has_no_effect(const llvm::CallBase& call);
// Only computes a value from its arguments and the thread's number.
bool is_pure_call(const llvm::CallBase& call);

// A call of such a function of the library: a use of its arguments.
void lower_ignored(FunctionLowering& lowering, const llvm::CallBase& call);

// A call of a function without a body, other than intrinsics and the runtime's primitives.
void lower_external(FunctionLowering& lowering, const llvm::CallBase& call);

}  // namespace weir::c
