// Integers of 128 bits. A value has two scalars, the low and the high word (layout.hpp), and an operation is some
// operations on words. Division is not among them.
#pragma once

#include <llvm/IR/Instructions.h>

#include "frontend/c/lowering/function.hpp"

namespace weir::c {

bool is_wide_number(const llvm::Type* type);

// False if the instruction is not about wide numbers, or not supported.
bool lower_wide_number(FunctionLowering& lowering, const llvm::Instruction& instruction);

// What an update leaves in memory; empty if that is not supported.
Scalars updated_wide_number(Expressions& build, llvm::AtomicRMWInst::BinOp operation, const Scalars& old,
                            const Scalars& operand);

}  // namespace weir::c
