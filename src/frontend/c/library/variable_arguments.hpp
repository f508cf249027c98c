// The program's own functions with a variable number of arguments.
#pragma once

#include <llvm/IR/Module.h>

namespace weir::c {

// Each call of such a function that uses its variable arguments becomes one of a copy of it that has them as parameters, and
// puts them where va_arg looks for them. Calls whose arguments cannot be passed so, and calls through pointers, stay.
void name_variable_arguments(llvm::Module& module);

}  // namespace weir::c
