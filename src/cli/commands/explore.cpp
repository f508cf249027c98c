// weir explore: load, visit all executions, report how many there are.
#include "verify/explore.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "cli/checkpoints.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/explore_plot.hpp"
#include "cli/console.hpp"
#include "cli/loading.hpp"
#include "cli/options/question.hpp"
#include "cli/presenter.hpp"
#include "cli/session.hpp"
#include "engine/smc/smc.hpp"
#include "program/text/text.hpp"
#include "report/exit_code.hpp"
#include "report/explore_report.hpp"
#include "verify/restrictions.hpp"

namespace weir::cli {

namespace {

std::string report_text(const ExploreReport& report, const RunInfo& run, const Settings& settings) {
  return in_wanted_form(
      settings, [&](const Presentation& shown) { return explore_json(report, run, shown); },
      [&](const Presentation& shown) { return explore_line(report, run, shown); },
      [&](const Presentation& shown) { return explore_text(report, run, shown); },
      [&] { return statistics_text("smc", report.answer.statistics); });
}

std::optional<UsageError> check_equivalence(const Settings& settings, Equivalence equivalence) {
  const bool rooted = equivalence == Equivalence::kDataCentric || equivalence == Equivalence::kValueCentric;
  if (rooted && settings.text(OptionId::kModel) != "sc")
    return UsageError{fmt::format("{} is defined under sc only", name(equivalence)), "try rvf"};
  if (!rooted && settings.given(OptionId::kRoot))
    return UsageError{"--root is for --equivalence vc and dc", ""};
  if (!looks_at_values(equivalence) && settings.given(OptionId::kWithout))
    return UsageError{"--without is for --equivalence rvf, vc and dc", ""};
  if (looks_at_values(equivalence) && settings.flag(OptionId::kEstimate))
    return UsageError{"--estimate is for --equivalence mazurkiewicz, observers and rf",
                      "an estimate for rf is an upper bound for rvf"};
  return std::nullopt;
}

// None if the list names something else.
std::optional<ValueHeuristics> heuristics_without(std::string_view list) {
  ValueHeuristics heuristics;
  const std::pair<std::string_view, bool*> known[] = {{"closure", &heuristics.closure},
                                                      {"greedy", &heuristics.greedy},
                                                      {"guidance", &heuristics.guidance},
                                                      {"relaxations", &heuristics.relaxations},
                                                      {"signals", &heuristics.signals}};
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t comma = std::min(list.find(',', begin), list.size());
    const std::string_view word = list.substr(begin, comma - begin);
    const auto found = std::ranges::find(known, word, &std::pair<std::string_view, bool*>::first);
    if (found == std::end(known)) return std::nullopt;
    *found->second = false;
    begin = comma + 1;
  }
  return heuristics;
}

// By name or number; none if there is no such thread.
std::optional<std::size_t> find_thread(const Program& program, std::string_view text) {
  for (std::size_t t = 0; t < program.threads.size(); ++t)
    if (program.threads[t].name == text || std::to_string(t) == text) return t;
  return std::nullopt;
}

std::string thread_names(const Program& program) {
  std::string names;
  for (const Thread& thread : program.threads) names += (names.empty() ? "" : ", ") + thread.name;
  return names;
}

std::optional<UsageError> check_checkpoints(const Settings& settings) {
  const bool other = settings.flag(OptionId::kEstimate) || settings.given(OptionId::kPlot);
  if (wants_checkpoints(settings) && other)
    return UsageError{"estimates and plots have no checkpoints", "leave --checkpoint and --resume out"};
  return check_checkpoint_options(settings);
}

SmcAnswer explore(const Program& program, const SmcOptions& options, const Settings& settings,
                  Session& session) {
  session.enter("exploring");
  if (!settings.given(OptionId::kPlot)) return verify::explore(program, options, session.context());
  // With a plot, the session has time for all equivalences, and this is one.
  Context own(session.context(), {.timeout = time_limit(settings), .memory_bytes = {}});
  return verify::explore(program, options, own);
}

void write_everything(const CommandLine& line, const ExploreReport& report, const RunInfo& run, int code) {
  const Settings& settings = line.settings;
  const SmcAnswer& answer = report.answer;
  const Witness* const witness = answer.witness ? &*answer.witness : nullptr;
  deliver(line, [&] { return write_files(line, report.program, witness); });
  if (settings.given(OptionId::kSarif))
    deliver(line, [&] {
      SarifLog log{
          report.program.sources, run,  code == kDone ? "done" : code == kUnknown ? "unknown" : "unsafe",
          answer.reason,          code, {}};
      if (witness != nullptr) log.results.push_back(sarif_result(report.program, *witness));
      return write_sarif(log, settings);
    });
  deliver(line, [&] { return write_html(run, settings, [&] { return explorer_page(report, run); }); });
}

}  // namespace

int run_explore(const CommandLine& line, Session& session) {
  const Settings& settings = line.settings;
  SmcOptions options;
  options.model = parse_model(settings.text(OptionId::kModel)).value();
  options.equivalence = parse_equivalence(settings.text(OptionId::kEquivalence)).value();
  if (const auto error = check_equivalence(settings, options.equivalence)) return fail_usage(line, *error);
  if (const auto error = check_checkpoints(settings)) return fail_usage(line, *error);
  const auto heuristics = heuristics_without(settings.text(OptionId::kWithout));
  if (!heuristics)
    return fail_usage(line,
                      {fmt::format("--without cannot be '{}'", settings.text(OptionId::kWithout)),
                       "any of closure, greedy, guidance, relaxations, signals, with commas in between"});
  options.heuristics = *heuristics;
  auto program = load_program(line, session);
  if (!program) return fail_input(line, program.error());
  if (settings.given(OptionId::kRoot)) {
    options.root = find_thread(*program, settings.text(OptionId::kRoot));
    if (!options.root)
      return fail_usage(line, {fmt::format("there is no thread '{}'", settings.text(OptionId::kRoot)),
                               "the threads are " + thread_names(*program)});
  }
  options.stop_at_violation = settings.flag(OptionId::kStop);
  options.only_estimate = settings.flag(OptionId::kEstimate);
  options.local_steps = settings.number(OptionId::kLocalSteps).value();
  options.jobs = jobs(settings);
  auto checkpoint = open_checkpoint(line, "explore", print(*program));
  if (!checkpoint.ok()) return fail_input(line, checkpoint.error());
  options.checkpoint = checkpoint->get();
  RunInfo run = run_info(line, options.model);
  SmcAnswer answer = explore(*program, options, settings, session);
  tell_about(options.checkpoint, settings);
  note_cost(run, session.context());
  warn(*program, answer.diagnostics, settings);
  warn(*program, verify::restriction_warnings(*program), settings);
  const int code = exit_code(answer, options.stop_at_violation);
  if (answer.witness) run.witness_file = settings.text(OptionId::kWitness);
  const ExploreReport report{*program, answer, options.equivalence, options.only_estimate};
  session.enter("writing the answer");
  session.answer(report_text(report, run, settings), code);
  write_everything(line, report, run, code);
  if (settings.given(OptionId::kPlot)) {
    session.enter("exploring for the plot");
    deliver(line, [&] { return write_explore_plot(line, *program, options, session.context()); });
  }
  return code;
}

}  // namespace weir::cli
