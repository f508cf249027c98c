// weir check: load, search, confirm, report.
#include "engine/coverability/dual/check.hpp"

#include <fmt/format.h>

#include "cli/c_program.hpp"
#include "cli/checkpoints.hpp"
#include "cli/commands/array.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/comparison.hpp"
#include "cli/console.hpp"
#include "cli/exit_code.hpp"
#include "cli/instances.hpp"
#include "cli/loading.hpp"
#include "cli/native_opinion.hpp"
#include "cli/options/properties.hpp"
#include "cli/options/value_limits.hpp"
#include "cli/proof.hpp"
#include "cli/proposed_fences.hpp"
#include "cli/session.hpp"
#include "cli/suite/suite.hpp"
#include "cli/svcomp_file.hpp"
#include "engine/abstraction/abstraction.hpp"
#include "engine/explicit/explicit.hpp"
#include "engine/portfolio/race.hpp"
#include "engine/robust/lazy.hpp"
#include "engine/schedules/bounded_preemptions.hpp"
#include "engine/schedules/random_schedules.hpp"
#include "engine/smc/smc.hpp"
#include "program/instances.hpp"
#include "program/text/text.hpp"
#include "trace/data_race.hpp"
#include "verify/confirmation.hpp"
#include "verify/restrictions.hpp"

