#include "verify/outcomes/outcomes.hpp"

#include <algorithm>

#include "report/explorer/html_report.hpp"
#include "report/explorer/pages.hpp"
#include "report/outcomes_report.hpp"
#include "verify/restrictions.hpp"
#include "weir/inside/content.hpp"
#include "weir/inside/echo.hpp"
#include "weir/inside/report.hpp"
#include "weir/inside/words.hpp"

namespace weir::v1 {

namespace {

struct EndsReport final : Answer::Report {
  verify::Observation observation;
  Outcomes found;

  OutcomesReport parts() const { return parts(found); }
  OutcomesReport parts(const Outcomes& shown) const {
    return {observation.test.program, observation.test.question, observation.litmus, shown};
  }
  std::string json() const override { return outcomes_json(parts(), run, kPlain); }
  std::string text() const override { return outcomes_text(parts(), run, kPlain); }
  // The executions on it are searched for when somebody asks for the page.
  std::string page() const override {
    Outcomes shown = found;
    Context context;
    shown.examples = verify::outcome_examples(observation, found, context);
    return html_report(explorer_page(parts(shown), run), run);
  }
};

std::vector<weir::Model> models(const OutcomesOptions& options) {
  if (options.models.empty()) fail_usage("there is no memory model to look at");
  std::vector<weir::Model> result;
  for (const Model model : options.models)
    if (std::ranges::find(result, inside(model)) == result.end()) result.push_back(inside(model));
  return result;
}

std::variant<std::monostate, std::int64_t, std::uint64_t, std::string> shown_value(
    const weir::Program& program, const ObservedPlace& place, Value value) {
  if (value == kUninitialised) return std::monostate();
  if (auto variable = place.addresses ? variable_at(program, value) : std::nullopt)
    return std::move(*variable);
  if (place.type.bits == 64 && !place.type.is_signed) return static_cast<std::uint64_t>(value);
  return value;
}

ModelOutcomes shown_outcomes(const verify::Observation& observation, const weir::ModelOutcomes& found) {
  const FinalQuestion& question = observation.test.question;
  ModelOutcomes out{.model = outside(found.model), .complete = found.complete, .stuck = found.stuck};
  for (const std::vector<Value>& values : found.values) {
    Outcome& outcome = out.outcomes.emplace_back();
    for (std::size_t i = 0; i < values.size(); ++i)
      outcome[question.places[i].name] = shown_value(observation.test.program, question.places[i], values[i]);
  }
  if (!observation.litmus) return out;
  const Judgement judgement = judge(question, found);
  out.holds = judgement.holds(question.quantifier);
  out.observation = judgement.observation();
  return out;
}

RunInfo echoed(const Program& program, const OutcomesOptions& options,
               const std::vector<weir::Model>& models) {
  RunInfo info = run_info("outcomes", program, models.front(), options.run);
  std::string names;
  for (const weir::Model model : models) names += (names.empty() ? "" : ",") + std::string(weir::name(model));
  echo(info, "model", names);
  echo(info, "show", options.show);
  echo(info, "cross-check", options.cross_check);
  echo(info, options.limits);
  return info;
}

verify::Observation observed(const Program::Content& content, const OutcomesOptions& options, Call& call) {
  verify::Observation result = verify::observation(*content.read({}, call));
  if (const auto problem = verify::observe(result, options.show)) {
    if (result.litmus) fail_input(*problem);
    fail_usage(problem->diagnostics.front().message, problem->diagnostics.front().hint);
  }
  return result;
}

void add_warnings(OutcomesAnswer& answer, const EndsReport& report) {
  const weir::Program& program = report.observation.test.program;
  for (const weir::ModelOutcomes& outcomes : report.found.models)
    add_shown(answer.warnings, outcomes.answer.diagnostics, program.sources);
  add_shown(answer.warnings, verify::restriction_warnings(program), program.sources);
  if (!report.found.no_cross_check.empty())
    add_shown(answer.warnings,
              {{weir::Severity::kWarning, "no cross-check: " + report.found.no_cross_check, {}, ""}}, {});
}

OutcomesAnswer ask(const Program& program, const OutcomesOptions& options, Call& call) {
  auto report = std::make_shared<EndsReport>();
  report->observation = observed(program.content(), options, call);
  const verify::OutcomesQuestion question{
      .models = models(options),
      .cross_check = options.cross_check,
      .buffer = options.limits.buffer,
      .local_steps = options.limits.local_steps,
      .values = value_limits(report->observation.test.program, options.limits)};
  report->found = verify::find_outcomes(report->observation, question, call.context());
  report->run = echoed(program, options, question.models);
  note_cost(report->run, call);

  const weir::ModelOutcomes& worst = worst_outcomes(report->found);
  const std::string reason = outcomes_reason(worst);
  OutcomesAnswer answer;
  tell(answer,
       {report->found.complete() ? Verdict::kDone : Verdict::kUnknown, reason, worst.answer.bound,
        worst.answer.engine, question.models.front(), worst.answer.statistics},
       call);
  add_warnings(answer, *report);
  for (const weir::ModelOutcomes& outcomes : report->found.models)
    answer.models.push_back(shown_outcomes(report->observation, outcomes));
  if (report->observation.litmus)
    answer.condition = question_text(report->observation.test.program, report->observation.test.question);
  answer.report = std::move(report);
  return answer;
}

}  // namespace

Result<OutcomesAnswer> outcomes(const Program& program, const OutcomesOptions& options) {
  return answered(options.run, [&](Call& call) { return ask(program, options, call); });
}

}  // namespace weir::v1
