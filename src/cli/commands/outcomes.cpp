// weir outcomes: load, explore everything under each model, list how executions can end. A litmus test asks
// what is observed by itself; of other programs, the shared variables are.
#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "cli/commands/commands.hpp"
#include "cli/console.hpp"
#include "cli/exit_code.hpp"
#include "cli/loading.hpp"
#include "cli/options/value_limits.hpp"
#include "cli/outputs.hpp"
#include "cli/session.hpp"
#include "frontend/litmus/litmus.hpp"
#include "report/execution/execution_graph.hpp"
#include "report/outcomes_report.hpp"
#include "selfcheck/agreement/outcome_agreement.hpp"
#include "verify/final_witness.hpp"
#include "verify/restrictions.hpp"

namespace weir::cli {

namespace {

// What the command is about.
struct Subject {
  LitmusTest test;  // of another program, with a question that has no condition
  bool litmus = false;
  std::vector<FinalCondition> shown;  // how executions end that are to be shown
};

Expected<Subject> load_subject(const CommandLine& line, Session& session) {
  auto loaded = load_source(line, session);
  if (!loaded) return std::move(loaded.error());
  Subject subject;
  subject.litmus = loaded->language->name == "litmus";
  if (subject.litmus)
    subject.test = std::move(*parse_litmus(line.file, std::move(loaded->text)));
  else
    subject.test.program = std::move(loaded->program);
  return subject;
}

// Variables.

std::vector<std::string> variable_names(const Program& program) {
  std::vector<std::string> names;
  for (const SharedObject& object : program.objects)
    if (!object.constant) names.push_back(object.name);
  return names;
}

// In C a number may be an address; the small languages have none that their users know.
void observe(LitmusTest& test, const SharedObject& object) {
  for (std::size_t k = 0; k < object.initial.size(); ++k) {
    const Value address = object.base + static_cast<Value>(k) * object.stride;
    test.question.places.push_back({.name = test.program.address_name(address),
                                    .address = address,
                                    .type = object.type,
                                    .addresses = test.program.byte_memory});
  }
}

// Those that --show names, or all variables that stand in the user's text.
std::optional<UsageError> observe_variables(LitmusTest& test, const Settings& settings) {
  const std::vector<std::string>& wanted = settings.list(OptionId::kShow);
  for (const std::string& name : wanted) {
    const auto found = std::ranges::find(test.program.objects, name, &SharedObject::name);
    if (found == test.program.objects.end())
      return UsageError{fmt::format("there is no shared variable '{}'", name),
                        guess_for(name, variable_names(test.program))};
    observe(test, *found);
  }
  for (const SharedObject& object : test.program.objects)
    if (wanted.empty() && object.position.known() && !object.constant) observe(test, object);
  return std::nullopt;
}

// Conditions that --show has for a litmus test; a name is one more place to observe.
std::optional<InputError> observe_conditions(Subject& subject, const Settings& settings) {
  for (const std::string& text : settings.list(OptionId::kShow)) {
    const bool is_condition = text.find('=') != std::string::npos;
    auto condition = parse_final_condition(subject.test, is_condition ? text : text + "=0");
    if (!condition) return std::move(condition.error());
    if (is_condition) subject.shown.push_back(std::move(*condition));
  }
  const bool drawn = settings.given(OptionId::kExecutionDot) || settings.given(OptionId::kSvg);
  if (drawn && subject.shown.empty()) subject.shown.push_back(subject.test.question.condition);
  return std::nullopt;
}

std::optional<UsageError> check_usage(const Subject& subject, const Settings& settings) {
  for (const OptionId id : {OptionId::kExecutionDot, OptionId::kSvg})
    if (settings.given(id) && !subject.litmus)
      return UsageError{"--dot and --svg draw executions of litmus tests only", ""};
  return std::nullopt;
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

// Searching.

class OutcomesRun {
 public:
  OutcomesRun(const Subject& subject, const Settings& settings, ValueLimits values, std::vector<Model> models)
      : subject_(subject),
        program_(subject.test.program),
        question_(subject.test.question),
        settings_(settings),
        values_(std::move(values)),
        models_(std::move(models)),
        report_{.program = program_, .question = question_, .litmus = subject.litmus} {}

  void run(Context& context) {
    std::optional<AxiomaticOutcomes> axioms;
    if (settings_.flag(OptionId::kCrossCheck))
      axioms = axiomatic_outcomes(program_, {.stopped = [&] { return context.stopped(); }});
    for (const Model model : models_) {
      const FinalStates found = search_final_states(program_, search_options(model), context);
      if (axioms) compare(*axioms, found, model);
      add_outcomes(found, model);
    }
    for (const FinalCondition& condition : subject_.shown)
      for (const Model model : models_) show(condition, model, context);
  }

  // One execution per outcome, under the first model that has it; those that a litmus test asks about first.
  void add_examples(Context& context) {
    std::set<std::vector<Value>> seen;
    for (const bool asked : {true, false})
      for (const ModelOutcomes& outcomes : report_.models)
        for (const std::vector<Value>& values : outcomes.values) {
          if (report_.examples.size() == kMostExamples || context.stopped()) return;
          const bool is_asked = report_.litmus && question_.condition.holds(values);
          if (is_asked != asked || !seen.insert(values).second) continue;
          add_example(values, outcomes.model, context);
        }
  }

  const OutcomesReport& report() const { return report_; }
  // Why the axioms could not be asked; empty if they could, or nobody wants that.
  const std::string& no_cross_check() const { return no_cross_check_; }
  bool complete() const {
    return std::ranges::all_of(report_.models, &ModelOutcomes::complete) && no_cross_check_.empty();
  }

 private:
  FinalSearchOptions search_options(Model model) const {
    FinalSearchOptions options{.model = model,
                               .registers = report_.litmus || settings_.flag(OptionId::kCrossCheck)};
    if (const auto buffer = settings_.number(OptionId::kBuffer))
      options.buffer = static_cast<std::uint32_t>(std::min<std::uint64_t>(*buffer, UINT32_MAX));
    options.local_steps = settings_.number(OptionId::kLocalSteps).value();
    options.values = values_;
    return options;
  }

  void compare(const AxiomaticOutcomes& axioms, const FinalStates& found, Model model) {
    if (!axioms.complete)
      no_cross_check_ = axioms.reason;
    else if (!found.complete)
      no_cross_check_ = "the search is not complete";
    else if (const std::string problem = selfcheck::outcome_difference(program_, model, found, axioms);
             !problem.empty())
      throw InternalError(problem);
    report_.cross_checked = no_cross_check_.empty();
  }

  void add_outcomes(const FinalStates& found, Model model) {
    ModelOutcomes outcomes{
        .model = model, .stuck = found.stuck, .complete = found.complete, .answer = found.answer};
    for (const FinalState& state : found.states) {
      std::vector<Value> values = question_.values(state);
      if (question_.filter.holds(values)) outcomes.values.insert(std::move(values));
    }
    report_.models.push_back(std::move(outcomes));
  }

  void show(const FinalCondition& condition, Model model, Context& context) {
    verify::FinalWitness found = verify::find_final_witness(program_, question_, condition, model, context);
    if (!found.complete) return;
    report_.shown.push_back(
        {model, condition_text(program_, question_, condition), std::move(found.witness)});
  }

  void add_example(const std::vector<Value>& values, Model model, Context& context) {
    verify::FinalWitness found =
        verify::find_final_witness(program_, question_, exactly(values), model, context);
    if (found.witness) report_.examples.push_back({values, std::move(*found.witness)});
  }

  static FinalCondition exactly(const std::vector<Value>& values) {
    FinalCondition all{.op = FinalCondition::Op::kAnd};
    for (std::size_t place = 0; place < values.size(); ++place)
      all.parts.push_back({.op = FinalCondition::Op::kIs, .place = place, .value = values[place]});
    return all.parts.empty() ? FinalCondition{} : all;
  }

  static constexpr std::size_t kMostExamples = 40;  // each takes a search, and a place on the page

  const Subject& subject_;
  const Program& program_;
  const FinalQuestion& question_;
  const Settings& settings_;
  ValueLimits values_;
  std::vector<Model> models_;
  OutcomesReport report_;
  std::string no_cross_check_;
};

std::string report_text(const OutcomesReport& report, const RunInfo& run, const Settings& settings) {
  const Presentation shown = presentation(settings);
  if (settings.flag(OptionId::kJson)) return outcomes_json(report, run, shown);
  if (settings.flag(OptionId::kQuiet)) return outcomes_line(report, shown);
  std::string text = outcomes_text(report, run, shown);
  if (settings.flag(OptionId::kVerbose))
    for (const ModelOutcomes& outcomes : report.models) text += statistics_text(outcomes.answer);
  return text;
}

// The drawing of the last model that allows the execution.
std::optional<Diagnostic> write_drawings(const OutcomesReport& report, const Settings& settings) {
  for (auto shown = report.shown.rbegin(); shown != report.shown.rend(); ++shown) {
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

}  // namespace

int run_outcomes(const CommandLine& line, Session& session) {
  const Settings& settings = line.settings;
  const auto models = wanted_models(settings);
  if (!models) return fail_usage(line, models.error());
  auto subject = load_subject(line, session);
  if (!subject) return fail_input(line, subject.error());
  if (auto error = check_usage(*subject, settings)) return fail_usage(line, *error);
  if (!subject->litmus)
    if (auto error = observe_variables(subject->test, settings)) return fail_usage(line, *error);
  if (subject->litmus)
    if (auto error = observe_conditions(*subject, settings)) return fail_input(line, *error);
  Program& program = subject->test.program;
  auto values = value_limits(program, settings);
  if (!values) return fail_usage(line, values.error());

  program.properties = {};  // what is asked is where executions end, not whether they are right
  RunInfo info = run_info(line, models.value().front());
  OutcomesRun run(*subject, settings, std::move(*values), models.value());
  session.enter("looking for final states");
  run.run(session.context());
  note_cost(info, session.context());
  for (const ModelOutcomes& outcomes : run.report().models)
    warn(program, outcomes.answer.diagnostics, settings);
  warn(program, verify::restriction_warnings(program), settings);
  if (!run.no_cross_check().empty())
    warn(program, {{Severity::kWarning, "no cross-check: " + run.no_cross_check(), {}, ""}}, settings);
  const int code = run.complete() ? kDone : kUnknown;
  session.enter("writing the answer");
  session.answer(report_text(run.report(), info, settings), code);
  deliver(line, [&] { return write_drawings(run.report(), settings); });
  if (settings.given(OptionId::kHtml)) {
    session.enter("looking for executions for the page");
    run.add_examples(session.context());
  }
  deliver(line,
          [&] { return write_html(info, settings, [&] { return explorer_page(run.report(), info); }); });
  return code;
}

}  // namespace weir::cli
