#include "cli/suite/suite.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <thread>

#include "base/process/process_group.hpp"
#include "base/temporary_folder.hpp"
#include "cli/commands/commands.hpp"
#include "cli/console.hpp"
#include "cli/options/question.hpp"
#include "cli/outputs.hpp"
#include "cli/presenter.hpp"
#include "cli/session.hpp"
#include "cli/suite/inputs.hpp"
#include "cli/suite/progress.hpp"
#include "frontend/c/c.hpp"
#include "suite/suite.hpp"

namespace weir::cli {

namespace {

namespace fs = std::filesystem;

// Options that the suite answers to itself.
constexpr std::array kOwnOptions = {OptionId::kModel,    OptionId::kJson,  OptionId::kQuiet,
                                    OptionId::kVerbose,  OptionId::kJobs,  OptionId::kMemory,
                                    OptionId::kColor,    OptionId::kSarif, OptionId::kSuite,
                                    OptionId::kExpected, OptionId::kJunit};

constexpr std::array kOptionsOfC = {OptionId::kNoSpurious, OptionId::kFailingMalloc, OptionId::kUnroll,
                                    OptionId::kNondetRange, OptionId::kThreads};

// At least two: with one, no second engine tries when the first takes long, and a suite would know less than its
// inputs by themselves.
unsigned jobs_of_process(const Settings& settings) {
  return std::max(2u, std::thread::hardware_concurrency() / std::max(1u, jobs(settings)));
}

std::uint64_t memory_share(const Settings& settings) {
  return std::max<std::uint64_t>(1, memory_limit_megabytes(settings) / jobs(settings));
}

// What the user gave, as far as it has a meaning for the input.
void add_options(const Settings& settings, Command what, bool is_c, std::vector<std::string>& words) {
  for (const OptionDescription& option : option_table()) {
    if (!applies(option, what) || !applies(option, Command::kCheck) || !settings.given(option.id)) continue;
    if (std::ranges::find(kOwnOptions, option.id) != kOwnOptions.end()) continue;
    if (!is_c && std::ranges::find(kOptionsOfC, option.id) != kOptionsOfC.end()) continue;
    for (const std::string& value : settings.list(option.id)) {
      words.emplace_back(long_name(option));
      if (option.kind != OptionKind::kFlag) words.push_back(value);
    }
  }
}

// How the job is done: this program is called again, with one input.
std::vector<std::string> command(const suite::Job& job, const CommandLine& line) {
  const Settings& settings = line.settings;
  const suite::Input& input = job.input;
  const Command what = input.litmus ? Command::kOutcomes : Command::kCheck;
  std::vector<std::string> words{own_path(), std::string(describe(what).name), input.file};
  words.insert(words.end(), input.companions.begin(), input.companions.end());
  words.insert(words.end(), {"--json", "--quiet"});
  if (!input.litmus) words.emplace_back("--single");
  if (job.model) words.insert(words.end(), {"--model", name(*job.model)});
  if (!input.litmus) words.insert(words.end(), {"--jobs", std::to_string(jobs_of_process(settings))});
  words.insert(words.end(), {"--memory", std::to_string(memory_share(settings))});
  add_options(settings, what, is_c_path(input.file), words);
  if (!job.sarif.empty()) words.insert(words.end(), {"--sarif", job.sarif.string()});
  words.insert(words.end(), input.options.begin(), input.options.end());
  std::vector<std::string> compiler = line.compiler_arguments;
  compiler.insert(compiler.end(), input.compiler_arguments.begin(), input.compiler_arguments.end());
  if (!compiler.empty() && is_c_path(input.file)) {
    words.emplace_back("--");
    words.insert(words.end(), compiler.begin(), compiler.end());
  }
  return words;
}

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
    job.command = command(job, line);
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
  if (settings.given(OptionId::kJunit))
    deliver(line,
            [&] { return write_file(std::string(settings.text(OptionId::kJunit)), suite_junit(report)); });
  if (settings.given(OptionId::kSarif))
    deliver(line, [&] {
      return write_file(std::string(settings.text(OptionId::kSarif)), suite::merged_logs(all));
    });
  return report.exit_code;
}

}  // namespace weir::cli
