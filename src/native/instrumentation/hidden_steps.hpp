// Tells the runtime what no call of the program says: inline assembly that is a full fence, and functions
// that verification tools execute as one step because of their names.
#pragma once

#include "native/instrumentation/runtime_functions.hpp"

namespace weir::native {

void tell_hidden_steps(llvm::Function& function, const Runtime& runtime);

}  // namespace weir::native
