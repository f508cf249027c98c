// Parts of Weir that bring a large library with them (LLVM, Cbc, Z3) are modules: files of their own, which are
// loaded when they are needed for the first time. Whoever does without them does not wait for them at the start.
#pragma once

#include <string>

#include "base/diagnostic.hpp"

namespace weir {

// The function of the module, which is found as shared libraries are, and beside or below what contains this code.
// It stays loaded: what it returns may have come from it. Or what the system says.
Expected<void*, std::string> module_function(const char* module, const char* function);

}  // namespace weir
