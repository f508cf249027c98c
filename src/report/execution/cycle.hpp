// Why an execution is impossible under sequential consistency: the cycle in its happens-before relation.
#pragma once

#include <string>

#include "check/happens_before.hpp"
#include "report/text/terminal.hpp"

namespace weir {

// The shortest cycle of an execution, told for people.
//
//   Under sequential consistency, each of these would have to come before the next:
//
//     t0 writes x (sb.trn:3)
//       --po-->  t0 reads y (sb.trn:4)
//       --fr-->  t1 writes y (sb.trn:10)
//       …
//   po: later in the thread; fr: reads what the next one overwrites
//
// Empty if there is no cycle. Files are left out where the terminal is too narrow for them.
std::string cycle_text(const Program& program, const Witness& witness, const Presentation& presentation);

// The same cycle, starting with the store that came too late, if there is one.
std::vector<HappensBeforeEdge> told_cycle(const HappensBefore& relation);

// Is this edge of a cycle one that the store buffer turned round: from a store that became visible only after
// the other access of its thread?
bool is_overtaken(const HappensBefore& relation, const HappensBeforeEdge& edge);

}  // namespace weir
