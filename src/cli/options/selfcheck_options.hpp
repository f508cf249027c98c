// What the options of `weir selfcheck` ask for.
#pragma once

#include "cli/options/command_line.hpp"
#include "selfcheck/selfcheck.hpp"

namespace weir::cli {

Expected<selfcheck::SelfcheckOptions, UsageError> selfcheck_options(const Settings& settings);

}  // namespace weir::cli
