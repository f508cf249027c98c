// The question, in the words of each engine.
#pragma once

#include "engine/coverability/dual/check.hpp"
#include "engine/explicit/explicit.hpp"
#include "engine/schedules/bounded_preemptions.hpp"
#include "engine/schedules/random_schedules.hpp"
#include "engine/smc/smc.hpp"
#include "verify/question.hpp"

namespace weir::verify {

ExplicitOptions explicit_options(const Question& question);
SmcOptions smc_options(const Question& question);
DualOptions dual_options(const Question& question);
RandomOptions random_options(const Question& question);
PreemptionOptions preemption_options(const Question& question);

}  // namespace weir::verify
