#include "cli/commands/fair_system.hpp"

#ifdef WEIR_HAS_BUDDY

#include <charconv>
#include <fmt/format.h>

#include "cli/console.hpp"
#include "cli/presenter.hpp"
#include "report/exit_code.hpp"
#include "report/fairness_report.hpp"

namespace weir::cli {

using fairness::StreettOptions;
using fairness::Threshold;

Expected<StreettOptions, UsageError> streett_options(const Settings& settings) {
  StreettOptions options;
  if (settings.text(OptionId::kFairAlgorithm) == "basic") options.algorithm = fairness::Algorithm::kBasic;
  const std::string_view threshold = settings.text(OptionId::kThreshold);
  if (threshold == "bound") {
    options.threshold.kind = Threshold::Kind::kBound;
  } else if (threshold == "log") {
    options.threshold.kind = Threshold::Kind::kLogarithm;
  } else if (threshold != "adaptive") {
    const auto number = settings.number(OptionId::kThreshold);
    if (!number)
      return UsageError{fmt::format("--threshold cannot be '{}'", threshold),
                        "possible are adaptive, log, bound, and a number"};
    options.threshold = {Threshold::Kind::kNumber, *number};
  }
  return options;
}

UsageError of_option(const Diagnostic& problem) { return {"--" + problem.message, problem.hint}; }

namespace {

std::optional<UsageError> check_system_options(const CommandLine& line) {
  const Settings& settings = line.settings;
  if (line.files.size() > 1) return UsageError{"weir fair takes one system", ""};
  if (settings.given(OptionId::kHtml))
    return UsageError{"--html shows executions of programs, and this is a system", "leave --html out"};
  if (settings.given(OptionId::kSarif)) return UsageError{"--sarif is about programs, not about systems", ""};
  if (!line.file.ends_with(".tra") && settings.given(OptionId::kLabels))
    return UsageError{"--labels belongs to a .tra file", ""};
  const bool automaton = settings.given(OptionId::kAutomaton);
  if (automaton && (settings.given(OptionId::kPair) || settings.given(OptionId::kPairs)))
    return UsageError{"--automaton cannot be combined with --pair and --pairs", ""};
  if (!automaton && settings.flag(OptionId::kNegate))
    return UsageError{"--negate belongs to --automaton", ""};
  return std::nullopt;
}

Expected<verify::SystemSource, UsageError> system_source(const CommandLine& line) {
  const Settings& settings = line.settings;
  verify::SystemSource source{.file = line.file,
                              .labels = std::string(settings.text(OptionId::kLabels)),
                              .random_vertices = std::string(settings.text(OptionId::kRandomVertices)),
                              .seed = settings.number(OptionId::kSeed).value()};
  if (!settings.given(OptionId::kRandomShare)) return source;
  const std::string_view text = settings.text(OptionId::kRandomShare);
  double share = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), share);
  if (error != std::errc() || end != text.data() + text.size() || !(share >= 0 && share <= 1))
    return UsageError{fmt::format("--random needs a share between 0 and 1, not '{}'", text), ""};
  source.random_share = share;
  return source;
}

verify::ObjectiveSource objective_source(const Settings& settings) {
  return {.automaton = std::string(settings.text(OptionId::kAutomaton)),
          .negate = settings.flag(OptionId::kNegate),
          .pairs = settings.list(OptionId::kPair),
          .pair_file = std::string(settings.text(OptionId::kPairs))};
}

}  // namespace

int solve_system(const CommandLine& line, Session& session) {
  const Settings& settings = line.settings;
  if (const auto error = check_system_options(line)) return fail_usage(line, *error);
  const auto options = streett_options(settings);
  if (!options) return fail_usage(line, options.error());
  const auto source = system_source(line);
  if (!source) return fail_usage(line, source.error());
  RunInfo run = run_info(line, Model::kSc);
  const auto system = verify::load_system(source.value());
  if (!system) return fail_input(line, system.error());
  if (system.value().given == 0)
    return fail_usage(line, {fmt::format("{}: the system has no states", line.file), ""});
  const auto objective = verify::load_objective(system.value(), objective_source(settings));
  if (!objective) {
    const auto* about_file = std::get_if<InputError>(&objective.error());
    return about_file != nullptr ? fail_input(line, *about_file)
                                 : fail_usage(line, of_option(std::get<Diagnostic>(objective.error())));
  }
  const auto& [question, warnings, sources] = objective.value();
  warn(sources, warnings, settings);
  const FairnessVerdict found = verify::solve_objective(question, options.value(), session.context());
  note_cost(run, session.context());
  const FairnessReport report{question.arena, found, settings.flag(OptionId::kListWinning)};
  Presentable shown{.code = exit_code(found)};
  shown.json = [&](const Presentation&) { return fairness_json(report, run); };
  shown.line = [&](const Presentation& how) { return fairness_verdict_line(report, how); };
  shown.text = [&](const Presentation& how) { return fairness_text(report, run, how); };
  shown.figures = [&] { return statistics_text(found.algorithm, found.statistics); };
  return present(line, session, run, shown);
}

}  // namespace weir::cli

#endif
