#include "cli/session.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

#include "cli/commands/commands.hpp"
#include "cli/console.hpp"
#include "cli/loading.hpp"
#include "cli/suite/suite.hpp"
#include "engine/smc/smc.hpp"
#include "report/execution/focus.hpp"
#include "report/exit_code.hpp"

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

// Runs whose limits are those of each of their parts.
bool has_parts(const CommandLine& line) { return is_suite(line) || line.command == Command::kBench; }

// Who looks at a screen is told after this; a last word is wanted at any time.
constexpr double kSecondsWithoutProgress = 2;

Context::ProgressSink sink(LastWord& last_word, ProgressPrinter& progress, const Settings& settings) {
  const bool quiet = settings.flag(OptionId::kQuiet);
  return [&last_word, &progress, quiet](const ProgressSample& sample, double seconds) {
    last_word.note_progress(sample);
    if (!quiet && seconds >= kSecondsWithoutProgress) progress.show(sample, seconds);
  };
}

}  // namespace

std::uint64_t memory_limit_megabytes(const Settings& settings) {
  return settings.megabytes(OptionId::kMemory).value_or((available_memory() / 10 * 8) >> 20);
}

std::optional<std::chrono::milliseconds> time_limit(const Settings& settings) {
  const auto seconds = settings.seconds(OptionId::kTimeout);
  if (!seconds) return std::nullopt;
  return std::chrono::milliseconds(std::max<std::int64_t>(1, std::llround(*seconds * 1000)));
}

Session::Session(const CommandLine& line, Context::Clock::time_point start_of_process)
    : json_(line.settings.flag(OptionId::kJson)),
      colour_(presentation(line.settings).colour),
      last_word_(line),
      context_(limits(line, start_of_process), sink(last_word_, progress_, line.settings),
               !line.settings.flag(OptionId::kDebugger)),  // whose user talks to the debugger
      guard_([this] { end_process(StopReason::kMemory); }) {}

Session::~Session() {
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

void Session::go_on() const {
  if (context_.stopped()) throw Stopped{};
}

int Session::answer_briefly() {
  return last_word_.answer_briefly(context_.stop_reason(), context_.seconds());
}

int Session::answer(std::string_view text, int code) {
  return answer_exactly(json_ ? std::string(text) : printable_lines(text, colour_), code);
}

Limits Session::limits(const CommandLine& line, Context::Clock::time_point start_of_process) {
  Limits result{.timeout = time_limit(line.settings), .memory_bytes = {}, .start = start_of_process};
  if (has_parts(line)) result.timeout.reset();
  // Every search that the plot needs has the time that --timeout gives, and so has the command's own.
  if (line.command == Command::kExplore && line.settings.given(OptionId::kPlot) && result.timeout)
    *result.timeout *= static_cast<int>(std::size(kEquivalences) + 1);
  if (!has_parts(line)) result.memory_bytes = memory_limit_megabytes(line.settings) << 20;
  result.overdue = [this](StopReason reason) { end_process(reason); };
  return result;
}

void Session::end_process(StopReason reason) {
  lift_memory_limit();
  std::filesystem::path folder;
  {
    const std::scoped_lock lock(folder_mutex_);
    folder = folder_;
  }
  last_word_.end_process(reason, context_.seconds(), folder);
}

const std::filesystem::path& Session::folder() {
  const std::scoped_lock lock(folder_mutex_);
  if (!folder_.empty()) return folder_;
  std::string pattern = (std::filesystem::temp_directory_path() / "weir-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr)
    throw InternalError(fmt::format("{} cannot be made: {}", pattern, std::strerror(errno)));
  folder_ = pattern;
  return folder_;
}

verify::Observer observer(Session& session) {
  return {.enter = [&session](const char* phase) { session.enter(phase); },
          .settled =
              [&session](const Answer& answer) {
                session.settle(verdict_name(answer), answer.reason, exit_code(answer.verdict));
              }};
}

Model asked_model(const CommandLine& line) {
  for (const OptionDescription& option : option_table()) {
    if (!applies(option, line.command) || long_name(option) != "--model") continue;
    const std::string_view text = line.settings.text(option.id);
    if (const auto model = parse_model(text.substr(0, text.find(',')))) return *model;
  }
  return line.command == Command::kRobust ? Model::kTso : Model::kSc;
}

RunInfo run_info(const CommandLine& line, Model model) {
  RunInfo run{.command = std::string(describe(line.command).name), .file = line.file, .version = version()};
  run.model = model;
  run.options = line.settings.echo(line.command);
  run.files = line.files;
  run.compiler_arguments = line.compiler_arguments;
  run.given = line.settings.given_options();
  return run;
}

void note_cost(RunInfo& run, const Context& context) {
  run.seconds = context.seconds();
  run.peak_bytes = peak_memory();
}

void warn(const SourceMap& sources, const std::vector<Diagnostic>& diagnostics, const Settings& settings) {
  if (settings.flag(OptionId::kQuiet)) return;
  for (const Diagnostic& diagnostic : diagnostics) print_error(render(diagnostic, sources));
}

void warn(const Program& program, const std::vector<Diagnostic>& diagnostics, const Settings& settings) {
  warn(program.sources, diagnostics, settings);
}

void tell(const Diagnostic& problem, const Settings& settings) {
  if (problem.severity == Severity::kError || !settings.flag(OptionId::kQuiet))
    print_error(render(problem, {}));
}

std::optional<UsageError> check_focus(const Program& program, const Settings& settings) {
  const auto unknown = Focus(program, settings.list(OptionId::kFocus)).unknown();
  if (!unknown) return std::nullopt;
  return UsageError{fmt::format("--focus {}: there is no such thread or variable", *unknown),
                    guess_for(*unknown, focus_names(program))};
}

}  // namespace weir::cli
