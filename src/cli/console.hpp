// Talking to the user: answers go to standard output, everything else to standard error.
#pragma once

#include <string_view>

#include "base/diagnostic.hpp"
#include "cli/command_line.hpp"
#include "report/terminal.hpp"

namespace weir::cli {

// Width and colours of standard output, as far as the options do not say otherwise.
Presentation presentation(const Settings& settings);

void print_out(std::string_view text);
void print_error(std::string_view text);

// Each prints its message and returns the exit code that goes with it.
int fail_usage(const UsageError& error);
int fail_input(const InputError& error);
int fail_input(const std::vector<Diagnostic>& diagnostics, const SourceMap& sources);

// Did everything written to standard output arrive?
bool output_arrived();

}  // namespace weir::cli
