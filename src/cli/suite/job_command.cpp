#include "cli/suite/job_command.hpp"

#include <algorithm>
#include <array>
#include <thread>

#include "base/process/process_group.hpp"
#include "cli/options/question.hpp"
#include "cli/session.hpp"
#include "frontend/c/c.hpp"

namespace weir::cli {

namespace {

// Options that the suite answers to itself.
constexpr std::array kOwnOptions = {OptionId::kModel,    OptionId::kJson,  OptionId::kQuiet,
                                    OptionId::kVerbose,  OptionId::kJobs,  OptionId::kMemory,
                                    OptionId::kColor,    OptionId::kSarif, OptionId::kSuite,
                                    OptionId::kExpected, OptionId::kJunit};

constexpr std::array kOptionsOfC = {OptionId::kNoSpurious, OptionId::kFailingMalloc, OptionId::kStrict,
                                    OptionId::kUnroll,     OptionId::kNondetRange,   OptionId::kThreads};

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

}  // namespace

std::vector<std::string> job_command(const suite::Job& job, const CommandLine& line) {
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

}  // namespace weir::cli
