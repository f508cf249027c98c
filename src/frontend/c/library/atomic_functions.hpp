// Functions that verification tasks declare to be atomic by their name, `__VERIFIER_atomic_…`.
#pragma once

#include <llvm/IR/Module.h>

namespace weir::c {

// Puts the body of each between calls of `__weir_atomic_begin` and `__weir_atomic_end`. Before inlining,
// after which the names are gone.
void wrap_atomic_functions(llvm::Module& module);

}  // namespace weir::c
