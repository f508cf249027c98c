// From C and C++ sources to LLVM bitcode, by clang. Nothing is optimised: every access stays as it was
// written.
#pragma once

#include <string>
#include <vector>

#include "base/context.hpp"
#include "base/diagnostic.hpp"

namespace weir::c {

// .ll and .bc: already compiled.
bool is_llvm_path(const std::string& path);

// The bitcode of each file. What clang says about a file it does not like is passed on as it is.
// When the context, if there is one, is stopped, the compiler is too; and a compiler that needs more memory
// than there may be stops the context.
Expected<std::vector<std::string>> compile(const std::vector<std::string>& paths,
                                           const std::vector<std::string>& arguments, Context* context);

}  // namespace weir::c
