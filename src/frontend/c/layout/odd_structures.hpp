// Structures of 3, 5, 6 or 7 bytes, as clang passes them in a register.
//
// They go through temporary variables of types like i48, which know nothing of the fields, and are loaded as
// a whole. That is no read of their padding, nor of fields that were never written; so it becomes what it
// means, a copy of bytes.
#pragma once

#include <llvm/IR/Function.h>

namespace weir::c {

// After inlining, when values come from where they are loaded to where they are stored.
void copy_odd_structures(llvm::Function& function);

}  // namespace weir::c
