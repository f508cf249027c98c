// Fences in the files of a C program: the changed files are compiled in place of the user's, which stay as
// they are.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/options/command_line.hpp"
#include "cli/session.hpp"
#include "program/program.hpp"
#include "program/text/edit.hpp"

namespace weir::cli {

// Changes that put these fences into the files and pass `good` when the changed program is loaded; empty if
// none of the ways to write them does.
std::vector<FileEdits> c_fence_files(const CommandLine& line, const Program& program,
                                     const std::vector<LocationId>& fences,
                                     const std::function<bool(const Program&)>& good, Session& session);

}  // namespace weir::cli
