// Who cannot go on at the end of an execution, and what for: the execution is repeated on the reference machine, and
// then each thread tries its next instruction, or as much of its next atomic block as it can.
#pragma once

#include <string>
#include <vector>

#include "trace/witness.hpp"

namespace weir {

struct WaitingThread {
  ThreadId thread;
  EdgeId edge;                   // what it would have to execute next
  std::string what;              // of an atomic block, what it would do: "locks a mutex"; may be empty
  std::vector<Value> addresses;  // of shared memory that it looks at before it finds that it has to wait
};

// Threads that have not stopped and cannot take a step. Empty if the execution is not possible.
std::vector<WaitingThread> waiting_threads(const Program& program, const Witness& witness);

}  // namespace weir
