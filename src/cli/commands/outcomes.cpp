// weir outcomes: load, ask how executions can end under each model, report.
#include "verify/outcomes/outcomes.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "cli/commands/commands.hpp"
#include "cli/console.hpp"
#include "cli/loading.hpp"
#include "cli/options/question.hpp"
#include "cli/options/value_limits.hpp"
#include "cli/outputs.hpp"
#include "cli/presenter.hpp"
#include "cli/session.hpp"
#include "report/execution/execution_graph.hpp"
#include "report/exit_code.hpp"
#include "report/outcomes_report.hpp"
#include "verify/restrictions.hpp"

namespace weir::cli {

namespace {

bool draws(const Settings& settings) {
  return settings.given(OptionId::kExecutionDot) || settings.given(OptionId::kSvg);
}

Expected<std::vector<Model>, UsageError> wanted_models(const Settings& settings) {
  std::vector<Model> models;
  std::string_view rest = settings.text(OptionId::kOutcomesModels);
  while (true) {
    const std::string_view word = rest.substr(0, rest.find(','));
    const auto model = parse_model(word);
    if (!model)
      return UsageError{fmt::format("--model cannot be '{}'", word), "possible are " + model_names(", ")};
    if (std::ranges::find(models, *model) == models.end()) models.push_back(*model);
    if (word.size() == rest.size()) return models;
    rest.remove_prefix(word.size() + 1);
  }
}

// A drawing needs an execution: without --show, one of the test's own condition.
std::optional<InputError> observe_what_is_shown(verify::Observation& observation, const Settings& settings) {
  auto problem = verify::observe(observation, settings.list(OptionId::kShow));
  if (draws(settings) && observation.shown.empty())
    observation.shown.push_back(observation.test.question.condition);
  return problem;
}

Expected<verify::OutcomesQuestion, UsageError> outcomes_question(const Program& program,
                                                                 std::vector<Model> models,
                                                                 const Settings& settings) {
  auto values = value_limits(program, settings);
  if (!values) return values.error();
  return verify::OutcomesQuestion{.models = std::move(models),
                                  .cross_check = settings.flag(OptionId::kCrossCheck),
                                  .buffer = buffer_bound(settings),
                                  .local_steps = settings.number(OptionId::kLocalSteps).value(),
                                  .values = std::move(*values)};
}

void warn_about(const Program& program, const Outcomes& found, const Settings& settings) {
  for (const ModelOutcomes& outcomes : found.models) warn(program, outcomes.answer.diagnostics, settings);
  warn(program, verify::restriction_warnings(program), settings);
  if (!found.no_cross_check.empty())
    warn(program, {{Severity::kWarning, "no cross-check: " + found.no_cross_check, {}, ""}}, settings);
}

std::string figures_text(const Outcomes& found) {
  std::string text;
  for (const ModelOutcomes& outcomes : found.models) text += statistics_text(outcomes.answer);
  return text;
}

// The drawing of the last model that allows the execution.
std::optional<Diagnostic> write_drawings(const OutcomesReport& report, const Settings& settings) {
  for (auto shown = report.found.shown.rbegin(); shown != report.found.shown.rend(); ++shown) {
    if (!shown->witness) continue;
    if (settings.given(OptionId::kExecutionDot))
      if (auto problem = write_file(std::string(settings.text(OptionId::kExecutionDot)),
                                    execution_dot(report.program, *shown->witness)))
        return problem;
    if (!settings.given(OptionId::kSvg)) return std::nullopt;
    return write_file(std::string(settings.text(OptionId::kSvg)),
                      execution_svg(report.program, *shown->witness));
  }
  return std::nullopt;
}

Presentable presentable(const OutcomesReport& report, const RunInfo& run, const Settings& settings) {
  Presentable result{.code = exit_code(report.found)};
  result.json = [&](const Presentation& shown) { return outcomes_json(report, run, shown); };
  result.line = [&](const Presentation& shown) { return outcomes_line(report, shown); };
  result.text = [&](const Presentation& shown) { return outcomes_text(report, run, shown); };
  result.figures = [&] { return figures_text(report.found); };
  result.others = {[&] { return write_drawings(report, settings); }};
  return result;
}

}  // namespace

int run_outcomes(const CommandLine& line, Session& session) {
  const Settings& settings = line.settings;
  auto models = wanted_models(settings);
  if (!models) return fail_usage(line, models.error());
  auto loaded = load_source(line, session);
  if (!loaded) return fail_input(line, loaded.error());
  verify::Observation observation = verify::observation(std::move(*loaded));
  if (draws(settings) && !observation.litmus)
    return fail_usage(line, {"--dot and --svg draw executions of litmus tests only", ""});
  if (const auto problem = observe_what_is_shown(observation, settings)) {
    if (observation.litmus) return fail_input(line, *problem);
    return fail_usage(line, {problem->diagnostics[0].message, problem->diagnostics[0].hint});
  }
  const Program& program = observation.test.program;
  RunInfo info = run_info(line, models->front());
  const auto question = outcomes_question(program, std::move(*models), settings);
  if (!question) return fail_usage(line, question.error());

  session.enter("looking for final states");
  Outcomes found = verify::find_outcomes(observation, question.value(), session.context());
  note_cost(info, session.context());
  warn_about(program, found, settings);
  const OutcomesReport report{program, observation.test.question, observation.litmus, found};
  const int code = present(line, session, info, presentable(report, info, settings));
  if (settings.given(OptionId::kHtml)) {
    session.enter("looking for executions for the page");
    found.examples = verify::outcome_examples(observation, found, session.context());
  }
  deliver_page(line, info, [&] { return explorer_page(report, info); });
  return code;
}

}  // namespace weir::cli
