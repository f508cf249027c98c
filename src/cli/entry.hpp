// What main() calls: picks the command, and turns whatever goes wrong into a message and an exit code.
//
// Fuzzers call it too, again and again in one process. It leaves signals blocked, and a limit of memory.
#pragma once

#include <string>
#include <vector>

#include "base/context.hpp"

namespace weir::cli {

// The arguments are those behind the name of the program, which was started at that time.
int run_weir(const std::vector<std::string>& arguments, Context::Clock::time_point start);

}  // namespace weir::cli
