// Reading the processor's counter of cycles: rdtsc and rdtscp, as assembly or as an intrinsic of the compiler.
#pragma once

#include <llvm/IR/Module.h>

namespace weir::c {

// They become calls of the runtime's function for them (runtime/clocks.c). To be called before the runtime is linked.
void adapt_cycle_counters(llvm::Module& module);

}  // namespace weir::c
