// Which variables on the stack can other threads reach, or who has kept their address when they have ended?
//
// One cannot if its address is only used to access it, compared, and passed to functions that do no more with
// it. An address that is stored anywhere, returned, or passed to a function that is not known, escapes.
// Flow-insensitive, over all functions of the module, to a fixpoint; linear in the uses of each variable.
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "base/context.hpp"

namespace weir::c {

// Those that nobody reaches so. Variables whose size is not constant are not considered.
llvm::DenseSet<const llvm::AllocaInst*> private_variables(const llvm::Module& module, const Context* context);

}  // namespace weir::c
