// Fences in the files of a C program: the changed files are compiled in place of the user's, which stay as
// they are.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "program/program.hpp"

namespace weir::cli {

// A patch that puts these fences into the files and passes `good` when the patched program is loaded; empty
// if none of the ways to write them does.
std::string c_fence_patch(const CommandLine& line, const Program& program,
                          const std::vector<LocationId>& fences,
                          const std::function<bool(const Program&)>& good);

}  // namespace weir::cli
