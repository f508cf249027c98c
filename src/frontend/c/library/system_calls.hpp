// Calls of syscall(), whose arguments are as many as the system call needs.
#pragma once

#include <llvm/IR/Module.h>

namespace weir::c {

// They become calls of the runtime's function for them (runtime/futex.c), with zeros for what is not given. To be called before
// the runtime is linked.
void adapt_system_calls(llvm::Module& module);

}  // namespace weir::c
