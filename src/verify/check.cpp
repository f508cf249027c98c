#include "verify/check.hpp"

#include "base/error.hpp"
#include "verify/confirmation.hpp"
#include "verify/engine_options.hpp"
#include "verify/engines.hpp"
#include "verify/restrictions.hpp"
#include "verify/strategy.hpp"

namespace weir::verify {

namespace {

Answer search_any_number(Program& program, const Question& question, Context& context) {
  DualAnswer found = check_dual(program, dual_options(question), context);
  if (found.answer.verdict == Verdict::kUnsafe) program = std::move(found.instance);
  return std::move(found.answer);
}

// By schedules if they are asked for, otherwise by the engine asked for.
Answer search(Program& program, const Question& question, Context& context) {
  if (question.any_number) return search_any_number(program, question, context);
  if (question.random) return check_random_schedules(program, random_options(question), context);
  if (question.preemptions) return check_bounded_preemptions(program, preemption_options(question), context);
  if (question.engine == "auto" && question.checkpoint == nullptr)
    return search_by_best_engine(program, question, context);
  const Engine* const engine = find_engine(interruptible_engine(question));
  WEIR_CHECK(engine != nullptr, "an engine of the table is asked for");
  WEIR_CHECK(question.checkpoint == nullptr || engine->checkpoints, "the engine keeps checkpoints");
  return engine->run(program, question, context);
}

}  // namespace

Answer check(Program& program, const Question& question, Context& context, const Observer& observer) {
  observer.begin("searching");
  Answer answer = search(program, question, context);
  if (answer.verdict == Verdict::kUnknown) answer.stopped = context.stop_reason();
  respect_restrictions(program, answer);
  respect_model(program, answer);
  if (answer.verdict != Verdict::kUnsafe) return answer;
  WEIR_CHECK(answer.witness.has_value(), "an unsafe answer has a witness");
  observer.begin("replaying the execution");
  confirm(program, *answer.witness);
  observer.settle(answer);
  observer.begin("shortening the execution");
  answer.witness = shortened(program, *answer.witness, context);
  return answer;
}

}  // namespace weir::verify
