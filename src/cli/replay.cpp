// weir replay: run a saved execution again on the reference machine, and say whether the violation is there.
#include "check/replay.hpp"

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/exit_code.hpp"
#include "cli/loading.hpp"
#include "cli/native_opinion.hpp"
#include "cli/session.hpp"
#include "trace/replay_file.hpp"

namespace weir::cli {

namespace {

Answer replayed_answer(const Witness& witness) {
  Answer answer{.verdict = Verdict::kUnsafe, .engine = "reference"};
  answer.reason = "replayed on the reference machine";
  answer.witness = witness;
  answer.statistics.set("transitions", static_cast<std::uint64_t>(witness.steps.size()));
  return answer;
}

int fail_replay(const CommandLine& line, const ReplayResult& result) {
  SourceMap sources;
  const SourcePosition position{sources.add(line.file, "")};
  return fail_input(
      {{Severity::kError, fmt::format("the execution in this file cannot be replayed: {}", result.failure),
        position, "was the file edited, or written by another version of Weir?"}},
      sources);
}

void report(const CommandLine& line, const ReplayFile& file, const Answer& answer, const RunInfo& run) {
  const Settings& settings = line.settings;
  const Presentation shown = presentation(settings);
  if (settings.flag(OptionId::kJson)) return print_out(json_report(file.program, answer, run, shown));
  if (settings.flag(OptionId::kQuiet) ||
      (line.command == Command::kReplay && !settings.flag(OptionId::kVerbose))) {
    print_out(verdict_line(answer, run, shown));
    if (!settings.flag(OptionId::kQuiet))
      print_out(fmt::format("replayed: all {} steps are possible and lead to the violation\n",
                            file.witness.steps.size()));
    return;
  }
  print_out(text_report(file.program, answer, run, shown));
}

}  // namespace

int replay_text(const CommandLine& line, std::string text) {
  const Context context;  // for the time only
  auto file = read_replay(line.file, std::move(text));
  if (!file) return fail_input(file.error());
  if (const auto error = check_focus(file->program, line.settings)) return fail_usage(*error);
  const ReplayResult result = replay(file->program, file->witness);
  if (!result.reproduced) return fail_replay(line, result);
  if (const auto problem = write_dot(file->program, &file->witness, line.settings))
    return fail_input({*problem}, file->program.sources);
  RunInfo run = run_info(line, file->witness.model);
  note_cost(run, context);
  const Answer answer = replayed_answer(file->witness);
  if (const auto problem =
          write_html(run, line.settings, [&] { return explorer_page(file->program, answer, run); }))
    return fail_input({*problem}, file->program.sources);
  if (const auto problem = write_sarif(file->program, answer, run, kViolation, line.settings))
    return fail_input({*problem}, file->program.sources);
  const auto opinion = native_opinion(file->program, file->witness, file->c_sources, line.settings, run);
  report(line, *file, answer, run);
  if (opinion && !line.settings.flag(OptionId::kJson)) print_out(native::text(*opinion));
  return opinion && opinion->outcome == native::Outcome::kDiverged ? kUnknown : kViolation;
}

int run_replay(const CommandLine& line) {
  auto text = read_file(line.file);
  if (!text) return fail_input(text.error());
  return replay_text(line, std::move(*text));
}

}  // namespace weir::cli
