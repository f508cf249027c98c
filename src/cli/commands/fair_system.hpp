// weir fair on a finite system, and what it shares with weir fair on a program.
#pragma once

#include "cli/options/command_line.hpp"
#include "cli/session.hpp"
#ifdef WEIR_HAS_BUDDY
#include "verify/fair/system.hpp"
#endif

namespace weir::cli {

#ifdef WEIR_HAS_BUDDY

int solve_system(const CommandLine& line, Session& session);

Expected<fairness::StreettOptions, UsageError> streett_options(const Settings& settings);

// About the question, which begins with the name of an option.
UsageError of_option(const Diagnostic& problem);

#endif

}  // namespace weir::cli
