#include "cli/commands/comparison.hpp"

#include "cli/options/question.hpp"
#include "cli/options/value_limits.hpp"

namespace weir::cli {

Expected<RobustOptions, UsageError> robust_options(const Program& program, const Settings& settings) {
  RobustOptions options;
  if (settings.flag(OptionId::kTriangular)) options.notion = RobustnessNotion::kTriangular;
  options.all = settings.flag(OptionId::kAll);
  options.jobs = jobs(settings);
  options.local_steps = settings.number(OptionId::kLocalSteps).value();
  auto values = value_limits(program, settings, options.values);
  if (!values) return values.error();
  options.values = std::move(*values);
  if (settings.given(OptionId::kValues)) options.most_closed_values = options.values.most_values;
  return options;
}

}  // namespace weir::cli
