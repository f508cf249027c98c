// The two accesses of a data race, in words.
#pragma once

#include <string>
#include <vector>

#include "trace/witness.hpp"

namespace weir {

struct RaceNote {
  SourcePosition position;
  std::string text;  // "thread t1 writes x"
  ThreadId thread;
  std::string verb, variable;  // "writes", "x"
};

// Both, as replay finds them at the end of the execution; none if the witness is no data race.
std::vector<RaceNote> race_notes(const Program& program, const Witness& witness);

}  // namespace weir
