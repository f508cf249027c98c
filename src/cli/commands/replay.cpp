// weir replay: run a saved execution again on the reference machine, and say whether the violation is there.
#include "check/replay.hpp"

#include <fmt/format.h>

#include "cli/commands/commands.hpp"
#include "cli/console.hpp"
#include "cli/exit_code.hpp"
#include "cli/loading.hpp"
#include "cli/native_opinion.hpp"
#include "cli/outputs.hpp"
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
      line,
      {{Severity::kError, fmt::format("the execution in this file cannot be replayed: {}", result.failure),
        position, "was the file edited, or written by another version of Weir?"}},
      sources);
}

// The steps are possible, but words and sources need not be those of the violation.
int fail_changed(const CommandLine& line) {
  SourceMap sources;
  const SourcePosition position{sources.add(line.file, "")};
  return fail_input(line,
                    {{Severity::kError, "this file was changed after Weir wrote it", position,
                      "write it again: weir check PROGRAM --witness FILE"}},
                    sources);
}

std::string report(const CommandLine& line, const ReplayFile& file, const Answer& answer,
                   const RunInfo& run) {
  const Settings& settings = line.settings;
  const Presentation shown = presentation(settings);
  if (settings.flag(OptionId::kJson)) return json_report(file.program, answer, run, shown);
  const bool brief = line.command == Command::kReplay && !settings.flag(OptionId::kVerbose);
  if (settings.flag(OptionId::kQuiet)) return verdict_line(answer, run, shown);
  if (!brief) return text_report(file.program, answer, run, shown);
  return verdict_line(answer, run, shown) +
         fmt::format("replayed: all {} steps are possible and lead to the violation\n",
                     file.witness.steps.size());
}

}  // namespace

int replay_text(const CommandLine& line, std::string text, Session& session) {
  const Settings& settings = line.settings;
  auto file = read_replay(line.file, std::move(text));
  if (!file) return fail_input(line, file.error());
  if (const auto error = check_focus(file->program, settings)) return fail_usage(line, *error);
  if (const auto error = check_outputs(line, file->c_sources.files)) return fail_usage(line, *error);
  session.enter("replaying the execution");
  const ReplayResult result = replay(file->program, file->witness);
  if (!result.reproduced) return fail_replay(line, result);
  if (file->changed) return fail_changed(line);
  RunInfo run = run_info(line, file->witness.model);
  note_cost(run, session.context());
  const Answer answer = replayed_answer(file->witness);
  session.settle(verdict_name(answer), answer.reason, kViolation);
  const auto opinion = native_opinion(file->program, file->witness, file->c_sources, settings, run, session);
  const int code = opinion && opinion->outcome == native::Outcome::kDiverged ? kUnknown : kViolation;
  std::string told = report(line, *file, answer, run);
  if (opinion && !settings.flag(OptionId::kJson)) told += native::text(*opinion);
  session.enter("writing the answer");
  session.answer(told, code);
  deliver(line, [&] { return write_dot(file->program, &file->witness, settings); });
  deliver(line, [&] {
    return write_html(run, settings, [&] { return explorer_page(file->program, answer, run); });
  });
  deliver(line, [&] { return write_sarif(file->program, answer, run, kViolation, settings); });
  return code;
}

int run_replay(const CommandLine& line, Session& session) {
  auto text = read_file(line.file);
  if (!text) return fail_input(line, text.error());
  return replay_text(line, std::move(*text), session);
}

}  // namespace weir::cli
