// One instruction, executed in place: the table of docs/semantics.md. Atomic blocks are put together from
// single instructions by the reference machine and by replay, which say here whether a block is open.
#pragma once

#include "check/reference/state.hpp"

namespace weir {

struct Execution {
  // Not executable: why, as the end of "thread P cannot …: ". The state is then as it was.
  const char* obstacle = nullptr;
  WitnessStep step;
  // The instruction was executed and failed. The state is then as it was, and the execution is over.
  std::optional<Violation> failure;
  // It failed because of what memory holds: released, uninitialised. With other contents it would be an
  // access.
  bool failed_by_content = false;
  // It accesses memory in a way that has no meaning here: why. No violation, and the state is as it was.
  std::optional<std::string> unsupported;

  bool succeeded() const { return obstacle == nullptr && !failure && !unsupported; }
};

// The thread must be at the source of the edge. `chosen` is what a `choose` yields; from low to high.
Execution execute(const Program& program, Model model, ReferenceState& state, ThreadId thread, EdgeId edge,
                  Value chosen, bool in_block);

// A new activation at the entry of `function`. Missing arguments leave the initial value.
Activation enter_function(const Program& program, FunctionId function, const std::vector<Value>& arguments,
                          EdgeId call);

}  // namespace weir
