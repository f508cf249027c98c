// From argv to a command with its settings, or to a usage error that says what would have been right.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "cli/options/options.hpp"

namespace weir::cli {

struct CommandLine {
  Command command = Command::kCheck;
  std::string file;                             // the first one
  std::vector<std::string> files;               // several are one C program
  std::vector<std::string> compiler_arguments;  // what follows --
  Settings settings;
  bool help = false;  // only print the help of the command
};

struct UsageError {
  std::string message;
  std::string hint;  // may be empty
};

// `arguments` without the program's name; the first one is the command.
Expected<CommandLine, UsageError> parse_command_line(const std::vector<std::string>& arguments);

// "did you mean WORD?" for a word on the command line; empty if no candidate is near.
std::string guess_for(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace weir::cli
