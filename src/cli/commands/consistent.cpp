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

Presentable presentable(const ConsistencyReport& report, const RunInfo& run) {
  Presentable result{.code = exit_code(report.found.outcome)};
  result.json = [&](const Presentation&) { return consistency_json(report, run); };
  result.line = [&](const Presentation& shown) { return consistency_verdict_line(report, run, shown); };
  result.text = [&](const Presentation& shown) { return consistency_text(report, run, shown); };
  result.figures = [&] { return statistics_text(report.found.engine, report.found.statistics); };
  result.page = [&] { return explorer_page(report, run); };
  return result;
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
  const ConsistencyReport report{named.value(), found};
  return present(line, session, run, presentable(report, run));
}

}  // namespace weir::cli
