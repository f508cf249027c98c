#include "verify/engines.hpp"

#include <algorithm>

#include "engine/abstraction/abstraction.hpp"
#include "engine/coverability/dual/check.hpp"
#include "engine/robust/lazy.hpp"
#include "engine/smc/smc.hpp"
#include "verify/engine_options.hpp"

namespace weir::verify {

namespace {

constexpr Model kAllModels[] = {Model::kSc, Model::kTso, Model::kPso};
constexpr Model kWithoutPso[] = {Model::kSc, Model::kTso};
constexpr Model kOnlyTso[] = {Model::kTso};

std::string nothing(const Program&) { return {}; }

Answer by_states(const Program& program, const Question& question, Context& context) {
  return check_explicit(program, explicit_options(question), context);
}

Answer by_executions(const Program& program, const Question& question, Context& context) {
  return check_smc(program, smc_options(question), context);
}

Answer by_attacks(const Program& program, const Question& question, Context& context) {
  return check_lazy(program,
                    {.jobs = question.jobs, .local_steps = question.local_steps, .values = question.values},
                    context);
}

Answer by_coarser_buffers(const Program& program, const Question& question, Context& context) {
  return check_abstraction(
      program, {.only = question.abstraction, .local_steps = question.local_steps, .values = question.values},
      context);
}

Answer backwards(const Program& program, const Question& question, Context& context) {
  return check_dual(program, dual_options(question), context).answer;
}

constexpr Engine kEngines[] = {
    {.name = "explicit", .models = kAllModels, .checkpoints = true, .obstacle = nothing, .run = by_states},
    {.name = "lazy", .models = kOnlyTso, .obstacle = lazy_obstacle, .run = by_attacks},
    {.name = "abstraction", .models = kOnlyTso, .obstacle = abstraction_obstacle, .run = by_coarser_buffers},
    {.name = "dual",
     .models = kWithoutPso,
     .any_number = true,
     .checkpoints = true,
     .obstacle = dual_obstacle,
     .run = backwards},
    {.name = "smc",
     .models = kAllModels,
     .checkpoints = true,
     .obeys_ranges = false,
     .obstacle = smc_obstacle,
     .run = by_executions},
};

}  // namespace

bool Engine::answers_under(Model model) const { return std::ranges::find(models, model) != models.end(); }

std::span<const Engine> engines() { return kEngines; }

const Engine* find_engine(std::string_view name) {
  const auto found = std::ranges::find(kEngines, name, &Engine::name);
  return found == std::end(kEngines) ? nullptr : found;
}

}  // namespace weir::verify
