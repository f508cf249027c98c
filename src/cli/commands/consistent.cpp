// weir consistent: read what happened, look for an execution in which it does, report.
#include "verify/consistent.hpp"

#include "cli/commands/commands.hpp"
#include "cli/console.hpp"
#include "cli/loading.hpp"
#include "cli/presenter.hpp"
#include "cli/session.hpp"
#include "report/consistency_report.hpp"
#include "report/exit_code.hpp"

namespace weir::cli {

namespace {

consistency::VerifyOptions verify_options(const Settings& settings, Model model) {
  using namespace consistency;
  return {model, settings.text(OptionId::kAlgorithm) == "naive" ? Algorithm::kNaive : Algorithm::kVerify,
          settings.flag(OptionId::kNoClosure) ? ClosureUse::kNever : ClosureUse::kFirst};
}

std::string report_text(const ConsistencyReport& report, const RunInfo& run, const Settings& settings) {
  return in_wanted_form(
      settings, [&](const Presentation&) { return consistency_json(report, run); },
      [&](const Presentation& shown) { return consistency_verdict_line(report, run, shown); },
      [&](const Presentation& shown) { return consistency_text(report, run, shown); },
      [&] { return statistics_text(report.found.engine, report.found.statistics); });
}

}  // namespace

int run_consistent(const CommandLine& line, Session& session) {
  const Settings& settings = line.settings;
  if (line.files.size() > 1) return fail_usage(line, {"weir consistent takes one file", ""});
  RunInfo run = run_info(line, parse_model(settings.text(OptionId::kModel)).value());
  const auto named = verify::load_instance(line.file, run.model);
  if (!named) return fail_input(line, named.error());
  session.enter("looking for the execution");
  const auto found =
      verify::check_consistency(named.value(), verify_options(settings, run.model), session.context());
  note_cost(run, session.context());
  session.enter("writing the answer");
  const ConsistencyReport report{named.value(), found};
  session.answer(report_text(report, run, settings), exit_code(found.outcome));
  deliver(line, [&] { return write_html(run, settings, [&] { return explorer_page(report, run); }); });
  return exit_code(found.outcome);
}

}  // namespace weir::cli
