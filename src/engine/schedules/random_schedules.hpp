// Random schedules, for programs that are too large to be searched.
#pragma once

#include "base/context.hpp"
#include "engine/answer.hpp"
#include "program/value_limits.hpp"

namespace weir {

struct RandomOptions {
  Model model = Model::kSc;
  std::uint64_t schedules = 1000;
  std::uint64_t seed = 0;
  std::uint64_t most_steps = 20'000;    // of one schedule, which is cut then
  std::optional<std::uint32_t> buffer;  // at most so many stores in a thread's buffer
  std::uint64_t local_steps = 20'000'000;
  ValueLimits values;
  std::uint64_t minimise_effort = 20'000;  // see ExplicitOptions
};

// The first violation that one of so many schedules meets; otherwise `unknown`. The answer depends on the
// seed and on nothing else. The witness is not yet replayed.
Answer check_random_schedules(const Program& program, const RandomOptions& options, Context& context);

}  // namespace weir
