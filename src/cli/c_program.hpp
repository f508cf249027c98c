// Programs in C: the options that only they have, and the front end, which is loaded when it is needed.
#pragma once

#include <optional>

#include "cli/options/command_line.hpp"
#include "cli/session.hpp"
#include "program/program.hpp"

namespace weir::cli {

// Is it a C program (or C++, or LLVM) that the command is about?
bool is_c_program(const CommandLine& line);

// What is wrong with the files and with the options for C programs.
std::optional<UsageError> check_c_program(const CommandLine& line);

// Why no C program can be read, whatever it is; nothing if they can, with a compiler.
std::optional<Diagnostic> c_front_end_problem();

// The files can be read.
Expected<Program> load_c_program(const CommandLine& line, Session& session);

}  // namespace weir::cli
