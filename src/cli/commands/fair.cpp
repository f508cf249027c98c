// weir fair: a system or a program, and what is asked about it; solve, report.
#include <charconv>
#include <fmt/format.h>

#include "cli/commands/commands.hpp"
#include "cli/console.hpp"
#include "cli/loading.hpp"
#include "cli/presenter.hpp"
#include "cli/session.hpp"
#include "report/exit_code.hpp"
#ifdef WEIR_HAS_BUDDY
#include "report/fairness_report.hpp"
#include "verify/fair/starvation.hpp"
#include "verify/fair/system.hpp"
#endif

namespace weir::cli {

#ifndef WEIR_HAS_BUDDY

int run_fair(const CommandLine& line, Session&) {
  return fail_usage(line, {"this weir was built without BuDDy, which weir fair needs", ""});
}

#else

namespace {

using fairness::StreettOptions;
using fairness::Threshold;

// About the question, which begins with the name of an option, or about a file.
UsageError of_option(const Diagnostic& problem) { return {"--" + problem.message, problem.hint}; }

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

// Systems.

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
  const std::string text = in_wanted_form(
      settings, [&](const Presentation&) { return fairness_json(report, run); },
      [&](const Presentation& shown) { return fairness_verdict_line(report, shown); },
      [&](const Presentation& shown) { return fairness_text(report, run, shown); },
      [&] { return statistics_text(found.algorithm, found.statistics); });
  return session.answer(text, exit_code(found));
}

// Programs.

fairness::Scheduler scheduler(std::string_view name) {
  if (name == "none") return fairness::Scheduler::kAny;
  if (name == "strong") return fairness::Scheduler::kStrong;
  return name == "random" ? fairness::Scheduler::kDice : fairness::Scheduler::kWeak;
}

Expected<fairness::StarvationOptions, UsageError> starvation_options(const Settings& settings) {
  auto streett = streett_options(settings);
  if (!streett) return streett.error();
  fairness::StarvationOptions options{.model = parse_model(settings.text(OptionId::kModel)).value(),
                                      .scheduler = scheduler(settings.text(OptionId::kFairness)),
                                      .fair_flushes = !settings.flag(OptionId::kLazyFlushes),
                                      .local_steps = settings.number(OptionId::kLocalSteps).value(),
                                      .streett = *streett};
  if (const auto buffer = settings.number(OptionId::kBuffer)) {
    if (*buffer == 0 || *buffer > 1000) return UsageError{"--buffer needs a number from 1 to 1000", ""};
    options.buffer = static_cast<std::uint32_t>(*buffer);
  }
  return options;
}

std::optional<UsageError> check_places(const Settings& settings) {
  for (const auto& [option, name] :
       {std::pair(OptionId::kRequest, "--request"), {OptionId::kGrant, "--grant"}})
    if (settings.list(option).empty())
      return UsageError{fmt::format("weir fair needs {} PLACES for a program", name),
                        "as in --request P0:want --grant P0:cs"};
  return std::nullopt;
}

int check_program_fairness(const CommandLine& line, Session& session) {
  const Settings& settings = line.settings;
  auto program = load_program(line, session);
  if (!program) return fail_input(line, program.error());
  if (const auto error = check_focus(*program, settings)) return fail_usage(line, *error);
  if (const auto error = check_places(settings)) return fail_usage(line, *error);
  const auto responses =
      verify::find_responses(*program, settings.list(OptionId::kRequest), settings.list(OptionId::kGrant));
  if (!responses) return fail_usage(line, of_option(responses.error()));
  const auto options = starvation_options(settings);
  if (!options) return fail_usage(line, options.error());
  RunInfo run = run_info(line, options.value().model);
  session.enter("searching");
  const Answer answer =
      verify::check_starvation(*program, responses.value(), options.value(), session.context());
  note_cost(run, session.context());
  const int code = exit_code(answer.verdict);
  if (answer.witness) run.witness_file = settings.text(OptionId::kWitness);
  const std::string text = in_wanted_form(
      settings, [&](const Presentation& shown) { return json_report(*program, answer, run, shown); },
      [&](const Presentation& shown) { return verdict_line(answer, run, shown); },
      [&](const Presentation& shown) { return text_report(*program, answer, run, shown); },
      [&] { return statistics_text(answer); });
  session.answer(text, code);
  deliver(line, [&] { return write_files(line, *program, answer.witness ? &*answer.witness : nullptr); });
  deliver(line,
          [&] { return write_html(run, settings, [&] { return explorer_page(*program, answer, run); }); });
  deliver(line, [&] { return write_sarif(*program, answer, run, code, settings); });
  return code;
}

}  // namespace

int run_fair(const CommandLine& line, Session& session) {
  return verify::is_system_path(line.file) ? solve_system(line, session)
                                           : check_program_fairness(line, session);
}

#endif

}  // namespace weir::cli
