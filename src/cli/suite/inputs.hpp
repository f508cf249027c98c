// The inputs that a command line names, for a suite and for a comparison of engines.
#pragma once

#include <vector>

#include "cli/options/command_line.hpp"
#include "suite/inputs.hpp"

namespace weir::cli {

Expected<std::vector<suite::Input>> suite_inputs(const CommandLine& line);

}  // namespace weir::cli
