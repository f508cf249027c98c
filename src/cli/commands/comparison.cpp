#include "cli/commands/comparison.hpp"

#include <algorithm>
#include <thread>

#include "cli/options/value_limits.hpp"

namespace weir::cli {

unsigned jobs(const Settings& settings) {
  const std::uint64_t wanted = settings.number(OptionId::kJobs).value_or(std::thread::hardware_concurrency());
  return static_cast<unsigned>(std::clamp<std::uint64_t>(wanted, 1, 1024));
}

Expected<RobustOptions, UsageError> robust_options(const Program& program, const Settings& settings) {
  RobustOptions options;
  if (settings.flag(OptionId::kTriangular)) options.notion = RobustnessNotion::kTriangular;
  options.all = settings.flag(OptionId::kAll);
  options.jobs = jobs(settings);
  options.local_steps = settings.number(OptionId::kLocalSteps).value();
  auto values = value_limits(program, settings, options.values);
  if (!values) return values.error();
  options.values = std::move(*values);
  return options;
}

}  // namespace weir::cli
