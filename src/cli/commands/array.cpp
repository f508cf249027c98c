// weir check on an array system: search backwards for any number of processes, and confirm on an instance.
#include "cli/commands/array.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "base/error.hpp"
#include "check/array/explore.hpp"
#include "check/array/replay.hpp"
#include "cli/checkpoints.hpp"
#include "cli/commands/commands.hpp"
#include "cli/console.hpp"
#include "cli/exit_code.hpp"
#include "cli/loading.hpp"
#include "cli/outputs.hpp"
#include "cli/session.hpp"
#include "engine/array/array_check.hpp"
#include "engine/array/axiomatic/axiomatic.hpp"
#include "engine/array/certificate.hpp"
#include "engine/array/weak_use.hpp"
#include "frontend/array/array.hpp"
#include "program/array/instance.hpp"
#include "program/array/strong.hpp"
#include "program/array/text.hpp"
#include "program/array/validate.hpp"
#include "report/array_report.hpp"

namespace weir::cli {

namespace {

using array::ArraySystem;

constexpr std::uint32_t kMostProcesses = 64;  // of an instance

// Weak symbols obey TSO unless the user wants to know what happens without buffers.
Model model_of(const ArraySystem& system, const Settings& settings) {
  if (settings.given(OptionId::kModel)) return parse_model(settings.text(OptionId::kModel)).value();
  return system.weak() ? Model::kTso : Model::kSc;
}

std::optional<UsageError> check_options(const Settings& settings) {
  if (settings.text(OptionId::kModel) == "pso")
    return UsageError{"array systems are checked under sc and tso", "leave --model out"};
  const std::string_view engine = settings.text(OptionId::kEngine);
  if (engine != "auto" && engine != "array")
    return UsageError{fmt::format("--engine {} answers for a given number of processes", engine),
                      "add -n 3, or leave --engine out"};
  if (settings.flag(OptionId::kAxiomatic) && settings.given(OptionId::kCertificate))
    return UsageError{"--axiomatic writes no certificate", "leave one of the two out"};
  return std::nullopt;
}

array::ArrayOptions array_options(const ArraySystem& system, const Settings& settings) {
  array::ArrayOptions options;
  const std::string_view inference = settings.text(OptionId::kInference);
  if (inference == "never") options.inference = array::Inference::kNever;
  if (inference == "always") options.inference = array::Inference::kAlways;
  if (settings.given(OptionId::kSearch))
    options.order = settings.text(OptionId::kSearch) == "dfs" ? array::SearchOrder::kDepthFirst
                                                              : array::SearchOrder::kBreadthFirst;
  if (system.number_of_processes)
    options.instances = {std::clamp<std::uint32_t>(*system.number_of_processes, 1, 4)};
  return options;
}

// A run with as few processes as the engine's trace has, or a few more if its cube or guards need them.
std::optional<array::ArrayRun> confirmed_run(const ArraySystem& system, const array::Trace& trace) {
  constexpr std::uint32_t kSpare = 2;
  const std::uint32_t needed = std::max(trace.processes, array::least_processes(system));
  const std::uint32_t most = std::min(needed + kSpare, system.number_of_processes.value_or(needed + kSpare));
  for (std::uint32_t processes = std::max(1u, needed); processes <= most; ++processes) {
    array::CompletionOptions options;
    options.unsafe = trace.unsafe;
    options.domains = array::ArrayDomains{.numbers = array::numbers_of(system)};
    for (const array::Rational& number : trace.numbers)
      if (std::ranges::find(options.domains->numbers, number) == options.domains->numbers.end())
        options.domains->numbers.push_back(number);
    array::Completion completion = array::complete(system, processes, trace.steps, options);
    if (!completion.run) continue;
    const auto problem = array::replay(system, processes, *completion.run);
    if (problem) throw InternalError("a completed run cannot be replayed: " + *problem);
    return std::move(completion.run);
  }
  return std::nullopt;
}

std::uint32_t most_tried(const ArraySystem& system) {
  constexpr std::uint32_t kMost = 4;
  return std::min(kMost, system.number_of_processes.value_or(kMost));
}

// The trace of the search may owe its existence to guards that are weakened for processes it does not name. A
// small instance may still have a real one.
std::optional<array::ArrayRun> run_of_small_instance(const ArraySystem& system, const Context& context) {
  const std::uint32_t most = most_tried(system);
  for (std::uint32_t processes = array::least_processes(system); processes <= most && !context.stopped();
       ++processes) {
    array::ArrayLimits limits;
    limits.domains.numbers = array::numbers_of(system);
    array::ArrayExploration found = array::explore(system, processes, limits);
    if (found.unsafe()) return std::move(found.run);
  }
  return std::nullopt;
}

std::string safe_reason(const array::ArrayAnswer& found) {
  if (found.search.visited.empty())
    return fmt::format(
        "by the axioms, {} sets of executions that lead to an unsafe state, none from an initial one",
        found.search.regions);
  std::string reason =
      fmt::format("{} regions of states that lead to an unsafe one, none with an initial state",
                  found.search.visited.size());
  if (found.guessed)
    reason += fmt::format("; {} of the search's steps rest on invariants guessed from {} states and proved",
                          found.search.guesses, found.instance_states);
  return reason;
}

ArrayVerdict verdict_of(const ArraySystem& system, const array::ArrayAnswer& found, const Context& context) {
  ArrayVerdict verdict;
  const array::SearchResult& search = found.search;
  switch (search.outcome) {
    case array::SearchOutcome::kSafe:
      verdict.verdict = Verdict::kSafe;
      verdict.reason = safe_reason(found);
      break;
    case array::SearchOutcome::kUnsafe:
      if (search.false_claim) {
        verdict.reason = fmt::format("invariant {} of the file does not hold, so nothing rests on it",
                                     *search.false_claim + 1);
        break;
      }
      verdict.run = confirmed_run(system, search.trace);
      if (!verdict.run) verdict.run = run_of_small_instance(system, context);
      if (verdict.run)
        verdict.verdict = Verdict::kUnsafe;
      else
        verdict.reason = fmt::format(
            "the search found a trace that could not be run on an instance: guards about all processes, or "
            "numbers, were weakened on the way, or it needs numbers that were not tried; up to {} processes "
            "are "
            "not known to be unsafe",
            most_tried(system));
      break;
    case array::SearchOutcome::kLimit:
    case array::SearchOutcome::kGaveUp: verdict.reason = search.reason; break;
  }
  verdict.statistics.set("regions", found.regions);
  verdict.statistics.set("predecessors", search.predecessors);
  verdict.statistics.set("covered", search.covered);
  verdict.statistics.set("guesses", search.guesses);
  verdict.statistics.set("restarts", search.restarts);
  verdict.statistics.set("instance_states", found.instance_states);
  return verdict;
}

// `certificate`: if it is asked for and the system is safe.
ArrayVerdict answer(const ArraySystem& system, const Settings& settings, Checkpoint* checkpoint,
                    Context& context, std::string& certificate) {
  ArrayVerdict no_answer;
  no_answer.reason = array::obstacle(system);
  const std::uint32_t least = array::least_processes(system);
  if (no_answer.reason.empty() && least > system.number_of_processes.value_or(least))
    no_answer.reason = fmt::format("the system needs {} processes, and number_procs allows {}", least,
                                   *system.number_of_processes);
  if (!no_answer.reason.empty()) return no_answer;
  const bool axiomatic = settings.flag(OptionId::kAxiomatic);
  if (const auto shared = array::shared_ordinary_symbol(system); shared && !axiomatic) {
    ArrayVerdict verdict;
    verdict.reason = fmt::format(
        "{}: {} is not weak, but processes share it; under tso the search needs that every ordinary cell "
        "belongs to "
        "the process that performs the transition: make it weak, index it by that process, or try "
        "--axiomatic",
        system.sources.describe(shared->position), system.symbol(shared->symbol).name);
    return verdict;
  }
  const array::Vocabulary vocabulary(system);
  array::ArrayOptions options = array_options(system, settings);
  options.checkpoint = checkpoint;
  const array::ArrayAnswer found =
      axiomatic ? array::ArrayAnswer{.search = array::search_axiomatic(vocabulary, context)}
                : array::check_array_system(vocabulary, options, context);
  ArrayVerdict verdict = verdict_of(system, found, context);
  if (verdict.verdict == Verdict::kSafe && settings.given(OptionId::kCertificate)) {
    array::Certificate proof = array::smt_certificate(vocabulary, found.search.visited);
    verdict.statistics.set("certificate_questions", proof.questions);
    certificate = std::move(proof.text);
  }
  return verdict;
}

std::string report_text(const ArraySystem& system, const ArrayVerdict& verdict, const RunInfo& run,
                        const Settings& settings) {
  const Presentation shown = presentation(settings);
  if (settings.flag(OptionId::kJson)) return array_json_report(system, verdict, run);
  if (settings.flag(OptionId::kQuiet)) return array_verdict_line(system, verdict, run, shown);
  return array_text_report(system, verdict, run, shown);
}

}  // namespace

bool is_array_system(const CommandLine& line) {
  const std::string_view format = line.settings.text(OptionId::kFormat);
  return format == "array" || (format == "auto" && line.file.ends_with(".cub"));
}

Expected<ArraySystem> load_array_system(const CommandLine& line) {
  auto text = read_file(line.file);
  if (!text) return std::move(text.error());
  auto system = parse_array_system(line.file, std::move(*text));
  if (system) {
    const std::string problem = array::problem(*system);
    if (!problem.empty())
      throw InternalError("the array front end made a system that is not well formed: " + problem);
  }
  return system;
}

Expected<Program> load_array_instance(const CommandLine& line, std::uint64_t processes) {
  auto system = load_array_system(line);
  if (!system) return std::move(system.error());
  const std::uint32_t least = array::least_processes(*system);
  const std::uint32_t most = std::min(kMostProcesses, system->number_of_processes.value_or(kMostProcesses));
  if (processes < least || processes > most)
    return InputError{std::move(system->sources),
                      {{Severity::kError,
                        fmt::format("the system can be made a program for {} to {} processes{}", least, most,
                                    most < kMostProcesses ? ", as number_procs says" : ""),
                        {},
                        ""}}};
  auto program = array::instance_as_program(*system, static_cast<std::uint32_t>(processes));
  if (!program) return InputError{std::move(system->sources), {program.error()}};
  return std::move(*program);
}

int check_array_system(const CommandLine& line, Session& session) {
  const Settings& settings = line.settings;
  if (const auto error = check_options(settings)) return fail_usage(line, *error);
  if (const auto error = check_checkpoint_options(settings)) return fail_usage(line, *error);
  if (wants_checkpoints(settings) && settings.flag(OptionId::kAxiomatic))
    return fail_usage(line, {"--axiomatic has no checkpoints", "the usual search has"});
  auto system = load_array_system(line);
  if (!system) return fail_input(line, system.error());
  RunInfo run = run_info(line, model_of(*system, settings));
  if (run.model == Model::kSc && system->weak()) *system = array::without_buffers(std::move(*system));
  auto checkpoint = open_checkpoint(line, "array", print_array_system(*system));
  if (!checkpoint.ok()) return fail_input(line, checkpoint.error());
  std::string certificate;
  session.enter("searching");
  const ArrayVerdict verdict = answer(*system, settings, checkpoint->get(), session.context(), certificate);
  tell_about(checkpoint->get(), settings);
  note_cost(run, session.context());
  const int code = exit_code(verdict.verdict);
  session.enter("writing the answer");
  session.answer(report_text(*system, verdict, run, settings), code);
  if (!certificate.empty())
    deliver(line,
            [&] { return write_file(std::string(settings.text(OptionId::kCertificate)), certificate); });
  if (settings.given(OptionId::kSarif))
    deliver(line, [&] {
      SarifLog log{system->sources, run, name(verdict.verdict), verdict.reason, code, {}};
      if (verdict.run) log.results.push_back(array_sarif_result(*system, verdict));
      return write_sarif(log, settings);
    });
  deliver(line,
          [&] { return write_html(run, settings, [&] { return explorer_page(*system, verdict, run); }); });
  return code;
}

}  // namespace weir::cli
