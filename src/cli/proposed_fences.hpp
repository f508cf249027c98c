// Fences for the page of another command: where the page of `check` or `robust` shows what goes wrong, it
// also shows in place what `weir fence` would do about it, if that is found within seconds.
#pragma once

#include "cli/options/command_line.hpp"
#include "engine/robust/fences/fence.hpp"
#include "report/explorer/explorer.hpp"

namespace weir::cli {

// The page has been written and the answer printed; it is written again with the fences in it, or with what
// to try instead. They have been checked as those of `weir fence` are. `program`: as it was loaded from the
// command line, with the properties it states.
void add_fences_to_page(ExplorerPage page, const RunInfo& run, const CommandLine& line,
                        const Program& program, FencePurpose purpose, const Context& whole);

}  // namespace weir::cli
