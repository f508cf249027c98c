// Programs that declare POSIX threads themselves, with types of their own: `typedef int pthread_t;`.
#pragma once

#include <llvm/IR/Module.h>

namespace weir::c {

// Where the program's pthread_t has 32 bits, pthread_create writes no more. Where its pthread_mutex_t is
// smaller than that of the GNU C library, the runtime uses its first word only. To be called before the
// runtime is linked.
void adapt_own_types(llvm::Module& module);

}  // namespace weir::c
