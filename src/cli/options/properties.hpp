// Properties given on the command line: --goal, --exclusive, --invariant, --deadlock, --races, --leaks.
#pragma once

#include <optional>

#include "cli/options/command_line.hpp"
#include "verify/properties.hpp"

namespace weir::cli {

verify::PropertyRequest property_request(const Settings& settings);

// Adds them to the program; says what is wrong if an option does not fit the program.
std::optional<UsageError> add_properties(Program& program, const Settings& settings);

}  // namespace weir::cli
