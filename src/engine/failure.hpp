// Instructions that fail, as violations; instructions that end everything.
#pragma once

#include "base/diagnostic.hpp"
#include "machine/action.hpp"
#include "trace/witness.hpp"

namespace weir {

// `action` is what the thread was about to do when it failed in this way.
Violation failure_of(const Program& program, const Action& action, FailureKind kind);

// A store that was executed in time, but flushed after another thread had released its block. The place is
// that of the store, which the witness knows.
Violation late_flush(const Program& program, Value address);

// Of an instruction that ends the execution: is that because the rest is left out?
inline bool leaves_out(const Instruction& instruction) {
  return instruction.op != Opcode::kHalt || !instruction.message.empty();
}

// What to tell of an instruction for which that is so.
Diagnostic what_is_left_out(const Program& program, EdgeId edge);

}  // namespace weir
