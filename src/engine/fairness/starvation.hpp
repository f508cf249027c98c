// Is every request granted? Liveness of programs under SC, TSO and PSO: whenever a thread is at one of the
// request places, some thread is later at one of the grant places, in every fair execution, or almost surely
// if a scheduler that throws dice decides who moves.
//
// The state graph of the program, with bounded buffers, is built by the explicit engine's System. A vertex is
// a state together with who moved last, so that fairness is about vertices: a thread, or a buffer (under PSO,
// its stores to one address). Fairness of each mover is a Streett pair:
//
//   weak     infinitely often, the thread moves or cannot move;
//   strong   if it can move infinitely often, it moves infinitely often;
//   buffers  always strong: what can be flushed infinitely often is flushed infinitely often.
//
// A request is never granted if from a request the vertices without a grant have a play that satisfies all
// pairs. A state in which nothing can happen is repeated for ever. A thread that has to wait because its
// bounded buffer is full counts as one that can move, as it could with a longer buffer: so a violation is one
// of the program without bounds, too.
//
// With dice every mover that can move is chosen with positive probability, and what a program leaves open
// itself (nondeterministic choices) is decided against it. Then a request is never granted with positive
// probability exactly if an end component without a grant can be reached from it, again without one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/context.hpp"
#include "engine/answer.hpp"
#include "engine/fairness/streett.hpp"
#include "memory/buffer_abstraction.hpp"
#include "program/model.hpp"
#include "program/program.hpp"

namespace weir::fairness {

enum class Scheduler : std::uint8_t {
  kAny,     // no fairness of threads
  kWeak,    // weakly fair to threads
  kStrong,  // strongly fair to threads
  kDice,    // chance
};

struct StarvationOptions {
  Model model = Model::kSc;
  Scheduler scheduler = Scheduler::kWeak;
  bool fair_flushes = true;
  std::uint32_t buffer = 4;
  std::uint64_t local_steps = 20'000'000;
  StreettOptions streett;
};

struct Response {
  std::vector<ThreadLocation> request, grant;
  std::string name;  // "P0 at want is later at cs"
};

// Do all responses hold under TSO with buffers of any length, as far as coarser buffers can tell? `false`
// says nothing. Every execution under TSO is one with the coarser buffers, with the same threads able to move
// and buffers empty at the same moments; so fairness means the same there. Not for schedulers that throw
// dice.
bool holds_with_abstraction(const Program& program, const std::vector<Response>& responses,
                            const StarvationOptions& options, const BufferAbstraction& abstraction,
                            std::size_t most_states, Context& context);

// kSafe: all responses hold. If a buffer was full, they do because coarser buffers show it. kUnknown, with
// the bound on buffers in `bound`: they hold as far as that bound goes. kUnsafe: with a witness, unless
// chance decides.
Answer check_starvation(const Program& program, const std::vector<Response>& responses,
                        const StarvationOptions& options, Context& context);

}  // namespace weir::fairness
