// Variables on the stack that hold a mutex: where they end, the runtime is asked whether the thread has it
// locked. C++ forbids that, and the mutex could never be unlocked.
#pragma once

#include <llvm/IR/Module.h>

namespace weir::c {

// Before the runtime is linked.
void check_ending_mutexes(llvm::Module& module);

}  // namespace weir::c
