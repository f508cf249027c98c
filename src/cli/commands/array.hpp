// Commands on parameterized array systems (.cub).
#pragma once

#include "cli/options/command_line.hpp"
#include "cli/session.hpp"

namespace weir::cli {

// `check` for any number of processes.
int check_array_system(const CommandLine& line, Session& session);

}  // namespace weir::cli
