// Commands on parameterized array systems (.cub).
#pragma once

#include "base/diagnostic.hpp"
#include "cli/options/command_line.hpp"
#include "cli/session.hpp"
#include "program/array/system.hpp"
#include "program/program.hpp"

namespace weir::cli {

// Whether the command is about an array system: by --format or by the suffix of its file.
bool is_array_system(const CommandLine& line);

Expected<array::ArraySystem> load_array_system(const CommandLine& line);

// The program that the system is with the number of processes that -n or --processes gives.
Expected<Program> load_array_instance(const CommandLine& line, std::uint64_t processes);

// `check` for any number of processes.
int check_array_system(const CommandLine& line, Session& session);

}  // namespace weir::cli
