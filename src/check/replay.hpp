// Replaying a witness on the reference machine, which shares no code with the engines. An `unsafe` answer is
// only given after its witness replayed.
//
// Every step must be possible and must do what the witness says it does; the instructions of an atomic block
// must follow each other and reach the block's end or a failing instruction. Of an instruction that fails,
// only the thread, the edge and, for a memory error, the address are compared; of one that frees a block,
// only the address. A flush that names its edge must name that of the store. A witness that mixes the sizes
// of accesses within a block is not reproduced. One state is changed in place, so the time is proportional to
// the number of steps (times the length of the buffers searched); for `kRobustness`, quadratic in the number
// of accesses.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "trace/witness.hpp"

namespace weir {

// One of the two accesses of a data race.
struct RacingAccess {
  ThreadId thread;
  EdgeId edge;
  Value address = 0;
};

struct ReplayResult {
  bool reproduced = false;
  std::size_t failed_step = 0;  // if not reproduced: the step that was impossible; steps.size() if all went
                                // well but the violation was not there
  std::string failure;          // why, in one sentence, which counts the steps from 1
  std::optional<std::string> unsupported;  // not reproduced because of this, which nobody can execute
  std::vector<RacingAccess> race;          // kRace, reproduced: the two accesses
};

ReplayResult replay(const Program& program, const Witness& witness);

}  // namespace weir
