#include "verify/robust.hpp"

#include "base/error.hpp"
#include "engine/robust/parameterized.hpp"
#include "verify/confirmation.hpp"
#include "verify/restrictions.hpp"

namespace weir::verify {

namespace {

RobustResult check_any(Program& program, const RobustOptions& options, Context& context) {
  ParameterizedAnswer found = check_robust_any(program, options, context);
  RobustResult result;
  if (found.verdict == RobustVerdict::kNotRobust) {
    result.answer = std::move(found.attack);
    result.threads.emplace();
    for (std::size_t t = 0; t < found.counts.size(); ++t)
      result.threads->counts.emplace_back(program.threads[t].name, found.counts[t]);
    result.threads->total = found.threads;
    result.threads->least = found.least;
    program = std::move(found.instance);
  } else {
    result.answer.verdict = found.verdict;
    result.answer.reason = std::move(found.reason);
    result.answer.bound = std::move(found.bound);
  }
  result.answer.statistics = std::move(found.statistics);
  result.answer.diagnostics = std::move(found.diagnostics);
  return result;
}

void confirm_attacks(const Program& program, RobustAnswer& answer, const Context& context) {
  for (AttackResult& result : answer.attacks)
    if (result.witness) result.witness = confirmed(program, result.attack, *result.witness, context);
}

}  // namespace

const Witness* RobustResult::witness() const {
  for (const AttackResult& result : answer.attacks)
    if (result.witness) return &*result.witness;
  return nullptr;
}

RobustResult check_robust(Program& program, bool any_number, const RobustOptions& options, Context& context,
                          const Observer& observer) {
  observer.begin("looking for attacks");
  RobustResult result = any_number ? check_any(program, options, context)
                                   : RobustResult{weir::check_robust(program, options, context), {}};
  if (result.answer.verdict == RobustVerdict::kUnknown) result.answer.stopped = context.stop_reason();
  respect_restrictions(program, result.answer);
  observer.begin("replaying and shortening the executions");
  confirm_attacks(program, result.answer, context);
  const Witness* const witness = result.witness();
  WEIR_CHECK((result.answer.verdict == RobustVerdict::kNotRobust) == (witness != nullptr),
             "a program is not robust if and only if there is an execution that shows it");
  if (witness != nullptr) result.answer.reason = witness->violation.message;
  return result;
}

}  // namespace weir::verify
