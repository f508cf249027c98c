// Properties given on the command line: --goal, --exclusive, --invariant, --deadlock, --races, --leaks.
#pragma once

#include <optional>

#include "cli/options/command_line.hpp"
#include "program/program.hpp"

namespace weir::cli {

// Adds them to the program; says what is wrong if an option does not fit the program.
std::optional<UsageError> add_properties(Program& program, const Settings& settings);

// The places that "cs", in every thread that has this label, or "P0:cs" names.
Expected<std::vector<ThreadLocation>, UsageError> find_places(const Program& program, std::string_view text);

// Is there anything but wrong memory accesses and divisions by zero that could be violated?
bool states_a_property(const Program& program);

}  // namespace weir::cli
