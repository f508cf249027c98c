// The question about a program that the options ask, and what is wrong with them. What engines can do is not
// said here: verify/engines.hpp has the table.
#pragma once

#include <optional>

#include "cli/instances.hpp"
#include "cli/options/command_line.hpp"
#include "program/program.hpp"
#include "verify/question.hpp"

namespace weir::cli {

// --jobs, or as many as there are cores.
unsigned jobs(const Settings& settings);

// --buffer
std::optional<std::uint32_t> buffer_bound(const Settings& settings);

// What is wrong with the options that say how to search, whatever the program is.
std::optional<UsageError> check_search_options(const Settings& settings, const Instances& copies);

// The options are right; `program` says what --range can name.
Expected<verify::Question, UsageError> question(const Program& program, const Settings& settings,
                                                const Instances& copies);

}  // namespace weir::cli
