// --range and --values: which values a search follows.
#pragma once

#include "cli/options/command_line.hpp"
#include "engine/explicit/explicit.hpp"
#include "program/program.hpp"

namespace weir::cli {

// `limits`: what holds where the command line says nothing.
Expected<ValueLimits, UsageError> value_limits(const Program& program, const Settings& settings,
                                               ValueLimits limits = {});

}  // namespace weir::cli
