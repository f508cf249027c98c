// How often locations are passed, measured: random schedules of the program under SC are executed from its
// beginning to its end, and each instruction counts at the location that it leaves.
//
// Schedules are drawn until the mean of every location is known well enough: half the width of its 95 %
// confidence interval is below a given part of it. Of locations that are passed less than once in twenty
// executions that is asked as if they were passed so often. What was never passed in n schedules counts 3 / n:
// with 95 % confidence, its mean is not above that. Who runs next is chosen uniformly among all who can, so
// waiting in a loop costs what it costs under a fair scheduler.
#pragma once

#include <vector>

#include "base/context.hpp"
#include "program/program.hpp"

namespace weir {

struct MeasureOptions {
  std::uint64_t seed = 0;
  double relative_error = 0.05;
  std::uint64_t most_schedules = 20'000;
  std::uint64_t most_steps = 5'000'000;      // of all schedules together; the last one is finished
  std::uint64_t longest_schedule = 100'000;  // a program with one of more steps does not end
  std::uint64_t local_steps = 20'000'000;
};

struct Measurement {
  bool ends = true;           // if not, nothing else is known
  std::vector<double> times;  // per location, in one execution
  std::uint64_t schedules = 0;
  double relative_error = 0;  // reached, as above
};

Measurement measure_executions(const Program& program, const MeasureOptions& options, Context& context);

}  // namespace weir
