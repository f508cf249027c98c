// The classes of all maximal executions of a small program under three equivalences, by brute force: what the
// engines of stateless model checking are compared with. maximal_executions.hpp says what an execution is.
//
// All three equivalences keep, for each thread, the sequence of its visible steps with the write that each
// read takes its value from (the initial value counts as one). They differ in what they keep of the order in
// which the writes to a cell reach memory:
//
//   mazurkiewicz  all of it;
//   observers     the order of two writes to a cell if some read takes its value from one of them;
//   reads_from    nothing.
#pragma once

#include <cstddef>
#include <set>
#include <string>

#include "selfcheck/brute_force/maximal_executions.hpp"

namespace weir::selfcheck {

using ClassLimits = ExecutionLimits;

// A text per class; two texts are equal exactly when the classes are.
struct ClassSets {
  std::set<std::string> mazurkiewicz, observers, reads_from;
};

struct ExecutionClasses {
  // A limit was hit, some execution never ends, or an access has no meaning here: the sets are not all there
  // is.
  bool too_large = false;
  std::size_t states = 0;
  ClassSets proper;   // every thread has stopped, halted or failed, or is dormant
  ClassSets blocked;  // some thread waits for what never comes
  ClassSets failing;  // of these: those in which a thread fails
};

ExecutionClasses execution_classes(const Program& program, Model model, const ClassLimits& limits = {});

}  // namespace weir::selfcheck
