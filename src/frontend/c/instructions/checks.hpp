// What C calls undefined though the machine would go on: a shift by too much, a number that does not fit, an
// index that leaves an inner array, a pointer that is not aligned. Each becomes a requirement with a message.
// Where LLVM can tell that it holds, there is none.
#pragma once

#include <llvm/IR/Instruction.h>

namespace weir::c {

class FunctionLowering;

// Before a computation.
void require_defined(FunctionLowering& lowering, const llvm::Instruction& computation);
// Before an access of so many bytes of alignment through the pointer.
void require_aligned(FunctionLowering& lowering, const llvm::Value& pointer, std::uint64_t alignment);
// After a load or store through the pointer, which leaves the whole variable or block where the machine sees
// that: its message is the better one.
void require_inside_arrays(FunctionLowering& lowering, const llvm::Value& pointer);

}  // namespace weir::c
