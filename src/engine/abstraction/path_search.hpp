// Can the threads violate a property by going along given paths, under TSO or with abstract buffers? The
// question is finite: each thread is somewhere on its path, and only the order of steps and flushes is open.
// States are visited breadth first and remembered. A thread whose next step is local moves alone, for the
// reason given in persistent.hpp (on a path there is no choice, and no cycle).
//
// The answer is exact: with TSO buffers, a violation is one of the program, with a witness, and if there is
// none, no execution takes these paths to one. The cost is the number of positions, buffers and memories that
// go together; the number of states visited is limited.
#pragma once

#include "base/context.hpp"
#include "engine/abstraction/thread_paths.hpp"

namespace weir {

struct PathAnswer {
  enum class Kind : std::uint8_t { kImpossible, kViolation, kUnknown };

  Kind kind = Kind::kUnknown;
  std::optional<Witness> witness;  // violation; without flushes if buffers are abstract
};

PathAnswer search_paths(System& system, const std::vector<ThreadPath>& paths, std::uint64_t most_states,
                        const Context& context);

}  // namespace weir
