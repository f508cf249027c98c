// weir selfcheck: random programs, or those that are given, through every engine that applies. The answers
// must agree; if they do not, the smallest program that shows it is written to a file, with commands that
// show it again.
#include "selfcheck/selfcheck.hpp"

#include <filesystem>
#include <fmt/format.h>

#include "cli/commands/array.hpp"
#include "cli/commands/commands.hpp"
#include "cli/console.hpp"
#include "cli/loading.hpp"
#include "cli/options/selfcheck_options.hpp"
#include "cli/outputs.hpp"
#include "cli/presenter.hpp"
#include "report/exit_code.hpp"
#include "selfcheck/selfcheck_report.hpp"

namespace weir::cli {

namespace {

using selfcheck::Disagreement;
using selfcheck::SelfcheckOptions;
using selfcheck::SelfcheckResult;

std::string with_file(std::string command, const std::string& file) {
  command.replace(command.find("{file}"), 6, file);
  return command;
}

// Writes the program, and how it can be seen again, into it as comments.
std::optional<Diagnostic> write(Disagreement& found, const Settings& settings, std::string& file) {
  const std::filesystem::path folder(settings.text(OptionId::kSelfcheckOutput));
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  file = (folder / fmt::format("selfcheck-{}-{}-{}{}", found.comparison,
                               settings.number(OptionId::kSeed).value(), found.number, found.suffix))
             .string();
  for (std::string& command : found.commands) command = with_file(command, file);
  return write_file(file, selfcheck_file(found));
}

int finish(const CommandLine& line, SelfcheckResult result, RunInfo info, std::string file,
           Session& session) {
  const Settings& settings = line.settings;
  if (result.disagreement && file.empty()) {
    deliver(line, [&] { return write(*result.disagreement, settings, file); });
  } else if (result.disagreement) {
    for (std::string& command : result.disagreement->commands) command = with_file(command, file);
  }
  const selfcheck::SelfcheckReport report{result, file};
  const int code = result.disagreement ? kInternal : kDone;
  if (settings.flag(OptionId::kJson)) return session.answer(selfcheck_json(report, info), code);
  std::string text = selfcheck_text(report, info, settings.flag(OptionId::kQuiet));
  if (settings.flag(OptionId::kVerbose)) text += selfcheck_times(result.ledger);
  return session.answer(text, code);
}

// One of the files that are given.
Expected<SelfcheckResult> check_file(CommandLine line, const SelfcheckOptions& options, Session& session) {
  if (is_array_system(line)) {
    auto system = verify::load_array_system(line.file);
    if (!system) return std::move(system.error());
    return selfcheck_system(*system, options);
  }
  auto program = load_program(line, session);
  if (!program) return std::move(program.error());
  return selfcheck_program(*program, options);
}

int run_files(const CommandLine& line, const SelfcheckOptions& options, Session& session) {
  SelfcheckResult all;
  std::string disagreeing;
  for (const std::string& file : line.files) {
    CommandLine one = line;
    one.file = file;
    one.files = {file};
    auto result = check_file(std::move(one), options, session);
    if (!result) return fail_input(line, result.error());
    all.inputs += 1;
    all.ledger.add(result->ledger);
    all.disagreement = std::move(result->disagreement);
    if (all.disagreement) disagreeing = file;
    if (all.disagreement || session.context().stopped()) break;
  }
  RunInfo info = run_info(line, Model::kTso);
  note_cost(info, session.context());
  return finish(line, std::move(all), std::move(info), std::move(disagreeing), session);
}

}  // namespace

int run_selfcheck(const CommandLine& line, Session& session) {
  auto options = selfcheck_options(line.settings);
  if (!options) return fail_usage(line, options.error());
  if (!line.files.empty()) return run_files(line, *options, session);
  RunInfo info = run_info(line, Model::kTso);
  session.enter("comparing engines");
  SelfcheckResult result = selfcheck::run_selfcheck(*options, session.context());
  note_cost(info, session.context());
  return finish(line, std::move(result), std::move(info), "", session);
}

}  // namespace weir::cli
