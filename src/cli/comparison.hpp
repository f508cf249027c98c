// The options of commands that compare TSO with SC: `robust` and `fence`.
#pragma once

#include "cli/command_line.hpp"
#include "engine/robust/robust.hpp"

namespace weir::cli {

Expected<RobustOptions, UsageError> robust_options(const Program& program, const Settings& settings);

}  // namespace weir::cli
