// Reads of local variables before they are written.
//
// LLVM turns such a read into `undef`, which anything may be made of. So every scalar on the stack is first
// stored the result of a call of `__weir_uninitialised.<type>`: at the start of its function, and where its
// declaration is executed. Promotion to SSA values carries the result to whatever reads it. The call has the
// variable's name, as the metadata "weir.variable".
//
// Variables that stay in memory need no marks: memory knows what was written to it. Only that a variable
// declared in a loop has lost its value when the declaration is reached again must be said, and is, by
// copying into it a variable that is never written.
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "base/context.hpp"
#include "frontend/c/origin.hpp"

namespace weir::c {

inline constexpr const char* kUninitialisedPrefix = "__weir_uninitialised.";
// Metadata of the variables that are never written.
// A store of a mark, which is no access of the program.
bool stores_mark(const llvm::Instruction& instruction);

inline constexpr const char* kNeverWritten = "weir.never.written";

// When the context, if there is one, is stopped, NotWanted is thrown.
void mark_uninitialised(llvm::Module& module, Origin origin, const Context* context);

// After promotion: replaces the marks of variables that stayed in memory. `privates` are those among them
// that only their own thread can reach; the variables that are never written join them.
void resolve_marks(llvm::Module& module, llvm::DenseSet<const llvm::AllocaInst*>& privates);

}  // namespace weir::c
