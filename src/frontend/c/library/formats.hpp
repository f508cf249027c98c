// Calls of printf and its kind, taken apart.
#pragma once

#include <llvm/IR/Module.h>

namespace weir::c {

// Every call of a function of the library with a format becomes calls of the runtime's functions for what the
// conversions of the format do: they read strings up to their end or their precision, %n writes, and text
// goes to a buffer. What cannot be taken apart gives up when it is reached, and names the function. To be
// called before the runtime is linked.
void take_formats_apart(llvm::Module& module);

// Calls of memcmp for a few bytes of variables become loads of these bytes, so that they may be parts of
// larger members.
void take_comparisons_apart(llvm::Module& module);

}  // namespace weir::c
