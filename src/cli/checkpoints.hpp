// What --checkpoint and --resume ask for (docs/reliability.md).
#pragma once

#include <memory>
#include <string_view>

#include "base/checkpoint.hpp"
#include "cli/options/command_line.hpp"

namespace weir::cli {

bool wants_checkpoints(const Settings& settings);

// What is wrong with the options, whatever is in the folders.
std::optional<UsageError> check_checkpoint_options(const Settings& settings);

// The folder, for a search by `engine` of the program with this text; null if none is asked for.
Expected<std::unique_ptr<Checkpoint>> open_checkpoint(const CommandLine& line, std::string_view engine,
                                                      std::string_view program);

// After the search: says what was wrong with its checkpoints, if anything.
void tell_about(const Checkpoint* checkpoint, const Settings& settings);

}  // namespace weir::cli
