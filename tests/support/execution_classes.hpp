// All maximal executions of a small program up to three equivalences, by brute force on the reference
// machine: what the engines of stateless model checking are compared with. Exponential; for a dozen accesses.
//
// The visible steps of a thread are its accesses to shared memory, the values it chooses, and the edges it
// takes where it can take several. All three equivalences keep, for each thread, the sequence of these with
// the write that each read takes its value from (the initial value counts as one). They differ in what they
// keep of the order in which the writes to a cell reach memory:
//
//   mazurkiewicz  all of it;
//   observers     the order of two writes to a cell if some read takes its value from one of them;
//   reads_from    nothing.
//
// An execution is maximal when nothing more can happen, flushes included. A compare-exchange that fails is a
// read. The lock is no cell. A thread that fails (an assertion, a memory error) does nothing after that,
// apart from flushing what it has buffered; the others go on. So does a thread that halts, and the others go
// on as well: whatever they do, they could have done before. An atomic block in which a thread fails or halts
// writes nothing, since nobody could see that; what it had read counts.
#pragma once

#include <cstddef>
#include <set>
#include <string>

#include "check/reference_machine.hpp"

namespace weir::test {

struct ClassLimits {
  std::size_t states = 200'000;  // prefixes of executions, up to mazurkiewicz equivalence
  std::size_t steps = 400;       // instructions and flushes of one execution
};

// A text per class; two texts are equal exactly when the classes are.
struct ClassSets {
  std::set<std::string> mazurkiewicz, observers, reads_from;
};

struct ExecutionClasses {
  // A limit was hit, some execution never ends, or an access has no meaning here: the sets are not all there
  // is.
  bool too_large = false;
  std::size_t states = 0;
  ClassSets proper;               // every thread has stopped, halted or failed, or is dormant
  ClassSets blocked;              // some thread waits for what never comes
  std::set<std::string> failing;  // of the mazurkiewicz classes: those in which a thread fails
};

ExecutionClasses execution_classes(const Program& program, Model model, const ClassLimits& limits = {});

}  // namespace weir::test
