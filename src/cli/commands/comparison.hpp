// The options of what compares TSO with SC: `robust`, `fence`, and the lazy engine of `check`.
#pragma once

#include "cli/options/command_line.hpp"
#include "engine/robust/robust.hpp"

namespace weir::cli {

Expected<RobustOptions, UsageError> robust_options(const Program& program, const Settings& settings);

}  // namespace weir::cli
