// --svcomp-witness: the answer about a C program in the formats of the Competition on Software Verification.
#pragma once

#include <optional>

#include "cli/options/command_line.hpp"
#include "engine/answer.hpp"

namespace weir::cli {

// What is wrong with the option, if it is given.
std::optional<UsageError> check_svcomp(const CommandLine& line);

// Writes the file, if it is wanted and the answer is not unknown. A violation that the formats cannot express
// becomes a warning among the answer's diagnostics; the result is why the file cannot be written.
std::optional<Diagnostic> write_svcomp(const CommandLine& line, const Program& program, const Answer& answer);

}  // namespace weir::cli
