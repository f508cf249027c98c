// Robustness when every thread is a template, of which any number of copies may run [Bouajjani13, Section 6].
//
// First all instances with two threads are checked by the engine for given threads: most attacks need no
// more. Then values are closed, so that the threads are finite automata however many there are, and a
// search of the attack net (attack_net.hpp) says whether some number of threads has an attack: forward, which
// is quick where there is none, and otherwise backward. If none has, what the search ends with is a
// certificate, which is checked unless it is too large. If one has, instances with 3, 4, … threads are checked in turn, up to the number that the net demands. (The net can be
// asked for the least demand as well, but has to be searched to its end for that: Dekker's algorithm took
// more than half a minute instead of milliseconds.) So every "not robust" is that of an instance, with a
// witness that can be replayed. Values that do not close leave no net; then up to six threads are tried, and
// one of each.
#pragma once

#include "engine/robust/robust.hpp"

namespace weir {

struct ParameterizedAnswer {
  RobustVerdict verdict = RobustVerdict::kUnknown;
  std::string reason;                                      // in one sentence
  std::vector<std::pair<std::string, std::string>> bound;  // unknown: what was reached

  // Not robust: an instance with an attack. Threads with the same code are one template, counted at the
  // first.
  std::vector<std::uint32_t> counts;  // copies of each thread
  std::uint32_t threads = 0;          // in total
  bool least = false;                 // every instance with fewer threads is robust; false if that is open
  Program instance;                   // `with_instances(program, counts)`
  RobustAnswer attack;                // of the instance, with the witness

  Statistics statistics;
  std::vector<Diagnostic> diagnostics;
};

// `options` as for `check_robust`; only for RobustnessNotion::kTraces, and `all` is ignored. The fences of
// the options stand in every copy.
ParameterizedAnswer check_robust_any(const Program& program, const RobustOptions& options, Context& context);

}  // namespace weir
