// pthread_cleanup_push in C.
//
// Without -fexceptions, the macro saves where it stands with __sigsetjmp. If the thread ends by pthread_exit before
// pthread_cleanup_pop, the C library jumps back there, the handler is called, and __pthread_unwind_next goes on to the
// next one. That is what a landing pad does, so it becomes one: every call between push and pop leads there if the
// function called is left because the thread ends. (Exceptions of C++ do not stop here.)
#pragma once

#include <llvm/IR/Module.h>

namespace weir::c {

void translate_cleanup_handlers(llvm::Module& module);

}  // namespace weir::c
