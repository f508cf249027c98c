// Lets what may fail without a reason do so when the runtime wants it: weak compare-exchanges, and try_lock
// of the classes of C++.
#pragma once

#include "native/instrumentation/runtime_functions.hpp"

namespace weir::native {

void add_chance_failures(llvm::Function& function, const Runtime& runtime);

}  // namespace weir::native
