// Intrinsics that compute: counting and moving bits, minimum and maximum, arithmetic with overflow, classes
// of floating point numbers.
#pragma once

#include <llvm/IR/IntrinsicInst.h>

#include "frontend/c/lowering/function.hpp"

namespace weir::c {

// Is it one of these, on types that can be expressed?
bool computes_bits(const llvm::IntrinsicInst& call);
Scalars computed_bits(FunctionLowering& lowering, const llvm::IntrinsicInst& call);

}  // namespace weir::c
