// weir check: load, search, confirm, report.
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

#include "check/replay.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/exit_code.hpp"
#include "cli/loading.hpp"
#include "cli/progress.hpp"
#include "cli/properties.hpp"
#include "engine/explicit/explicit.hpp"
#include "report/answer_report.hpp"
#include "report/dot.hpp"
#include "trace/minimise.hpp"
#include "trace/replay_file.hpp"

namespace weir::cli {

namespace {

// What the machine has, or what the container may use of it.
std::uint64_t available_memory() {
  std::uint64_t bytes =
      static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  std::ifstream group("/sys/fs/cgroup/memory.max");
  if (std::uint64_t limit = 0; group >> limit) bytes = std::min(bytes, limit);
  return bytes;
}

Limits limits(const Settings& settings) {
  Limits result;
  if (const auto seconds = settings.seconds(OptionId::kTimeout))
    result.timeout = std::chrono::milliseconds(std::max<std::int64_t>(1, std::llround(*seconds * 1000)));
  const auto megabytes = settings.number(OptionId::kMemory);
  result.memory_bytes = megabytes ? *megabytes << 20 : available_memory() / 10 * 8;
  return result;
}

ExplicitOptions explicit_options(const Settings& settings) {
  ExplicitOptions options;
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

// The engine chosen by --engine; there is one so far, and auto means it.
Answer search(const Program& program, const Settings& settings, Context& context) {
  const std::string_view engine = settings.text(OptionId::kEngine);
  WEIR_CHECK(engine == "auto" || engine == "explicit", "engines in the option table exist");
  return check_explicit(program, explicit_options(settings), context);
}

void warn(const Program& program, const Settings& settings, const Answer* answer) {
  if (settings.flag(OptionId::kQuiet)) return;
  if (answer != nullptr) {
    for (const Diagnostic& diagnostic : answer->diagnostics) print_error(render(diagnostic, program.sources));
  } else if (!states_a_property(program)) {
    print_error(
        "weir: warning: the program states no property, so only wrong memory accesses and divisions by zero "
        "can be "
        "found\n      = hint: --goal, --exclusive, --invariant and --deadlock add properties\n");
  }
}

// Writes what --witness and --dot ask for.
std::optional<Diagnostic> write_files(const Program& program, const Answer& answer,
                                      const Settings& settings) {
  const Witness* witness = answer.witness ? &*answer.witness : nullptr;
  if (witness != nullptr && settings.given(OptionId::kWitness))
    if (auto problem = write_file(std::string(settings.text(OptionId::kWitness)),
                                  write_replay(program, *witness, version())))
      return problem;
  if (settings.given(OptionId::kDot))
    return write_file(std::string(settings.text(OptionId::kDot)), dot_graph(program, witness));
  return std::nullopt;
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

Witness confirmed(const Program& program, const Witness& witness) {
  const ReplayResult result = replay(program, witness);
  if (!result.reproduced)
    throw InternalError(
        fmt::format("the {} violation found cannot be reproduced on the reference machine: {}",
                    name(witness.violation.kind), result.failure));
  return minimise(program, witness,
                  [&](const Witness& candidate) { return replay(program, candidate).reproduced; });
}

int check_text(const CommandLine& line, std::string text) {
  const Settings& settings = line.settings;
  auto program = parse_program(line.file, std::move(text), settings);
  if (!program) return fail_input(program.error());
  if (const auto error = add_properties(*program, settings)) return fail_usage(*error);
  warn(*program, settings, nullptr);

  RunInfo run{.command = std::string(describe(line.command).name), .file = line.file, .version = version()};
  run.model = parse_model(settings.text(OptionId::kModel)).value();
  run.options = settings.echo(line.command);
  Answer answer;
  {
    ProgressPrinter progress;
    Context::ProgressSink sink;
    if (!settings.flag(OptionId::kQuiet))
      sink = [&](const ProgressSample& sample, double seconds) { progress.show(sample, seconds); };
    Context context(limits(settings), std::move(sink), true);
    answer = search(*program, settings, context);
    if (answer.verdict == Verdict::kUnsafe) {
      WEIR_CHECK(answer.witness.has_value(), "an unsafe answer has a witness");
      answer.witness = confirmed(*program, *answer.witness);
    }
    run.seconds = context.seconds();
  }
  run.peak_bytes = peak_memory();
  warn(*program, settings, &answer);
  if (const auto problem = write_files(*program, answer, settings))
    return fail_input({*problem}, program->sources);
  if (answer.witness) run.witness_file = settings.text(OptionId::kWitness);
  report(*program, answer, run, settings);
  return exit_code(answer.verdict);
}

int run_check(const CommandLine& line) {
  auto text = read_file(line.file);
  if (!text) return fail_input(text.error());
  return check_text(line, std::move(*text));
}

}  // namespace weir::cli
