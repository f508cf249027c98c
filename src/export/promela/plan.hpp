// Where the threads of a Promela model pause: the locations that become labels. Everything between two of
// them is one atomic step, as in Weir's own machine.
#pragma once

#include <set>
#include <vector>

#include "program/program.hpp"

namespace weir::promela_form {

struct ThreadPlan {
  ThreadId thread;
  LocationId entry;               // where it starts, after a fixed beginning was carried out
  std::vector<Value> initial;     // of the registers there
  std::vector<LocationId> stops;  // reachable ones, the entry first if it is one
  std::vector<bool> is_stop;      // per location of the program
  bool loops_in_atomic = false;   // a block of this thread contains a loop
};

// Does an instruction touch memory or the lock, or offer a choice?
bool is_visible(Opcode op);

// `marked`: locations of this thread that properties name; `observed`: its registers that invariants read.
ThreadPlan plan_thread(const Program& program, ThreadId thread, const std::set<LocationId>& marked,
                       const std::set<RegisterId>& observed);

}  // namespace weir::promela_form
