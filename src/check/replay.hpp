// Replaying a witness on the reference machine, which shares no code with the engines. An `unsafe` answer is
// only given after its witness replayed.
#pragma once

#include <cstddef>
#include <string>

#include "trace/witness.hpp"

namespace weir {

struct ReplayResult {
  bool reproduced = false;
  std::size_t failed_step = 0;  // if not reproduced: the step that was impossible; steps.size() if all went
                                // well but the violation was not there
  std::string failure;          // why, in one sentence
};

ReplayResult replay(const Program& program, const Witness& witness);

}  // namespace weir
