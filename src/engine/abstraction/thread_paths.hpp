// What each thread does in an execution, but not when: the actions it takes, and what they return. An
// execution with abstract buffers is remembered as this, since its flushes mean nothing under TSO.
#pragma once

#include <vector>

#include "engine/explicit/system.hpp"
#include "trace/witness.hpp"

namespace weir {

struct PathAction {
  std::uint32_t action = 0;  // among those that the automaton offers in the local state
  Value returned = 0;
};

using ThreadPath = std::vector<PathAction>;

// The paths of a witness. An instruction that fails, which is the last of all, is not among them.
std::vector<ThreadPath> thread_paths(System& system, const Witness& witness);

}  // namespace weir
