// A module without undefined behaviour, as far as instructions alone can show it: only then is what the
// processor computes what the module means.
#pragma once

#include <llvm/IR/Module.h>

namespace weir::fuzz {

// Takes away what is undefined but for wrong accesses to memory, uninitialised ones and divisions: flags and
// promises, shifts by too much, conversions of numbers that are too large, bits of memory that no access
// says anything about. False if the result could depend on addresses or on output.
bool make_defined(llvm::Module& module);

// Does it only print? Weir leaves calls of these out.
bool gives_output(const llvm::Function& function);

}  // namespace weir::fuzz
