// weir robust: load, look for attacks, confirm them, report.
#include "verify/robust.hpp"

#include <fmt/format.h>

#include "cli/commands/commands.hpp"
#include "cli/commands/comparison.hpp"
#include "cli/console.hpp"
#include "cli/instances.hpp"
#include "cli/loading.hpp"
#include "cli/outputs.hpp"
#include "cli/presenter.hpp"
#include "cli/proposed_fences.hpp"
#include "cli/session.hpp"
#include "engine/robust/instrument.hpp"
#include "program/instances.hpp"
#include "program/text/text.hpp"
#include "report/exit_code.hpp"
#include "report/robust_report.hpp"

namespace weir::cli {

namespace {

// The first feasible attack, or else the first that is not impossible at first sight.
const Attack* attack_to_show(const RobustAnswer& answer) {
  const Attack* possible = nullptr;
  for (const AttackResult& result : answer.attacks) {
    if (result.verdict == AttackVerdict::kFeasible) return &result.attack;
    if (possible == nullptr && result.verdict != AttackVerdict::kPruned) possible = &result.attack;
  }
  return possible;
}

// Writes what --emit-instrumented asks for.
std::optional<Diagnostic> write_instrumented(const Program& program, const RobustAnswer& answer,
                                             const Settings& settings) {
  if (!settings.given(OptionId::kEmitInstrumented)) return std::nullopt;
  const Attack* attack = attack_to_show(answer);
  if (attack == nullptr) {
    warn(program,
         {{Severity::kWarning, "no attack is possible, so no instrumented program is written", {}, ""}},
         settings);
    return std::nullopt;
  }
  auto instrumented = instrument(program, *attack);
  if (!instrumented) return instrumented.error().diagnostics.front();
  return write_file(std::string(settings.text(OptionId::kEmitInstrumented)), print(*instrumented));
}

SarifLog sarif_log(const RobustReport& found, const RunInfo& run, int code) {
  const RobustAnswer& answer = found.answer;
  SarifLog log{found.program.sources, run, name(answer.verdict), answer.reason, code, {}};
  for (const AttackResult& attack : answer.attacks)
    if (attack.witness) log.results.push_back(sarif_result(found.program, *attack.witness));
  return log;
}

Presentable presentable(const RobustReport& found, const Witness* witness, const RunInfo& run,
                        const Settings& settings) {
  Presentable result{.code = exit_code(found.answer.verdict), .program = &found.program, .witness = witness};
  result.json = [&](const Presentation& shown) { return robust_json(found, run, shown); };
  result.line = [&](const Presentation& shown) { return robust_verdict_line(found, shown); };
  result.text = [&](const Presentation& shown) { return robust_text(found, run, shown); };
  result.figures = [&] { return statistics_text(engine_name(found.notion), found.answer.statistics); };
  result.others = {[&] { return write_instrumented(found.program, found.answer, settings); }};
  result.log = [&, code = result.code] { return sarif_log(found, run, code); };
  result.page = [&] { return explorer_page(found, run); };
  return result;
}

}  // namespace

int run_robust(const CommandLine& line, Session& session) {
  const Settings& settings = line.settings;
  auto copies = instances(line);
  if (!copies.ok()) return fail_usage(line, copies.error());
  auto program = load_program(line, session);
  if (!program) return fail_input(line, program.error());
  if (const auto error = check_focus(*program, settings)) return fail_usage(line, *error);
  if (copies->any && (settings.flag(OptionId::kTriangular) || settings.given(OptionId::kEmitInstrumented)))
    return fail_usage(line, {"-n any goes neither with --triangular nor with --emit-instrumented", ""});
  auto options = robust_options(*program, settings);
  if (!options) return fail_usage(line, options.error());
  if (copies->number) program = with_instances(*program, *copies->number);

  RunInfo run = run_info(line, Model::kTso);
  const verify::RobustResult result =
      verify::check_robust(*program, copies->any, *options, session.context(), observer(session));
  note_cost(run, session.context());
  const RobustAnswer& answer = result.answer;
  const Witness* const witness = result.witness();
  const int code = exit_code(answer.verdict);
  session.settle(name(answer.verdict), answer.reason, code);
  warn(*program, answer.diagnostics, settings);
  if (witness != nullptr) run.witness_file = settings.text(OptionId::kWitness);
  const RobustReport found{.program = *program,
                           .answer = answer,
                           .notion = options->notion,
                           .all = options->all,
                           .all_witnesses = settings.flag(OptionId::kVerbose),
                           .any_number = copies->any,
                           .threads = result.threads};
  present(line, session, run, presentable(found, witness, run, settings));
  const bool as_written = !copies->any && !copies->number;
  if (witness != nullptr && options->notion == RobustnessNotion::kTraces && as_written) {
    session.enter("looking for fences");
    add_fences_to_page(explorer_page(found, run), run, line, *program, FencePurpose::kRobustness,
                       session.context());
  }
  return code;
}

}  // namespace weir::cli
