// weir robust: load, look for attacks, confirm them, report.
#include "engine/robust/robust.hpp"

#include "cli/commands.hpp"
#include "cli/comparison.hpp"
#include "cli/confirmation.hpp"
#include "cli/console.hpp"
#include "cli/exit_code.hpp"
#include "cli/loading.hpp"
#include "cli/session.hpp"
#include "engine/robust/instrument.hpp"
#include "program/text.hpp"
#include "report/robust_report.hpp"

namespace weir::cli {

namespace {

void confirm_attacks(const Program& program, RobustnessNotion notion, RobustAnswer& answer) {
  for (AttackResult& result : answer.attacks) {
    if (!result.witness) continue;
    result.witness = confirmed(program, result.attack, *result.witness);
    result.witness->violation.message = attack_text(program, result.attack, notion);
  }
}

const Witness* first_witness(const RobustAnswer& answer) {
  for (const AttackResult& result : answer.attacks)
    if (result.witness) return &*result.witness;
  return nullptr;
}

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
std::optional<InputError> write_instrumented(const Program& program, const RobustAnswer& answer,
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
  if (!instrumented) return std::move(instrumented.error());
  auto problem = write_file(std::string(settings.text(OptionId::kEmitInstrumented)), print(*instrumented));
  if (!problem) return std::nullopt;
  return InputError{{}, {std::move(*problem)}};
}

void report(const RobustReport& answer, const RunInfo& run, const Settings& settings) {
  const Presentation shown = presentation(settings);
  if (settings.flag(OptionId::kJson)) return print_out(robust_json(answer, run, shown));
  if (settings.flag(OptionId::kQuiet)) return print_out(robust_verdict_line(answer, shown));
  print_out(robust_text(answer, run, shown));
  if (settings.flag(OptionId::kVerbose))
    print_out(statistics_text(engine_name(answer.notion), answer.answer.statistics));
}

int exit_code(RobustVerdict verdict) {
  switch (verdict) {
    case RobustVerdict::kRobust: return kDone;
    case RobustVerdict::kNotRobust: return kViolation;
    case RobustVerdict::kUnknown: return kUnknown;
  }
  return kInternal;
}

}  // namespace

int run_robust(const CommandLine& line) {
  const Settings& settings = line.settings;
  auto program = load_program(line.file, settings);
  if (!program) return fail_input(program.error());
  auto options = robust_options(*program, settings);
  if (!options) return fail_usage(options.error());

  RunInfo run = run_info(line, Model::kTso);
  RobustAnswer answer;
  {
    Session session(settings);
    answer = check_robust(*program, *options, session.context());
    confirm_attacks(*program, options->notion, answer);
    note_cost(run, session.context());
  }
  warn(*program, answer.diagnostics, settings);
  const Witness* witness = first_witness(answer);
  WEIR_CHECK((answer.verdict == RobustVerdict::kNotRobust) == (witness != nullptr),
             "a program is not robust if and only if there is an execution that shows it");
  if (witness != nullptr) answer.reason = witness->violation.message;
  if (const auto problem = write_files(*program, witness, settings))
    return fail_input({*problem}, program->sources);
  if (const auto problem = write_instrumented(*program, answer, settings)) return fail_input(*problem);
  if (witness != nullptr) run.witness_file = settings.text(OptionId::kWitness);
  report({*program, answer, options->notion, options->all, settings.flag(OptionId::kVerbose)}, run, settings);
  return exit_code(answer.verdict);
}

}  // namespace weir::cli
