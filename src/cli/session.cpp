#include "cli/session.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <unistd.h>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/loading.hpp"
#include "report/dot.hpp"
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

Context::ProgressSink sink(ProgressPrinter& progress, const Settings& settings) {
  if (settings.flag(OptionId::kQuiet)) return {};
  return [&progress](const ProgressSample& sample, double seconds) { progress.show(sample, seconds); };
}

}  // namespace

Session::Session(const Settings& settings) : context_(limits(settings), sink(progress_, settings), true) {}

RunInfo run_info(const CommandLine& line, Model model) {
  RunInfo run{.command = std::string(describe(line.command).name), .file = line.file, .version = version()};
  run.model = model;
  run.options = line.settings.echo(line.command);
  return run;
}

void note_cost(RunInfo& run, const Context& context) {
  run.seconds = context.seconds();
  run.peak_bytes = peak_memory();
}

void warn(const Program& program, const std::vector<Diagnostic>& diagnostics, const Settings& settings) {
  if (settings.flag(OptionId::kQuiet)) return;
  for (const Diagnostic& diagnostic : diagnostics) print_error(render(diagnostic, program.sources));
}

std::optional<Diagnostic> write_files(const Program& program, const Witness* witness,
                                      const Settings& settings) {
  if (witness != nullptr && settings.given(OptionId::kWitness))
    if (auto problem = write_file(std::string(settings.text(OptionId::kWitness)),
                                  write_replay(program, *witness, version())))
      return problem;
  return write_dot(program, witness, settings);
}

std::optional<Diagnostic> write_dot(const Program& program, const Witness* witness,
                                    const Settings& settings) {
  if (!settings.given(OptionId::kDot)) return std::nullopt;
  return write_file(std::string(settings.text(OptionId::kDot)), dot_graph(program, witness));
}

}  // namespace weir::cli
