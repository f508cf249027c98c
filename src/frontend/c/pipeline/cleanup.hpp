// What makes a module smaller without touching what it does in memory.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Module.h>

#include "base/context.hpp"

namespace weir::c {

// Calls of functions through another type than theirs, as unprototyped declarations give, are calls with the
// right type where arguments and result fit.
void match_call_types(llvm::Module& module);

// Padding in initial values, which clang leaves undefined, becomes 0. A bit field is read together with it.
void define_padding(llvm::Module& module);

// Drops hints to optimisers: what may be assumed of a loaded value, that a call is the last thing to happen
// in its function.
void drop_hints(llvm::Module& module);

// Computes what is constant (but nothing that fails), and with it decides branches; deletes blocks that
// cannot be reached, and joins blocks in a row.
void tidy_blocks(llvm::Function& function);

// Scalars on the stack whose address is not taken, and which are only used while they live, become SSA
// values.
// When the context, if there is one, is stopped, NotWanted is thrown.
void promote_scalars(llvm::Function& function, const Context* context);

// LLVM wants calls between functions with debug information to have a position. Calls that became direct ones
// on the way may lack it; they get their function's.
void locate_calls(llvm::Module& module);

// Deletes functions and globals that nothing reachable from the entry points, or from those to be kept,
// refers to.
void drop_unused_globals(llvm::Module& module, llvm::ArrayRef<const char*> kept = {});

}  // namespace weir::c
