// Invariants given as text, on the command line: expressions as in IMP over a whole state.
#pragma once

#include <optional>
#include <string_view>

#include "base/diagnostic.hpp"
#include "program/program.hpp"

namespace weir {

// Adds the invariant to `program.properties`. Names are shared objects (`x`, `flag[1]`, `[7]` for the cell at
// address 7) or `THREAD.register`. The text becomes a source file named "<invariant>", into which the
// diagnostic points if the text is wrong; the program's properties do not change then.
std::optional<Diagnostic> add_invariant(Program& program, std::string_view text);

}  // namespace weir
