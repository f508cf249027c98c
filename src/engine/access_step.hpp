// What an action did to memory, written into the witness step that tells it.
#pragma once

#include "machine/action.hpp"
#include "memory/shared_memory.hpp"
#include "trace/witness.hpp"

namespace weir {

// `memory` is what the action met; `returned` what it gave to the thread.
void describe_access(const Action& action, Value returned, SharedMemory& shared, MemoryId memory,
                     WitnessStep& step);

}  // namespace weir
