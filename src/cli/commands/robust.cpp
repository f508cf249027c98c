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

std::string report(const RobustReport& answer, const RunInfo& run, const Settings& settings) {
  return in_wanted_form(
      settings, [&](const Presentation& shown) { return robust_json(answer, run, shown); },
      [&](const Presentation& shown) { return robust_verdict_line(answer, shown); },
      [&](const Presentation& shown) { return robust_text(answer, run, shown); },
      [&] { return statistics_text(engine_name(answer.notion), answer.answer.statistics); });
}

void write_everything(const CommandLine& line, const RobustReport& found, const Witness* witness,
                      const RunInfo& run) {
  const Settings& settings = line.settings;
  const Program& program = found.program;
  const RobustAnswer& answer = found.answer;
  deliver(line, [&] { return write_files(line, program, witness); });
  if (settings.given(OptionId::kSarif))
    deliver(line, [&] {
      SarifLog log{program.sources, run, name(answer.verdict), answer.reason, exit_code(answer.verdict), {}};
      for (const AttackResult& attack : answer.attacks)
        if (attack.witness) log.results.push_back(sarif_result(program, *attack.witness));
      return write_sarif(log, settings);
    });
  deliver(line, [&] { return write_instrumented(program, answer, settings); });
  deliver(line, [&] { return write_html(run, settings, [&] { return explorer_page(found, run); }); });
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
  session.enter("writing the answer");
  session.answer(report(found, run, settings), code);
  write_everything(line, found, witness, run);
  const bool as_written = !copies->any && !copies->number;
  if (witness != nullptr && options->notion == RobustnessNotion::kTraces && as_written) {
    session.enter("looking for fences");
    add_fences_to_page(explorer_page(found, run), run, line, *program, FencePurpose::kRobustness,
                       session.context());
  }
  return code;
}

}  // namespace weir::cli
