// Talking to the user: answers go to standard output, everything else to standard error.
#pragma once

#include <string_view>

#include "base/diagnostic.hpp"
#include "cli/options/command_line.hpp"
#include "report/text/terminal.hpp"

namespace weir::cli {

// Width and colours of standard output, as far as the options do not say otherwise.
Presentation presentation(const Settings& settings);

// Columns of standard output.
std::size_t terminal_width();

// TERM says that the terminal only prints what it is sent.
bool is_dumb_terminal();

// To standard output as it is; to standard error with control characters made visible.
void print_out(std::string_view text);
void print_error(std::string_view text);

// Each prints its message, with --json also as an answer whose verdict is "error", and returns the exit code
// that goes with it.
int fail_usage(const CommandLine& line, const UsageError& error);
int fail_input(const CommandLine& line, const InputError& error);
int fail_input(const CommandLine& line, const std::vector<Diagnostic>& diagnostics, const SourceMap& sources);
int fail_internal(const CommandLine& line, const std::string& message, const std::string& hint);

// Did everything written to standard output arrive?
bool output_arrived();

}  // namespace weir::cli
