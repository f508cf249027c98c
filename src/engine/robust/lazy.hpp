// Lazy TSO reachability [Calin16, Algorithm 3.1; Bouajjani15]: look for a violation under SC; if there is
// none, ask where store buffering could matter, emulate it there, and look again. The oracle is the
// robustness check: when it finds no attack any more, the SC states are all there are, and the program is
// safe.
//
// Attacks are asked for in turn depth first, which finds long delays at once, and breadth first, shortest
// delays first, so that every delay is found in the end: for programs without loops the algorithm ends, and
// for others it finds every violation, but may go on for ever if there is none. All attacks that do not
// interfere are emulated at once.
#pragma once

#include "engine/answer.hpp"
#include "engine/robust/robust.hpp"

namespace weir {

struct LazyOptions {
  unsigned jobs = 1;
  std::uint64_t local_steps = 20'000'000;
  ValueLimits values;
};

// Is a violation reachable under TSO? The witness is not yet replayed.
Answer check_lazy(const Program& program, const LazyOptions& options, Context& context);

}  // namespace weir
