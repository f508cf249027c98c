// --range and --values: which values a search follows.
#pragma once

#include "cli/command_line.hpp"
#include "engine/explicit/explicit.hpp"
#include "program/program.hpp"

namespace weir::cli {

Expected<ValueLimits, UsageError> value_limits(const Program& program, const Settings& settings);

}  // namespace weir::cli
