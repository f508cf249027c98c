// The front end for C, a module of its own that is loaded when the first C program comes: it brings LLVM.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "frontend/c/c.hpp"

namespace weir::verify {

// Why no C program can be read, whatever it is; nothing if they can, with a compiler.
std::optional<Diagnostic> c_front_end_problem();

Expected<Program> load_by_c_module(const std::vector<std::string>& files, const COptions& options);

}  // namespace weir::verify
