// weir explore: load, visit all executions, report how many there are.
#include "cli/commands.hpp"
#include "cli/comparison.hpp"
#include "cli/confirmation.hpp"
#include "cli/console.hpp"
#include "cli/exit_code.hpp"
#include "cli/loading.hpp"
#include "cli/restrictions.hpp"
#include "cli/session.hpp"
#include "engine/smc/smc.hpp"
#include "report/explore_report.hpp"

namespace weir::cli {

namespace {

void print_report(const ExploreReport& report, const RunInfo& run, const Settings& settings) {
  const Presentation shown = presentation(settings);
  if (settings.flag(OptionId::kJson)) return print_out(explore_json(report, run, shown));
  if (settings.flag(OptionId::kQuiet)) return print_out(explore_line(report, run, shown));
  print_out(explore_text(report, run, shown));
  if (settings.flag(OptionId::kVerbose)) print_out(statistics_text("smc", report.answer.statistics));
}

int exit_code(const SmcAnswer& answer, bool stops) {
  if (stops && answer.witness) return kViolation;
  return answer.complete ? kDone : kUnknown;
}

}  // namespace

int run_explore(const CommandLine& line) {
  const Settings& settings = line.settings;
  auto program = load_program(line);
  if (!program) return fail_input(program.error());

  SmcOptions options;
  options.model = parse_model(settings.text(OptionId::kModel)).value();
  options.equivalence = parse_equivalence(settings.text(OptionId::kEquivalence)).value();
  options.stop_at_violation = settings.flag(OptionId::kStop);
  options.only_estimate = settings.flag(OptionId::kEstimate);
  options.local_steps = settings.number(OptionId::kLocalSteps).value();
  options.jobs = jobs(settings);
  RunInfo run = run_info(line, options.model);
  SmcAnswer answer;
  {
    Session session(settings);
    answer = explore_executions(*program, options, session.context());
    if (answer.witness) answer.witness = confirmed(*program, *answer.witness);
    note_cost(run, session.context());
  }
  warn(*program, answer.diagnostics, settings);
  warn(*program, restriction_warnings(*program), settings);
  if (const auto problem = write_files(*program, answer.witness ? &*answer.witness : nullptr, settings))
    return fail_input({*problem}, program->sources);
  if (answer.witness) run.witness_file = settings.text(OptionId::kWitness);
  print_report({*program, answer, options.equivalence, options.only_estimate}, run, settings);
  return exit_code(answer, options.stop_at_violation);
}

}  // namespace weir::cli
