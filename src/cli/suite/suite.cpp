#include "cli/suite/suite.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "base/process/process_group.hpp"
#include "base/temporary_folder.hpp"
#include "cli/commands/commands.hpp"
#include "cli/console.hpp"
#include "cli/options/question.hpp"
#include "cli/outputs.hpp"
#include "cli/presenter.hpp"
#include "cli/session.hpp"
#include "cli/suite/inputs.hpp"
#include "cli/suite/job_command.hpp"
#include "cli/suite/progress.hpp"
#include "frontend/c/c.hpp"
#include "suite/suite.hpp"

namespace weir::cli {

namespace {

namespace fs = std::filesystem;

std::vector<suite::Job> jobs_of(const std::vector<suite::Input>& inputs, const CommandLine& line,
                                const fs::path& folder) {
  std::optional<Model> asked;
  if (line.settings.given(OptionId::kModel)) asked = parse_model(line.settings.text(OptionId::kModel));
  std::vector<suite::Job> result = suite::jobs_of(inputs, asked);
  for (std::size_t i = 0; i < result.size(); ++i) {
    suite::Job& job = result[i];
    if (!job.to_be_run()) continue;
    if (line.settings.given(OptionId::kSarif) && !job.input.litmus)
      job.sarif = folder / fmt::format("{}.sarif", i);
    job.command = job_command(job, line);
  }
  return result;
}

SuiteReport run(std::vector<suite::Job>& all, const fs::path& folder, const Settings& settings,
                const Context& context) {
  ProcessLimits limits{.at_once = jobs(settings), .longest = {}};
  if (const auto seconds = settings.seconds(OptionId::kTimeout)) limits.longest = longest_run(*seconds);
  SuiteProgress progress(static_cast<std::size_t>(std::ranges::count_if(all, &suite::Job::to_be_run)),
                         !settings.flag(OptionId::kQuiet));
  SuiteReport report = suite::run_jobs(all, limits, folder, context, [&](const SuiteRun& one) {
    progress.ended(one.file, context.seconds());
  });
  report.version = version();
  return report;
}

std::string text_of(const SuiteReport& report, const Settings& settings) {
  return in_wanted_form(
      settings, [&](const Presentation&) { return suite_json(report); },
      [&](const Presentation& shown) { return suite_summary(report, shown); },
      [&](const Presentation& shown) { return suite_text(report, shown); });
}

}  // namespace

bool is_suite(const CommandLine& line) {
  if (line.command != Command::kCheck || line.settings.flag(OptionId::kSingle)) return false;
  for (const OptionId id : {OptionId::kSuite, OptionId::kExpected, OptionId::kJunit})
    if (line.settings.given(id)) return true;
  std::error_code ignored;
  const auto is_folder = [&](const std::string& file) { return fs::is_directory(file, ignored); };
  return std::ranges::any_of(line.files, is_folder) ||
         (line.files.size() > 1 && !std::ranges::all_of(line.files, is_c_path));
}

std::optional<UsageError> check_suite(const CommandLine& line) {
  for (const OptionDescription& option : option_table())
    for (const OptionId id :
         {OptionId::kWitness, OptionId::kDot, OptionId::kCertificate, OptionId::kSvcompWitness})
      if (option.id == id && line.settings.given(id))
        return UsageError{fmt::format("{} is about one input, and this is a suite", long_name(option)), ""};
  return std::nullopt;
}

std::optional<UsageError> check_single(const CommandLine& line) {
  if (!line.settings.flag(OptionId::kSingle)) return std::nullopt;
  for (const OptionId id : {OptionId::kSuite, OptionId::kExpected, OptionId::kJunit})
    if (line.settings.given(id))
      return UsageError{"--single is for one input, and --suite, --expected and --junit for suites", ""};
  return std::nullopt;
}

int run_suite(const CommandLine& line, Session& session) {
  const Settings& settings = line.settings;
  auto inputs = suite_inputs(line);
  if (!inputs) return fail_input(line, inputs.error());
  if (const auto error = check_outputs(line, suite::files_of(*inputs))) return fail_usage(line, *error);
  if (!settings.flag(OptionId::kQuiet))
    for (const suite::Input& input : *inputs) print_error(input.problem);
  const TemporaryFolder folder(session.folder());
  std::vector<suite::Job> all = jobs_of(*inputs, line, folder.path());
  const SuiteReport report = run(all, folder.path(), settings, session.context());
  session.answer(text_of(report, settings), report.exit_code);
  deliver(line, OptionId::kJunit, [&] { return suite_junit(report); });
  deliver(line, OptionId::kSarif, [&] { return suite::merged_logs(all); });
  return report.exit_code;
}

}  // namespace weir::cli
