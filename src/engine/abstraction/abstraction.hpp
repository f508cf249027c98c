// Safety under TSO by coarser store buffers [Calin16, Algorithm 3.2].
//
// First the buffers are multisets, for which the question can be decided (multiset/system.hpp). If that shows
// a violation, it is a candidate: the paths of the threads are tried under TSO, exactly (path_search.hpp).
// Either they lead to a violation there, and the program is unsafe; or the order of stores, which multisets
// forget, was in the way. Then the first k buffered stores are kept in order, with the least k for which
// these paths are impossible, and the state space with such buffers is searched; and so on with the
// candidates found there. The text leaves open how to find k; it suggests counting up. Each round excludes
// the last candidate, so k grows, and every violation is found in the end; for safe programs it may go on.
//
// Where values are without end the backward search for multisets cannot start, and it can take very long:
// then the rounds begin with k = 0, the set of buffered stores.
//
// Properties of single states carry over from TSO to the abstractions, because for each state under TSO there
// is an abstract one with the same threads and memory. Deadlocks, races and leaks are not looked for.
#pragma once

#include "base/context.hpp"
#include "engine/answer.hpp"
#include "memory/buffer_abstraction.hpp"
#include "program/value_limits.hpp"

namespace weir {

struct AbstractionOptions {
  std::optional<BufferAbstraction> only;  // this one, without refining it
  std::uint64_t local_steps = 20'000'000;
  ValueLimits values;
  std::uint64_t most_expansions = 20'000;      // of the backward search, before the rounds begin
  std::uint64_t most_path_states = 5'000'000;  // to see whether a candidate is possible
};

// Is a violation reachable under TSO? The witness is not yet replayed.
Answer check_abstraction(const Program& program, const AbstractionOptions& options, Context& context);

// What is asked for beyond violations of single states; empty if nothing is.
std::string abstraction_obstacle(const Program& program);

}  // namespace weir
