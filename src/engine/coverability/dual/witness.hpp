// From a run of the dual semantics to an execution under TSO with store buffers.
//
// The run says what each thread does and in which order memory changes. In that order the stores are flushed
// and the locked moves happen; everything else a thread does as early as it can: a store is put into the
// buffer, and a load is executed as soon as it would return what it must. In the dual semantics a load
// returns what memory held at some moment between the thread's earlier loads and the present, and being
// earlier never hurts the moves that follow, so by induction every load is executed at that moment at the
// latest [Abdulla16, Theorem 1].
#pragma once

#include <vector>

#include "engine/coverability/multiset/thread_moves.hpp"
#include "engine/explicit/system.hpp"
#include "trace/witness.hpp"

namespace weir {

struct ScheduledMove {
  ThreadId thread;  // of the program that the witness is for
  const ThreadMove* move = nullptr;
};

// `program` is the one of the moves, or an instance of it; `options` must unfold the threads as the moves do.
// Throws InternalError if this is not an execution, or nothing is violated at its end.
Witness dual_witness(const Program& program, const SystemOptions& options,
                     const std::vector<ScheduledMove>& run);

}  // namespace weir
