#include "selfcheck/brute_force/execution_classes.hpp"

#include <fmt/format.h>
#include <utility>

namespace weir::selfcheck {

namespace {

std::string coherence_text(const History& history) {
  std::string text;
  for (const auto& [address, writes] : history.coherence) {
    text += fmt::format("[{}]:", address);
    for (const StepName& write : writes) text += " " + name_text(write);
    text += "\n";
  }
  return text;
}

std::set<StepName> observed_writes(const History& history) {
  std::set<StepName> observed;
  for (const std::vector<VisibleStep>& steps : history.threads)
    for (const VisibleStep& step : steps)
      if (step.source) observed.insert(*step.source);
  return observed;
}

std::string observed_order_text(const History& history) {
  const std::set<StepName> observed = observed_writes(history);
  std::set<std::pair<StepName, StepName>> ordered;
  for (const auto& [address, writes] : history.coherence)
    for (auto later = writes.begin(); later != writes.end(); ++later)
      for (auto earlier = writes.begin(); earlier != later; ++earlier)
        if (observed.contains(*earlier) || observed.contains(*later)) ordered.emplace(*earlier, *later);
  std::string text;
  for (const auto& [earlier, later] : ordered)
    text += fmt::format("{} before {}\n", name_text(earlier), name_text(later));
  return text;
}

void add_classes(ClassSets& sets, const History& history) {
  const std::string threads = threads_text(history, /*sources=*/true);
  sets.mazurkiewicz.insert(threads + coherence_text(history));
  sets.observers.insert(threads + observed_order_text(history));
  sets.reads_from.insert(threads);
}

}  // namespace

ExecutionClasses execution_classes(const Program& program, Model model, const ClassLimits& limits) {
  const MaximalExecutions executions = maximal_executions(program, model, limits);
  ExecutionClasses found{.too_large = executions.too_large, .states = executions.states};
  for (const MaximalExecution& execution : executions.all) {
    add_classes(execution.blocked ? found.blocked : found.proper, execution.history);
    if (execution.fails) add_classes(found.failing, execution.history);
  }
  return found;
}

}  // namespace weir::selfcheck
