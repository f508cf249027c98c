// The table that `explain` prints: one column per thread, one line per step, memory changes at the right.
#pragma once

#include <string>

#include "report/text/terminal.hpp"
#include "trace/witness.hpp"

namespace weir {

// Falls back to a single column with thread names where the columns do not fit the width.
std::string explanation(const Program& program, const Witness& witness, const Presentation& presentation);

}  // namespace weir
