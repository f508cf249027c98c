// --plot: how many executions each equivalence tells apart, and how long it takes to visit them.
#pragma once

#include <optional>

#include "cli/options/command_line.hpp"
#include "engine/smc/smc.hpp"

namespace weir::cli {

// Explores by all equivalences that exist under the model, one after the other, and writes the picture; what
// to say if that fails.
std::optional<Diagnostic> write_explore_plot(const CommandLine& line, const Program& program,
                                             SmcOptions options, const Context& whole);

}  // namespace weir::cli
