// weir check: load, search, confirm, report.
#include "cli/c_program.hpp"
#include "cli/commands.hpp"
#include "cli/comparison.hpp"
#include "cli/confirmation.hpp"
#include "cli/console.hpp"
#include "cli/exit_code.hpp"
#include "cli/loading.hpp"
#include "cli/properties.hpp"
#include "cli/restrictions.hpp"
#include "cli/session.hpp"
#include "cli/value_limits.hpp"
#include "engine/explicit/explicit.hpp"
#include "engine/robust/lazy.hpp"
#include "engine/smc/smc.hpp"

namespace weir::cli {

namespace {

ExplicitOptions explicit_options(const Settings& settings, ValueLimits values) {
  ExplicitOptions options;
  options.values = std::move(values);
  options.model = parse_model(settings.text(OptionId::kModel)).value();
  options.search = settings.text(OptionId::kSearch) == "dfs" ? Search::kDepthFirst : Search::kBreadthFirst;
  options.reduction = parse_reduction(settings.text(OptionId::kReduction)).value();
  options.symmetry = !settings.flag(OptionId::kNoSymmetry);
  options.live_variables = !settings.flag(OptionId::kNoLiveVariables);
  if (const auto buffer = settings.number(OptionId::kBuffer))
    options.buffer = static_cast<std::uint32_t>(std::min<std::uint64_t>(*buffer, UINT32_MAX));
  options.local_steps = settings.number(OptionId::kLocalSteps).value();
  return options;
}

std::optional<UsageError> check_engine(const Settings& settings) {
  if (settings.text(OptionId::kEngine) != "lazy" || settings.text(OptionId::kModel) == "tso")
    return std::nullopt;
  return UsageError{"--engine lazy answers under tso only", "add --model tso"};
}

// The engine chosen by --engine; auto means explicit.
Answer search(const Program& program, const Settings& settings, ValueLimits values, Context& context) {
  const std::string_view engine = settings.text(OptionId::kEngine);
  if (engine == "lazy")
    return check_lazy(program,
                      {.jobs = jobs(settings),
                       .local_steps = settings.number(OptionId::kLocalSteps).value(),
                       .values = std::move(values)},
                      context);
  if (engine == "smc")
    return check_smc(program,
                     {.model = parse_model(settings.text(OptionId::kModel)).value(),
                      .local_steps = settings.number(OptionId::kLocalSteps).value(),
                      .jobs = jobs(settings)},
                     context);
  WEIR_CHECK(engine == "auto" || engine == "explicit", "engines in the option table exist");
  return check_explicit(program, explicit_options(settings, std::move(values)), context);
}

void warn_without_property(const Program& program, const Settings& settings) {
  if (states_a_property(program)) return;
  warn(program,
       {{Severity::kWarning,
         "the program states no property, so only wrong memory accesses and divisions by zero can be found",
         {},
         "--goal, --exclusive, --invariant and --deadlock add properties"}},
       settings);
}

void report(const Program& program, const Answer& answer, const RunInfo& run, const Settings& settings) {
  const Presentation shown = presentation(settings);
  if (settings.flag(OptionId::kJson)) return print_out(json_report(program, answer, run, shown));
  if (settings.flag(OptionId::kQuiet)) return print_out(verdict_line(answer, run, shown));
  print_out(text_report(program, answer, run, shown));
  if (settings.flag(OptionId::kVerbose)) print_out(statistics_text(answer));
}

int exit_code(Verdict verdict) {
  switch (verdict) {
    case Verdict::kSafe: return kDone;
    case Verdict::kUnsafe: return kViolation;
    case Verdict::kUnknown: return kUnknown;
  }
  return kInternal;
}

}  // namespace

int check_program(const CommandLine& line, Expected<Program> program) {
  const Settings& settings = line.settings;
  if (!program) return fail_input(program.error());
  if (const auto error = add_properties(*program, settings)) return fail_usage(*error);
  if (const auto error = check_engine(settings)) return fail_usage(*error);
  auto values = value_limits(*program, settings);
  if (!values) return fail_usage(values.error());
  if (!is_c_program(line)) warn_without_property(*program, settings);

  RunInfo run = run_info(line, parse_model(settings.text(OptionId::kModel)).value());
  Answer answer;
  {
    Session session(settings);
    answer = search(*program, settings, std::move(*values), session.context());
    respect_restrictions(*program, answer);
    if (answer.verdict == Verdict::kUnsafe) {
      WEIR_CHECK(answer.witness.has_value(), "an unsafe answer has a witness");
      answer.witness = confirmed(*program, *answer.witness);
    }
    note_cost(run, session.context());
  }
  warn(*program, answer.diagnostics, settings);
  if (const auto problem = write_files(*program, answer.witness ? &*answer.witness : nullptr, settings))
    return fail_input({*problem}, program->sources);
  if (answer.witness) run.witness_file = settings.text(OptionId::kWitness);
  report(*program, answer, run, settings);
  return exit_code(answer.verdict);
}

int run_check(const CommandLine& line) { return check_program(line, load_program(line)); }

}  // namespace weir::cli
