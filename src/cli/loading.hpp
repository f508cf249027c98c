// The user's files, as the command line names them and says how they are to be read.
#pragma once

#include <optional>

#include "base/file.hpp"
#include "cli/options/command_line.hpp"
#include "cli/session.hpp"
#include "verify/load.hpp"

namespace weir::cli {

// Is it a C program (or C++, or LLVM) that the command is about?
bool is_c_program(const CommandLine& line);
// An array system? By --format, or by the suffix of its file.
bool is_array_system(const CommandLine& line);

// What is wrong with the files and with the options for C programs.
std::optional<UsageError> check_c_program(const CommandLine& line);

verify::Source source(const CommandLine& line);

// Reads and validates the program that the command is about. Nothing is to be written over its files.
Expected<Program> load_program(const CommandLine& line, Session& session);
// The same with what was known on the way; not for array systems.
Expected<verify::Loaded> load_source(const CommandLine& line, Session& session);

}  // namespace weir::cli
