// All schedules with few preemptions, for programs that are too large to be searched completely.
#pragma once

#include "base/context.hpp"
#include "engine/answer.hpp"
#include "program/value_limits.hpp"

namespace weir {

struct PreemptionOptions {
  Model model = Model::kSc;
  std::uint64_t preemptions = 2;
  bool symmetry = true;
  bool live_variables = true;
  bool every_instruction = false;       // a thread can be left between any two instructions, local ones too
  std::optional<std::uint32_t> buffer;  // at most so many stores in a thread's buffer
  std::uint64_t local_steps = 20'000'000;
  ValueLimits values;
};

// A violation comes with a witness that has the fewest preemptions possible (as long as buffers hold no more
// than a bound, if they can grow beyond it); how many is in the statistics. Without one, the answer is
// `unknown`, unless schedules with more preemptions lead nowhere else. The witness is not yet replayed.
Answer check_bounded_preemptions(const Program& program, const PreemptionOptions& options, Context& context);

}  // namespace weir
