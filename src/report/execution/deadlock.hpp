// Who waits for whom at the end of an execution that cannot go on: what each thread holds, what it waits for, and which
// signals did not help.
#pragma once

#include <string>
#include <vector>

#include "report/execution/storyline.hpp"

namespace weir {

// A thread that cannot take its next step.
struct WaitNote {
  ThreadId thread;
  SourcePosition position;  // where it waits
  std::string holds;        // "m (line 4) and n (line 7)", or empty
  std::string wants;        // "accounts[1].lock"
  std::string details;      // " (line 14), which t2 holds"
  bool joins = false;       // it waits for a thread to end, which tells little
};

struct Deadlock {
  std::vector<WaitNote> waiting;
  std::vector<std::string> signals;  // "t2 (setter) signals c (line 20) before that: nobody waited"
};

// Nothing but for executions that end in a deadlock.
Deadlock deadlock_of(const Program& program, const Witness& witness, const SourceNames& names,
                     const std::vector<StoryEvent>& events);

// The same from scratch, without the signals.
std::vector<WaitNote> wait_notes(const Program& program, const Witness& witness);

// " (line 12)", or nothing if the place is not known.
std::string in_brackets(const std::string& line);

}  // namespace weir
