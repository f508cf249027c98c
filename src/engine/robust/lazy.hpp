// Lazy TSO reachability [Calin16, Algorithm 3.1; Bouajjani15]: look for a violation under SC; if there is
// none, ask where store buffering could matter, emulate it there, and look again. The oracle is the
// robustness check: when it finds no attack any more, the SC states are all there are, and the program is
// safe.
//
// Attacks are asked for in turn depth first, which finds long delays at once, and breadth first, shortest
// delays first, so that every delay is found in the end: for programs without loops the algorithm ends, and
// for others it finds every violation, but may go on for ever if there is none. All attacks that do not
// interfere are emulated at once.
//
// A program without a deadlock under SC, robust or with delays emulated, has none under TSO, unless it uses the
// global lock; a robust one without a data race has none, either (lazy.cpp says why). A deadlock under SC is one
// under TSO unless a thread holds the global lock, which a store has to wait for under SC only. A race is one unless a
// store is still buffered: emulated flushes look like accesses. Where this is not so, the search goes on without
// looking for the like.
#pragma once

#include <optional>

#include "engine/answer.hpp"
#include "engine/robust/robust.hpp"

namespace weir {

struct LazyOptions {
  unsigned jobs = 1;
  std::uint64_t local_steps = 20'000'000;
  ValueLimits values;
  std::optional<std::uint64_t> rounds;  // at most so many
};

// Is a violation reachable under TSO? The witness is not yet replayed.
Answer check_lazy(const Program& program, const LazyOptions& options, Context& context);

// What keeps it from finding that the program is safe; empty if nothing does.
std::string lazy_obstacle(const Program& program);

}  // namespace weir
