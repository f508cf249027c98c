// How a job of a suite is done: this program is called again, with one input and what the user gave.
#pragma once

#include <string>
#include <vector>

#include "cli/options/command_line.hpp"
#include "suite/suite.hpp"

namespace weir::cli {

std::vector<std::string> job_command(const suite::Job& job, const CommandLine& line);

}  // namespace weir::cli
