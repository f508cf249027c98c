// Variables of the stack in blocks of their own, so that the runtime sees their ends.
#pragma once

#include "native/instrumentation/runtime_functions.hpp"

namespace weir::native {

void move_stack_variables(llvm::Function& function, const Runtime& runtime);

}  // namespace weir::native
