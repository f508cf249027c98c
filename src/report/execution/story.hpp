// An execution in a few sentences: what went wrong, which events brought it about, and where threads were interrupted.
// For those who have not seen the program.
#pragma once

#include <string>
#include <vector>

#include "report/execution/storyline.hpp"

namespace weir {

// At most four sentences without their full stops; none where nothing can be said that the message does not say.
std::vector<std::string> story(const Program& program, const Witness& witness);

// What went wrong, with blocks of the heap under the names of the source.
Violation told_violation(const Program& program, const Witness& witness);

}  // namespace weir
