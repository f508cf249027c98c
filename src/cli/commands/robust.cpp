// weir robust: load, look for attacks, confirm them, report.
#include "engine/robust/robust.hpp"

#include <fmt/format.h>

#include "cli/commands/commands.hpp"
#include "cli/commands/comparison.hpp"
#include "cli/console.hpp"
#include "cli/exit_code.hpp"
#include "cli/instances.hpp"
#include "cli/loading.hpp"
#include "cli/outputs.hpp"
#include "cli/proposed_fences.hpp"
#include "cli/session.hpp"
#include "engine/robust/instrument.hpp"
#include "engine/robust/parameterized.hpp"
#include "program/instances.hpp"
#include "program/text/text.hpp"
#include "report/robust_report.hpp"
#include "verify/confirmation.hpp"
#include "verify/restrictions.hpp"

namespace weir::cli {

namespace {

void confirm_attacks(const Program& program, RobustnessNotion notion, RobustAnswer& answer,
                     const Context& context) {
  for (AttackResult& result : answer.attacks) {
    if (!result.witness) continue;
    result.witness = verify::confirmed(program, result.attack, *result.witness, context);
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
  const Presentation shown = presentation(settings);
  if (settings.flag(OptionId::kJson)) return robust_json(answer, run, shown);
  if (settings.flag(OptionId::kQuiet)) return robust_verdict_line(answer, shown);
  std::string text = robust_text(answer, run, shown);
  if (settings.flag(OptionId::kVerbose))
    text += statistics_text(engine_name(answer.notion), answer.answer.statistics);
  return text;
}

int exit_code(RobustVerdict verdict) {
  switch (verdict) {
    case RobustVerdict::kRobust: return kDone;
    case RobustVerdict::kNotRobust: return kViolation;
    case RobustVerdict::kUnknown: return kUnknown;
  }
  return kInternal;
}

void write_everything(const CommandLine& line, const RobustReport& found, const RunInfo& run) {
  const Settings& settings = line.settings;
  const Program& program = found.program;
  const RobustAnswer& answer = found.answer;
  deliver(line, [&] { return write_files(line, program, first_witness(answer)); });
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

// An answer, the program it is about, and, for any number of threads, how many it took.
struct Outcome {
  Program program;
  RobustAnswer answer;
  std::optional<ThreadCounts> threads;
};

// For any number of threads. An attack is one on an instance with a certain number of them.
Outcome check_any(const Program& program, const RobustOptions& options, Context& context) {
  ParameterizedAnswer found = check_robust_any(program, options, context);
  Outcome outcome{program, {}, std::nullopt};
  if (found.verdict == RobustVerdict::kNotRobust) {
    outcome.program = std::move(found.instance);
    outcome.answer = std::move(found.attack);
    outcome.threads.emplace();
    for (std::size_t t = 0; t < found.counts.size(); ++t)
      outcome.threads->counts.emplace_back(program.threads[t].name, found.counts[t]);
    outcome.threads->total = found.threads;
    outcome.threads->least = found.least;
  } else {
    outcome.answer.verdict = found.verdict;
    outcome.answer.reason = std::move(found.reason);
    outcome.answer.bound = std::move(found.bound);
  }
  outcome.answer.statistics = std::move(found.statistics);
  outcome.answer.diagnostics = std::move(found.diagnostics);
  return outcome;
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

  RunInfo run = run_info(line, Model::kTso);
  Outcome outcome;
  session.enter("looking for attacks");
  if (copies->any) {
    outcome = check_any(*program, *options, session.context());
  } else {
    outcome.program = copies->number ? with_instances(*program, *copies->number) : std::move(*program);
    outcome.answer = check_robust(outcome.program, *options, session.context());
  }
  verify::respect_restrictions(outcome.program, outcome.answer);
  session.enter("replaying and shortening the executions");
  confirm_attacks(outcome.program, options->notion, outcome.answer, session.context());
  note_cost(run, session.context());
  RobustAnswer& answer = outcome.answer;
  const Witness* witness = first_witness(answer);
  WEIR_CHECK((answer.verdict == RobustVerdict::kNotRobust) == (witness != nullptr),
             "a program is not robust if and only if there is an execution that shows it");
  if (witness != nullptr) answer.reason = witness->violation.message;
  const int code = exit_code(answer.verdict);
  session.settle(name(answer.verdict), answer.reason, code);
  warn(outcome.program, answer.diagnostics, settings);
  if (witness != nullptr) run.witness_file = settings.text(OptionId::kWitness);
  const RobustReport found{.program = outcome.program,
                           .answer = answer,
                           .notion = options->notion,
                           .all = options->all,
                           .all_witnesses = settings.flag(OptionId::kVerbose),
                           .any_number = copies->any,
                           .threads = outcome.threads};
  session.enter("writing the answer");
  session.answer(report(found, run, settings), code);
  write_everything(line, found, run);
  const bool as_written = !copies->any && !copies->number;
  if (witness != nullptr && options->notion == RobustnessNotion::kTraces && as_written) {
    session.enter("looking for fences");
    add_fences_to_page(explorer_page(found, run), run, line, outcome.program, FencePurpose::kRobustness,
                       session.context());
  }
  return code;
}

}  // namespace weir::cli
