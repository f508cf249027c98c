// weir explore: load, visit all executions, report how many there are.
#include "verify/explore.hpp"

#include "cli/checkpoints.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/explore_plot.hpp"
#include "cli/console.hpp"
#include "cli/loading.hpp"
#include "cli/options/exploration.hpp"
#include "cli/presenter.hpp"
#include "cli/session.hpp"
#include "engine/smc/smc.hpp"
#include "program/text/text.hpp"
#include "report/exit_code.hpp"
#include "report/explore_report.hpp"
#include "verify/restrictions.hpp"

namespace weir::cli {

namespace {

SmcAnswer explore(const Program& program, const SmcOptions& options, const Settings& settings,
                  Session& session) {
  session.enter("exploring");
  if (!settings.given(OptionId::kPlot)) return verify::explore(program, options, session.context());
  // With a plot, the session has time for all equivalences, and this is one.
  Context own(session.context(), {.timeout = time_limit(settings), .memory_bytes = {}});
  return verify::explore(program, options, own);
}

SarifLog sarif_log(const ExploreReport& report, const RunInfo& run, int code) {
  const char* const verdict = code == kDone ? "done" : code == kUnknown ? "unknown" : "unsafe";
  SarifLog log{report.program.sources, run, verdict, report.answer.reason, code, {}};
  if (report.answer.witness) log.results.push_back(sarif_result(report.program, *report.answer.witness));
  return log;
}

Presentable presentable(const ExploreReport& report, const RunInfo& run, int code) {
  const SmcAnswer& answer = report.answer;
  Presentable result{.code = code, .program = &report.program};
  result.json = [&](const Presentation& shown) { return explore_json(report, run, shown); };
  result.line = [&](const Presentation& shown) { return explore_line(report, run, shown); };
  result.text = [&](const Presentation& shown) { return explore_text(report, run, shown); };
  result.figures = [&] { return statistics_text("smc", answer.statistics); };
  result.witness = answer.witness ? &*answer.witness : nullptr;
  result.log = [&, code] { return sarif_log(report, run, code); };
  result.page = [&] { return explorer_page(report, run); };
  return result;
}

}  // namespace

int run_explore(const CommandLine& line, Session& session) {
  const Settings& settings = line.settings;
  auto asked = exploration(settings);
  if (!asked) return fail_usage(line, asked.error());
  SmcOptions& options = *asked;
  auto program = load_program(line, session);
  if (!program) return fail_input(line, program.error());
  if (const auto error = find_root(*program, settings, options)) return fail_usage(line, *error);
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
  present(line, session, run, presentable(report, run, code));
  if (settings.given(OptionId::kPlot)) {
    session.enter("exploring for the plot");
    deliver(line, [&] { return write_explore_plot(line, *program, options, session.context()); });
  }
  return code;
}

}  // namespace weir::cli
