// All maximal executions of a small program up to mazurkiewicz equivalence, by brute force on the reference
// machine. Exponential; for a dozen accesses. What a test takes for equivalent executions, it tells from what
// is kept here of each: see execution_classes.hpp and value_classes.hpp.
//
// The visible steps of a thread are its accesses to shared memory, the values it chooses, and the edges it
// takes where it can take several.
//
// An execution is maximal when nothing more can happen, flushes included. A compare-exchange that fails is a
// read. The lock is no cell. A thread that fails (an assertion, a memory error) does nothing after that,
// apart from flushing what it has buffered; the others go on. So does a thread that halts, and the others go
// on as well: whatever they do, they could have done before. An atomic block in which a thread fails or halts
// writes nothing, since nobody could see that; what it had read counts.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "check/reference/machine.hpp"

namespace weir::selfcheck {

struct StepName {
  std::size_t thread = 0, index = 0;  // the place among the visible steps of the thread

  friend auto operator<=>(const StepName&, const StepName&) = default;
};

using Writes = std::vector<StepName>;           // oldest first
using WritesPerCell = std::map<Value, Writes>;  // none of them empty

struct VisibleStep {
  enum class Kind : std::uint8_t { kRead, kWrite, kUpdate, kChoice, kBranch };

  Kind kind = Kind::kRead;
  Value address = 0;               // of an access
  Value read = 0, written = 0;     // what was chosen, a value or the number of an edge, counts as read
  std::optional<StepName> source;  // of a read or update; none: the initial value

  friend auto operator<=>(const VisibleStep&, const VisibleStep&) = default;
};

enum class ThreadEnd : std::uint8_t { kNone, kFails, kHalts, kUnassumed };

struct History {
  std::vector<std::vector<VisibleStep>> threads;
  std::vector<ThreadEnd> ends;  // by thread; of those that do nothing any more for one of these reasons
  std::vector<WritesPerCell> buffered;  // by thread
  WritesPerCell coherence;              // those that have reached memory
  bool late_flush = false;  // one of them after its memory was released: no step of its own, but a failure

  friend auto operator<=>(const History&, const History&) = default;
};

struct MaximalExecution {
  History history;
  ReferenceState last;   // of a thread that fails or halts: as it was before that, and before an open block
  bool blocked = false;  // some thread waits for what never comes, or an assumption does not hold
  bool fails = false;    // some thread fails, or some store reaches memory too late
};

struct ExecutionLimits {
  std::size_t states = 200'000;  // prefixes of executions, up to mazurkiewicz equivalence
  std::size_t steps = 400;       // instructions and flushes of one execution
};

struct MaximalExecutions {
  // A limit was hit, some execution never ends, or an access has no meaning here: not all executions are
  // there.
  bool too_large = false;
  std::size_t states = 0;
  std::vector<MaximalExecution> all;
};

MaximalExecutions maximal_executions(const Program& program, Model model, const ExecutionLimits& limits = {});

// For texts of classes: "1.2", the visible step 2 of thread 1; "init" for none.
std::string name_text(const std::optional<StepName>& name);
// The visible steps of each thread with the values read and written, and how it ended; `sources`: with what
// each read reads from.
std::string threads_text(const History& history, bool sources);

}  // namespace weir::selfcheck
