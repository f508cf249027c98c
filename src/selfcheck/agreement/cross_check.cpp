#include "selfcheck/agreement/cross_check.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include "base/context.hpp"
#include "base/error.hpp"
#include "check/outcome_difference.hpp"
#include "engine/explicit/final_states.hpp"
#include "frontend/litmus/litmus.hpp"
#include "program/validate.hpp"

namespace weir::selfcheck {

namespace {

LitmusTest parsed(const std::string& name, std::string text) {
  auto test = parse_litmus(name, std::move(text));
  if (!test)
    throw InternalError("a generated test cannot be read: " +
                        render(test.error().diagnostics.front(), test.error().sources));
  WEIR_CHECK(validate(test->program).empty(), "a generated test is well formed");
  return std::move(*test);
}

}  // namespace

CrossCheck::CrossCheck() {
  for (const Model model : all_models()) allowed[model] = 0;
}

void cross_check(const std::string& name, std::string text, CrossCheck& totals) {
  const LitmusTest test = parsed(name, std::move(text));
  Context context;
  const AxiomaticOutcomes axioms = axiomatic_outcomes(test.program);
  if (!axioms.complete) throw InternalError("no axioms for a generated test: " + axioms.reason);
  totals.candidates += axioms.candidates;
  for (const Model model : all_models()) {
    const FinalStates found = search_final_states(test.program, {.model = model, .registers = true}, context);
    if (!found.complete) throw InternalError("the search of a generated test is not complete");
    if (const std::string problem = outcome_difference(test.program, model, found.states, axioms);
        !problem.empty())
      throw InternalError(problem + "\n" + test.program.sources.file(FileId(0)).text);
    totals.states += found.states.size();
    const auto holds = [&](const FinalState& state) {
      return test.question.condition.holds(test.question.values(state));
    };
    totals.allowed[model] += std::ranges::any_of(found.states, holds) ? 1 : 0;
  }
}

std::string cross_check_text(const CrossCheck& totals, double seconds) {
  std::vector<std::string> allowed;
  for (const auto& [model, count] : totals.allowed)
    allowed.push_back(fmt::format("{} under {}", count, name(model)));
  return fmt::format(
      "{} tests: search and axioms agree under {}\n"
      "conditions allowed: {}\n"
      "{} final states, {} candidate executions, {:.2f} s, {:.0f} tests per second\n",
      totals.tests, model_names(", ", " and "), fmt::join(allowed, ", "), totals.states, totals.candidates,
      seconds, static_cast<double>(totals.tests) / std::max(seconds, 1e-9));
}

Statistics statistics(const CrossCheck& totals) {
  Statistics result;
  result.set("tests", totals.tests);
  result.set("final_states", totals.states);
  result.set("candidates", totals.candidates);
  return result;
}

}  // namespace weir::selfcheck
