// Notices loops that seem to have no bound while a search is under way: a thread that reaches one location in
// ever more local states. Whether the loop ends is for the user to say; a search that seems to hang should
// name it.
#pragma once

#include <string>
#include <vector>

#include "machine/thread_automaton.hpp"

namespace weir {

class LoopWatch {
 public:
  // What to tell the user of this thread; empty if there is nothing new.
  std::string look_at(const Program& program, ThreadId thread, const ThreadAutomaton& automaton);

 private:
  std::vector<std::size_t> look_again_;  // per thread: with how many local states
};

}  // namespace weir
