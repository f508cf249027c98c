#include "verify/engine_options.hpp"

namespace weir::verify {

ExplicitOptions explicit_options(const Question& question) {
  ExplicitOptions options;
  options.model = question.model;
  options.search = question.search.value_or(options.search);
  options.reduction = question.reduction.value_or(options.reduction);
  options.symmetry = question.symmetry;
  options.live_variables = question.live_variables;
  options.buffer = question.buffer;
  options.local_steps = question.local_steps;
  options.values = question.values;
  options.checkpoint = question.checkpoint;
  return options;
}

SmcOptions smc_options(const Question& question) {
  SmcOptions options;
  options.model = question.model;
  options.equivalence = Equivalence::kReadsValueFrom;
  options.local_steps = question.local_steps;
  options.jobs = question.jobs;
  options.checkpoint = question.checkpoint;
  return options;
}

DualOptions dual_options(const Question& question) {
  return {.model = question.model,
          .any_number = question.any_number,
          .local_steps = question.local_steps,
          .values = question.values,
          .jobs = question.jobs,
          .checkpoint = question.checkpoint};
}

RandomOptions random_options(const Question& question) {
  RandomOptions options;
  options.model = question.model;
  options.schedules = question.random->schedules;
  options.seed = question.random->seed;
  options.most_steps = question.random->most_steps;
  options.buffer = question.buffer;
  options.local_steps = question.local_steps;
  options.values = question.values;
  return options;
}

PreemptionOptions preemption_options(const Question& question) {
  PreemptionOptions options;
  options.model = question.model;
  options.preemptions = *question.preemptions;
  options.symmetry = question.symmetry;
  options.live_variables = question.live_variables;
  options.buffer = question.buffer;
  options.local_steps = question.local_steps;
  options.values = question.values;
  return options;
}

}  // namespace weir::verify
