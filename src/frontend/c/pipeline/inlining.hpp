// Replaces calls by the called function's code.
//
// LLVM's own inliner simplifies what it copies: a division by zero or a load out of bounds becomes `poison`
// and is gone. This one copies blocks as they are.
#pragma once

#include <llvm/IR/Module.h>

#include "base/context.hpp"

namespace weir::c {

// Bottom-up, all direct calls of functions that are defined here and not recursive, except those of `kept`
// (may be null). Functions so large that copying them would explode stay calls, too.
// When the context, if there is one, is stopped, NotWanted is thrown.
void inline_calls(llvm::Module& module, const llvm::Function* kept, const Context* context);

}  // namespace weir::c
