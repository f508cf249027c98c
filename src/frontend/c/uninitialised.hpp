// Reads of local variables before they are written.
//
// LLVM turns such a read into `undef`, which anything may be made of. So every scalar on the stack is first
// stored the result of a call of `__weir_uninitialised.<type>`: at the start of its function, and where its
// declaration is executed. Promotion to SSA values carries the result to whatever reads it. The call has the
// variable's name, as the metadata "weir.variable".
#pragma once

#include <llvm/IR/Module.h>

namespace weir::c {

enum class Declarations : std::uint8_t {
  kKnown,    // compiled by us: debug information tells where a declaration is executed
  kUnknown,  // by somebody else
};

inline constexpr const char* kUninitialisedPrefix = "__weir_uninitialised.";

void mark_uninitialised(llvm::Module& module, Declarations declarations);

// After promotion: what is still on the stack is memory that knows by itself whether it was written.
void drop_unused_marks(llvm::Module& module);

}  // namespace weir::c
