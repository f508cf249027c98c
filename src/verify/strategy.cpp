#include "verify/strategy.hpp"

#include "engine/portfolio/race.hpp"
#include "trace/data_race.hpp"
#include "verify/engine_options.hpp"
#include "verify/engines.hpp"

namespace weir::verify {

namespace {

// Who can answer besides those who visit states or executions, in the order in which it is worth it.
constexpr std::string_view kOthers[] = {"dual", "abstraction", "lazy"};

// State by state; and if that finds no data race, but atomic accesses are there that order nothing, execution
// by execution.
Answer search_races(const Program& program, const Question& question, Context& context) {
  Answer answer = check_explicit(program, explicit_options(question), context);
  if (answer.verdict != Verdict::kUnknown || context.stopped() || !has_unordered_atomics(program))
    return answer;
  Answer by_executions = check_smc(program, smc_options(question), context);
  return by_executions.verdict == Verdict::kUnknown && !context.stopped() ? answer : by_executions;
}

// State by state; but as soon as there are fewer executions than states, execution by execution.
Answer search_states_or_executions(const Program& program, const Question& question, Context& context) {
  if (program.properties.races) return search_races(program, question, context);
  ExplicitOptions states = explicit_options(question);
  if (!smc_obstacle(program).empty() || !question.values.ranges.empty())
    return check_explicit(program, states, context);
  bool changes = false;
  states.go_on = [&](std::uint64_t known) {
    changes = has_fewer_executions(program, smc_options(question), known, context);
    return !changes;
  };
  Answer answer = check_explicit(program, states, context);
  if (!changes || context.stopped()) return answer;
  answer = check_smc(program, smc_options(question), context);
  if (answer.verdict != Verdict::kUnknown || context.stopped()) return answer;
  states.go_on = {};
  return check_explicit(program, states, context);
}

// Each of the others has one thread, whatever the question says: the first one has the rest.
Contender contender(const Engine& engine, const Program& program, const Question& question) {
  Question own = question;
  own.jobs = 1;
  return {std::string(engine.name),
          [&engine, &program, own](Context& context) { return engine.run(program, own, context); }};
}

}  // namespace

Answer search_by_best_engine(const Program& program, const Question& question, Context& context) {
  if (question.about_states()) return check_explicit(program, explicit_options(question), context);
  std::vector<Contender> contenders{
      {"explicit", [&](Context& own) { return search_states_or_executions(program, question, own); }}};
  if (question.jobs > 1)
    for (const std::string_view name : kOthers)
      if (const Engine& engine = *find_engine(name); engine.answers_under(question.model))
        contenders.push_back(contender(engine, program, question));
  if (contenders.size() == 1) return contenders[0].run(context);
  return race(contenders, {}, context);
}

std::string_view interruptible_engine(const Question& question) {
  if (question.engine != "auto") return question.engine;
  return question.any_number ? "dual" : "explicit";
}

}  // namespace weir::verify
