// Functions that are started as threads though their type is not `void *(*)(void *)`.
#pragma once

#include <llvm/IR/Module.h>

namespace weir::c {

// Where such a function is given to `__weir_spawn`, gives it one of the right type that calls it: without the
// argument if it has no parameter, and with NULL as the result if it has none. Says whether there was one.
bool adapt_thread_functions(llvm::Module& module);

}  // namespace weir::c
