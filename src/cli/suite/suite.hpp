// weir check on several inputs: each is checked by a process of its own, as many at the same time as --jobs
// says, and what comes out is compared with what is expected.
#pragma once

#include "cli/options/command_line.hpp"
#include "cli/session.hpp"

namespace weir::cli {

// Is the command about a suite? A folder is one, and so are several files, unless they are the files of one C
// program; --suite, --expected and --junit make one of anything.
bool is_suite(const CommandLine& line);

// What does not go with --single.
std::optional<UsageError> check_single(const CommandLine& line);

// What makes no sense for several inputs.
std::optional<UsageError> check_suite(const CommandLine& line);

int run_suite(const CommandLine& line, Session& session);

}  // namespace weir::cli
