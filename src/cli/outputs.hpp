// The files that a command writes: shown to be writable before any work is done, never one that it reads,
// never two that are the same, and never half written.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/file.hpp"
#include "cli/options/command_line.hpp"

namespace weir::cli {

// What is wrong with where the command is to write.
std::optional<std::variant<UsageError, Diagnostic>> check_outputs(const CommandLine& line);

// The same for inputs that are known later only: the headers of a C program, the inputs of a suite.
std::optional<UsageError> check_outputs(const CommandLine& line, const std::vector<std::string>& inputs);

}  // namespace weir::cli
