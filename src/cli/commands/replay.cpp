// weir replay: run a saved execution again on the reference machine, and say whether the violation is there.
#include "verify/replay.hpp"

#include <fmt/format.h>

#include "cli/commands/commands.hpp"
#include "cli/console.hpp"
#include "cli/loading.hpp"
#include "cli/native_opinion.hpp"
#include "cli/outputs.hpp"
#include "cli/presenter.hpp"
#include "cli/session.hpp"
#include "report/exit_code.hpp"

namespace weir::cli {

namespace {

// What `replay` says if it is not asked for more.
std::string brief_text(const ReplayFile& file, const Answer& answer, const RunInfo& run,
                       const Presentation& shown) {
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
  const auto replayed = verify::replay_again(*file, line.file);
  if (!replayed) return fail_input(line, replayed.error());
  const Answer& answer = replayed.value();
  RunInfo run = run_info(line, file->witness.model);
  note_cost(run, session.context());
  session.settle(verdict_name(answer), answer.reason, kViolation);
  const auto opinion = native_opinion(file->program, file->witness, file->c_sources, settings, run, session);
  const int code = opinion && opinion->outcome == native::Outcome::kDiverged ? kUnknown : kViolation;
  Presentable shown = presentable(file->program, answer, run, kViolation);
  shown.code = code;
  shown.witness = &file->witness;
  shown.saved = true;
  shown.figures = {};
  if (line.command == Command::kReplay && !settings.flag(OptionId::kVerbose))
    shown.text = [&](const Presentation& how) { return brief_text(*file, answer, run, how); };
  if (opinion && !settings.flag(OptionId::kJson)) shown.afterwards = native::text(*opinion);
  return present(line, session, run, shown);
}

int run_replay(const CommandLine& line, Session& session) {
  auto text = read_file(line.file);
  if (!text) return fail_input(line, text.error());
  return replay_text(line, std::move(*text), session);
}

}  // namespace weir::cli
