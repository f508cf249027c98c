// An execution in a few sentences: what went wrong, which events brought it about, and where threads were interrupted.
// For those who have not seen the program.
#pragma once

#include <string>
#include <vector>

#include "engine/answer.hpp"
#include "report/execution/storyline.hpp"

namespace weir {

// At most four sentences without their full stops; none where nothing can be said that the message does not say.
std::vector<std::string> story(const Program& program, const Witness& witness);

// The answer for people: what went wrong is said, and placed, in terms of the source. Replay files keep the other one.
Answer told(const Program& program, const Answer& answer);

}  // namespace weir
