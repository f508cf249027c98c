// What the options of `weir explore` ask for.
#pragma once

#include <optional>

#include "cli/options/command_line.hpp"
#include "engine/smc/smc.hpp"
#include "program/program.hpp"

namespace weir::cli {

// All but the root, whatever the program is.
Expected<SmcOptions, UsageError> exploration(const Settings& settings);

// --root, a thread of the program.
std::optional<UsageError> find_root(const Program& program, const Settings& settings, SmcOptions& options);

}  // namespace weir::cli