namespace weir::cli {

namespace {

std::optional<std::uint32_t> buffer_bound(const Settings& settings) {
  const auto buffer = settings.number(OptionId::kBuffer);
  if (!buffer) return std::nullopt;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(*buffer, UINT32_MAX));
}

ExplicitOptions explicit_options(const Settings& settings, ValueLimits values) {
  ExplicitOptions options;
  options.values = std::move(values);
  options.model = parse_model(settings.text(OptionId::kModel)).value();
  options.search = settings.text(OptionId::kSearch) == "dfs" ? Search::kDepthFirst : Search::kBreadthFirst;
  options.reduction = parse_reduction(settings.text(OptionId::kReduction)).value();
  options.symmetry = !settings.flag(OptionId::kNoSymmetry);
  options.live_variables = !settings.flag(OptionId::kNoLiveVariables);
  options.buffer = buffer_bound(settings);
  options.local_steps = settings.number(OptionId::kLocalSteps).value();
  return options;
}

RandomOptions random_options(const Settings& settings, ValueLimits values) {
  RandomOptions options;
  options.model = parse_model(settings.text(OptionId::kModel)).value();
  options.schedules = settings.number(OptionId::kRandom).value();
  options.seed = settings.number(OptionId::kSeed).value();
  options.most_steps = settings.number(OptionId::kSteps).value();
  options.buffer = buffer_bound(settings);
  options.local_steps = settings.number(OptionId::kLocalSteps).value();
  options.values = std::move(values);
  return options;
}

PreemptionOptions preemption_options(const Settings& settings, ValueLimits values) {
  PreemptionOptions options;
  options.model = parse_model(settings.text(OptionId::kModel)).value();
  options.preemptions = settings.number(OptionId::kBoundPreemptions).value();
  options.symmetry = !settings.flag(OptionId::kNoSymmetry);
  options.live_variables = !settings.flag(OptionId::kNoLiveVariables);
  options.buffer = buffer_bound(settings);
  options.local_steps = settings.number(OptionId::kLocalSteps).value();
  options.values = std::move(values);
  return options;
}

// Schedules are chosen instead of an engine.
std::optional<UsageError> check_schedules(const Settings& settings) {
  const bool random = settings.given(OptionId::kRandom);
  if (!random && !settings.given(OptionId::kBoundPreemptions)) return std::nullopt;
  if (random && settings.given(OptionId::kBoundPreemptions))
    return UsageError{"--random and --bound-preemptions do not go together", "try one after the other"};
  if (random && settings.number(OptionId::kRandom) == 0)
    return UsageError{"--random needs at least one schedule", ""};
  for (const OptionId other : {OptionId::kEngine, OptionId::kSearch, OptionId::kReduction})
    if (settings.given(other))
      return UsageError{fmt::format("{} takes the place of --engine, --search and --reduction",
                                    random ? "--random" : "--bound-preemptions"),
                        "leave these out"};
  return std::nullopt;
}

std::optional<UsageError> check_abstraction_option(const Settings& settings) {
  if (!settings.given(OptionId::kAbstraction)) return std::nullopt;
  if (settings.text(OptionId::kEngine) != "abstraction")
    return UsageError{"--abstraction is for --engine abstraction", "add --engine abstraction --model tso"};
  if (parse_abstraction(settings.text(OptionId::kAbstraction))) return std::nullopt;
  return UsageError{fmt::format("--abstraction {} is no abstraction", settings.text(OptionId::kAbstraction)),
                    "it is set, multiset, or the number of stores that are kept in order"};
}

std::optional<UsageError> check_engine(const Settings& settings) {
  if (auto error = check_schedules(settings)) return error;
  if (auto error = check_abstraction_option(settings)) return error;
  if (settings.given(OptionId::kCertificate) && settings.text(OptionId::kModel) == "pso")
    return UsageError{"there are certificates under sc and tso only", "leave --certificate out"};
  const std::string_view engine = settings.text(OptionId::kEngine), model = settings.text(OptionId::kModel);
  if (engine == "array")
    return UsageError{"--engine array is for array systems and any number of processes",
                      "to make a program one: weir convert FILE --to array"};
  if ((engine == "lazy" || engine == "abstraction") && model != "tso")
    return UsageError{fmt::format("--engine {} answers under tso only", engine), "add --model tso"};
  if (engine == "dual" && model == "pso")
    return UsageError{"--engine dual answers under sc and tso only", "add --model tso"};
  return std::nullopt;
}

// Any number of threads is a question for the backward search.
std::optional<UsageError> check_any_number(const Settings& settings) {
  const std::string_view engine = settings.text(OptionId::kEngine);
  if (settings.given(OptionId::kRandom) || settings.given(OptionId::kBoundPreemptions))
    return UsageError{"schedules are those of a given number of threads", "give -n a number"};
  if (engine != "auto" && engine != "dual")
    return UsageError{fmt::format("--engine {} answers for a given number of threads", engine),
                      "leave --engine out, or give -n a number"};
  if (settings.text(OptionId::kModel) == "pso")
    return UsageError{"-n any answers under sc and tso only", "add --model tso"};
  return std::nullopt;
}

SmcOptions smc_options(const Settings& settings) {
  SmcOptions options;
  options.model = parse_model(settings.text(OptionId::kModel)).value();
  options.equivalence = Equivalence::kReadsValueFrom;
  options.local_steps = settings.number(OptionId::kLocalSteps).value();
  options.jobs = jobs(settings);
  return options;
}

DualOptions dual_options(const Settings& settings, ValueLimits values) {
  return {.model = parse_model(settings.text(OptionId::kModel)).value(),
          .local_steps = settings.number(OptionId::kLocalSteps).value(),
          .values = std::move(values),
          .jobs = jobs(settings)};
}

// State by state; and if that finds no data race, but atomic accesses are there that order nothing, execution
// by execution.
Answer search_races(const Program& program, const Settings& settings, ValueLimits values, Context& context) {
  Answer answer = check_explicit(program, explicit_options(settings, std::move(values)), context);
  if (answer.verdict != Verdict::kUnknown || context.stopped() || !has_unordered_atomics(program))
    return answer;
  Answer by_executions = check_smc(program, smc_options(settings), context);
  return by_executions.verdict == Verdict::kUnknown && !context.stopped() ? answer : by_executions;
}

// State by state; but as soon as there are fewer executions than states, execution by execution.
Answer search_states_or_executions(const Program& program, const Settings& settings, ValueLimits values,
                                   Context& context) {
  if (program.properties.races) return search_races(program, settings, std::move(values), context);
  ExplicitOptions states = explicit_options(settings, std::move(values));
  if (!smc_obstacle(program).empty() || settings.given(OptionId::kRange))
    return check_explicit(program, states, context);
  bool changes = false;
  states.go_on = [&](std::uint64_t known) {
    changes = has_fewer_executions(program, smc_options(settings), known, context);
    return !changes;
  };
  Answer answer = check_explicit(program, states, context);
  if (!changes || context.stopped()) return answer;
  answer = check_smc(program, smc_options(settings), context);
  if (answer.verdict != Verdict::kUnknown || context.stopped()) return answer;
  states.go_on = {};
  return check_explicit(program, states, context);
}

Answer search_lazily(const Program& program, const Settings& settings, ValueLimits values,
                     std::uint32_t jobs_wanted, Context& context) {
  return check_lazy(program,
                    {.jobs = jobs_wanted,
                     .local_steps = settings.number(OptionId::kLocalSteps).value(),
                     .values = std::move(values)},
                    context);
}

Answer search_abstractions(const Program& program, const Settings& settings, ValueLimits values,
                           Context& context) {
  return check_abstraction(program,
                           {.only = parse_abstraction(settings.text(OptionId::kAbstraction)),
                            .local_steps = settings.number(OptionId::kLocalSteps).value(),
                            .values = std::move(values)},
                           context);
}

// Who can answer besides those who visit states or executions, in the order in which it is worth it.
void add_other_engines(const Program& program, const Settings& settings, const ValueLimits& values,
                       std::vector<Contender>& contenders) {
  const std::string_view model = settings.text(OptionId::kModel);
  if (model == "pso") return;
  contenders.push_back({"dual", [&](Context& context) {
                          DualOptions options = dual_options(settings, values);
                          options.jobs = 1;
                          return check_dual(program, options, context).answer;
                        }});
  if (model != "tso") return;
  contenders.push_back({"abstraction", [&](Context& context) {
                          return search_abstractions(program, settings, values, context);
                        }});
  contenders.push_back(
      {"lazy", [&](Context& context) { return search_lazily(program, settings, values, 1, context); }});
}

// The engine that is best for most programs; if it takes long, others try too.
Answer search_by_best_engine(const Program& program, const Settings& settings, ValueLimits values,
                             Context& context) {
  for (const OptionId id : {OptionId::kSearch, OptionId::kReduction, OptionId::kNoSymmetry,
                            OptionId::kNoLiveVariables, OptionId::kBuffer})
    if (settings.given(id)) return check_explicit(program, explicit_options(settings, values), context);
  std::vector<Contender> contenders{{"explicit", [&](Context& own) {
                                       return search_states_or_executions(program, settings, values, own);
                                     }}};
  if (jobs(settings) > 1) add_other_engines(program, settings, values, contenders);
  if (contenders.size() == 1) return contenders[0].run(context);
  return race(contenders, {}, context);
}

// Of those that keep checkpoints.
std::string_view interruptible_engine(const Settings& settings, bool any_number) {
  if (settings.text(OptionId::kEngine) != "auto") return settings.text(OptionId::kEngine);
  return any_number ? "dual" : "explicit";
}

std::optional<UsageError> check_checkpoints(const Settings& settings) {
  if (!wants_checkpoints(settings)) return check_checkpoint_options(settings);
  if (settings.given(OptionId::kRandom) || settings.given(OptionId::kBoundPreemptions))
    return UsageError{"schedules have no checkpoints", "leave --checkpoint and --resume out"};
  const std::string_view engine = settings.text(OptionId::kEngine);
  if (engine == "lazy" || engine == "abstraction")
    return UsageError{fmt::format("--engine {} has no checkpoints", engine),
                      "the engines explicit, smc, dual and array have"};
  const std::string_view reduction = settings.text(OptionId::kReduction);
  if (reduction == "dynamic" || reduction == "cartesian")
    return UsageError{fmt::format("--reduction {} has no checkpoints", reduction),
                      "the reductions none, local-first and persistent have"};
  return check_checkpoint_options(settings);
}

Answer search_with_checkpoints(const Program& program, const Settings& settings, ValueLimits values,
                               Checkpoint& checkpoint, Context& context) {
  const std::string_view engine = interruptible_engine(settings, false);
  if (engine == "smc") {
    SmcOptions options = smc_options(settings);
    options.checkpoint = &checkpoint;
    return check_smc(program, options, context);
  }
  if (engine == "dual") {
    DualOptions options = dual_options(settings, std::move(values));
    options.checkpoint = &checkpoint;
    return check_dual(program, options, context).answer;
  }
  WEIR_CHECK(engine == "explicit", "engines with checkpoints");
  ExplicitOptions options = explicit_options(settings, std::move(values));
  options.checkpoint = &checkpoint;
  return check_explicit(program, options, context);
}

// By schedules if they are asked for, otherwise by the engine chosen by --engine.
Answer search(const Program& program, const Settings& settings, ValueLimits values, Checkpoint* checkpoint,
              Context& context) {
  if (checkpoint != nullptr)
    return search_with_checkpoints(program, settings, std::move(values), *checkpoint, context);
  if (settings.given(OptionId::kRandom))
    return check_random_schedules(program, random_options(settings, std::move(values)), context);
  if (settings.given(OptionId::kBoundPreemptions))
    return check_bounded_preemptions(program, preemption_options(settings, std::move(values)), context);
  const std::string_view engine = settings.text(OptionId::kEngine);
  if (engine == "lazy") return search_lazily(program, settings, std::move(values), jobs(settings), context);
  if (engine == "dual") return check_dual(program, dual_options(settings, std::move(values)), context).answer;
  if (engine == "abstraction") return search_abstractions(program, settings, std::move(values), context);
  if (engine == "smc") return check_smc(program, smc_options(settings), context);
  if (engine == "auto") return search_by_best_engine(program, settings, std::move(values), context);
  WEIR_CHECK(engine == "explicit", "engines in the option table exist");
  return check_explicit(program, explicit_options(settings, std::move(values)), context);
}

// For any number of threads. A violation is one of an instance, which takes the place of the program.
Answer search_any_number(Program& program, const Settings& settings, ValueLimits values,
                         Checkpoint* checkpoint, Context& context) {
  DualOptions options = dual_options(settings, std::move(values));
  options.checkpoint = checkpoint;
  options.any_number = true;
  DualAnswer found = check_dual(program, options, context);
  if (found.answer.verdict == Verdict::kUnsafe) program = std::move(found.instance);
  return std::move(found.answer);
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

std::string report(const Program& program, const Answer& answer, const RunInfo& run,
                   const Settings& settings) {
  const Presentation shown = presentation(settings);
  if (settings.flag(OptionId::kJson)) return json_report(program, answer, run, shown);
  if (settings.flag(OptionId::kQuiet)) return verdict_line(answer, run, shown);
  return text_report(program, answer, run, shown) +
         (settings.flag(OptionId::kVerbose) ? statistics_text(answer) : "");
}

// Every file but the certificate, which takes a search.
void write_everything(const CommandLine& line, const Program& program, const Answer& answer,
                      const RunInfo& run) {
  const Settings& settings = line.settings;
  const Witness* const witness = answer.witness ? &*answer.witness : nullptr;
  deliver(line, [&] { return write_svcomp(line, program, answer); });
  deliver(line, [&] { return write_files(line, program, witness); });
  deliver(line,
          [&] { return write_html(run, settings, [&] { return explorer_page(program, answer, run); }); });
  deliver(line, [&] { return write_sarif(program, answer, run, exit_code(answer.verdict), settings); });
}

}  // namespace

int check_program(const CommandLine& line, Expected<Program> program, Session& session) {
  const Settings& settings = line.settings;
  if (!program) return fail_input(line, program.error());
  if (const auto error = add_properties(*program, settings)) return fail_usage(line, *error);
  if (const auto error = check_engine(settings)) return fail_usage(line, *error);
  if (const auto error = check_checkpoints(settings)) return fail_usage(line, *error);
  if (const auto error = check_svcomp(line)) return fail_usage(line, *error);
  if (const auto error = check_focus(*program, settings)) return fail_usage(line, *error);
  auto copies = instances(line);
  if (!copies.ok()) return fail_usage(line, copies.error());
  if (copies->any)
    if (const auto error = check_any_number(settings)) return fail_usage(line, *error);
  if (copies->number && !is_array_system(line)) program = with_instances(*program, *copies->number);
  auto values = value_limits(*program, settings);
  if (!values) return fail_usage(line, values.error());
  if (!is_c_program(line)) warn_without_property(*program, settings);
  auto checkpoint = open_checkpoint(line, interruptible_engine(settings, copies->any), print(*program));
  if (!checkpoint.ok()) return fail_input(line, checkpoint.error());

  RunInfo run = run_info(line, parse_model(settings.text(OptionId::kModel)).value());
  Context& context = session.context();
  session.enter("searching");
  Answer answer = copies->any ? search_any_number(*program, settings, *values, checkpoint->get(), context)
                              : search(*program, settings, *values, checkpoint->get(), context);
  tell_about(checkpoint->get(), settings);
  verify::respect_restrictions(*program, answer);
  verify::respect_model(*program, answer);
  if (answer.verdict == Verdict::kUnsafe) {
    WEIR_CHECK(answer.witness.has_value(), "an unsafe answer has a witness");
    session.enter("replaying the execution");
    verify::confirm(*program, *answer.witness);
    session.settle(verdict_name(answer), answer.reason, exit_code(answer.verdict));
    session.enter("shortening the execution");
    answer.witness = verify::shortened(*program, *answer.witness, context);
  }
  note_cost(run, context);
  const int code = exit_code(answer.verdict);
  session.settle(verdict_name(answer), answer.reason, code);
  warn(*program, answer.diagnostics, settings);
  if (answer.witness) run.witness_file = settings.text(OptionId::kWitness);
  std::string native_text;
  if (answer.witness)
    if (const auto opinion =
            native_opinion(*program, *answer.witness, c_sources(line), settings, run, session);
        opinion && !settings.flag(OptionId::kJson))
      native_text = native::text(*opinion);
  session.enter("writing the answer");
  session.answer(report(*program, answer, run, settings) + native_text, code);
  write_everything(line, *program, answer, run);
  if (answer.verdict == Verdict::kSafe && settings.given(OptionId::kCertificate)) {
    session.enter("looking for a certificate");
    deliver(line, [&] { return write_proof(*program, copies->any, *values, settings, context); });
  }
  const bool as_written = !copies->any && !copies->number;
  if (answer.verdict == Verdict::kUnsafe && run.model != Model::kSc && as_written) {
    session.enter("looking for fences");
    add_fences_to_page(explorer_page(*program, answer, run), run, line, *program, FencePurpose::kSafety,
                       context);
  }
  return code;
}

int run_check(const CommandLine& line, Session& session) {
  if (is_suite(line) && wants_checkpoints(line.settings))
    return fail_usage(line, {"a suite has no checkpoints", "give one program"});
  if (is_suite(line)) return run_suite(line, session);
  const auto copies = instances(line);
  if (!copies.ok()) return fail_usage(line, copies.error());
  const bool any_number = !copies.value().number;
  if (is_array_system(line) && any_number) return check_array_system(line, session);
  return check_program(line, load_program(line, session), session);
}

}  // namespace weir::cli
