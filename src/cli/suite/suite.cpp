#include "cli/suite/suite.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <thread>
#include <unistd.h>

#include "base/temporary_folder.hpp"
#include "cli/commands/commands.hpp"
#include "cli/console.hpp"
#include "cli/exit_code.hpp"
#include "cli/loading.hpp"
#include "cli/options/question.hpp"
#include "cli/outputs.hpp"
#include "cli/session.hpp"
#include "cli/suite/inputs.hpp"
#include "cli/suite/processes.hpp"
#include "cli/suite/progress.hpp"
#include "frontend/c/c.hpp"
#include "report/suite_report.hpp"

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

// An input under a model, how to check it, and what came out.
struct Job {
  std::vector<std::string> command;
  fs::path sarif;  // where the process writes its log; empty if nobody wants it
  std::optional<Expectation> expectation;
  SuiteRun run;
};

std::string expectation_text(const Expectation& expectation) {
  return expectation.kind.empty() ? expectation.verdict : expectation.verdict + " " + expectation.kind;
}

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, std::min(text.find('\n'), text.size())));
}

class Suite {
 public:
  Suite(const CommandLine& line, const std::vector<SuiteInput>& inputs, Session& session)
      : line_(line),
        settings_(line.settings),
        session_(session),
        context_(session.context()),
        folder_(session.folder()) {
    for (const SuiteInput& input : inputs) add_jobs(input);
  }

  int run() {
    std::vector<std::vector<std::string>> commands;
    std::vector<std::size_t> number;  // of the job of each command
    for (std::size_t i = 0; i < jobs_.size(); ++i)
      if (!jobs_[i].command.empty()) {
        commands.push_back(jobs_[i].command);
        number.push_back(i);
      }
    {
      SuiteProgress progress(commands.size(), !settings_.flag(OptionId::kQuiet));
      run_processes(commands, limits(), folder_.path(), context_, [&](std::size_t i, CommandEnd end) {
        judge(jobs_[number[i]], std::move(end));
        progress.ended(jobs_[number[i]].run.file, context_.seconds());
      });
    }
    SuiteReport report{.version = version()};
    for (Job& job : jobs_) {
      if (context_.stopped() && job.run.detail.empty() && job.run.answer.empty()) {
        job.run.detail = "it was not started";
        job.run.started = false;
      }
      report.runs.push_back(job.run);
    }
    report.seconds = context_.seconds();
    report.exit_code = exit_code(report);
    session_.answer(text_of(report), report.exit_code);
    if (settings_.given(OptionId::kJunit))
      deliver(line_,
              [&] { return write_file(std::string(settings_.text(OptionId::kJunit)), suite_junit(report)); });
    if (settings_.given(OptionId::kSarif)) deliver(line_, [&] { return write_logs(); });
    return report.exit_code;
  }

 private:
  ProcessLimits limits() const {
    ProcessLimits result{.at_once = jobs(settings_)};
    if (const auto seconds = settings_.seconds(OptionId::kTimeout)) result.longest = longest_run(*seconds);
    return result;
  }

  // Jobs.

  void add_jobs(const SuiteInput& input) {
    if (!input.problem.empty()) return add_failure(input);
    for (const std::optional<Model>& model : models_of(input)) {
      Job& job = jobs_.emplace_back();
      job.run.file = input.file;
      // Array systems say by themselves whether they have buffers.
      const bool array = verify::is_array_path(input.file);
      job.run.model = model ? name(*model) : array ? "tso" : "sc";
      for (const Expectation& each : input.expectations)
        if (!each.model || each.model == model || (!model && each.model == Model::kSc))
          job.expectation = each;
      if (job.expectation) job.run.expected = expectation_text(*job.expectation);
      job.command = command(input, model, job);
    }
  }

  // What an input says about itself is wrong: that is its failure, and nothing is run.
  void add_failure(const SuiteInput& input) {
    SuiteRun& run = jobs_.emplace_back().run;
    run.file = input.file;
    run.model = settings_.given(OptionId::kModel) ? std::string(settings_.text(OptionId::kModel)) : "sc";
    run.verdict = "error";
    run.detail = first_line(input.problem);
    run.outcome = SuiteOutcome::kError;
  }

  // The one that is asked for; otherwise those of which something is expected.
  std::vector<std::optional<Model>> models_of(const SuiteInput& input) const {
    if (settings_.given(OptionId::kModel)) return {parse_model(settings_.text(OptionId::kModel))};
    std::vector<std::optional<Model>> models;
    for (const Expectation& each : input.expectations)
      if (std::ranges::find(models, each.model) == models.end()) models.push_back(each.model);
    if (models.empty()) models.emplace_back();
    return models;
  }

  std::vector<std::string> command(const SuiteInput& input, std::optional<Model> model, Job& job) {
    const Command what = input.litmus ? Command::kOutcomes : Command::kCheck;
    std::vector<std::string> words{own_path(), std::string(describe(what).name), input.file};
    words.insert(words.end(), input.companions.begin(), input.companions.end());
    words.insert(words.end(), {"--json", "--quiet"});
    if (!input.litmus) words.emplace_back("--single");
    if (model) words.insert(words.end(), {"--model", name(*model)});
    if (!input.litmus) words.insert(words.end(), {"--jobs", std::to_string(jobs_of_process())});
    if (const auto megabytes = memory_share())
      words.insert(words.end(), {"--memory", std::to_string(*megabytes)});
    add_options(what, is_c_path(input.file), words);
    if (settings_.given(OptionId::kSarif) && !input.litmus) {
      job.sarif = folder_.path() / fmt::format("{}.sarif", jobs_.size());
      words.insert(words.end(), {"--sarif", job.sarif.string()});
    }
    words.insert(words.end(), input.options.begin(), input.options.end());
    std::vector<std::string> compiler = line_.compiler_arguments;
    compiler.insert(compiler.end(), input.compiler_arguments.begin(), input.compiler_arguments.end());
    if (!compiler.empty() && is_c_path(input.file)) {
      words.emplace_back("--");
      words.insert(words.end(), compiler.begin(), compiler.end());
    }
    return words;
  }

  // What the user gave, as far as it has a meaning for the input.
  void add_options(Command what, bool is_c, std::vector<std::string>& words) const {
    for (const OptionDescription& option : option_table()) {
      if (!applies(option, what) || !applies(option, Command::kCheck) || !settings_.given(option.id))
        continue;
      if (std::ranges::find(kOwnOptions, option.id) != kOwnOptions.end()) continue;
      if (!is_c && std::ranges::find(kOptionsOfC, option.id) != kOptionsOfC.end()) continue;
      for (const std::string& value : settings_.list(option.id)) {
        words.emplace_back(long_name(option));
        if (option.kind != OptionKind::kFlag) words.push_back(value);
      }
    }
  }

  // At least two: with one, no second engine tries when the first takes long, and a suite would know less
  // than its inputs by themselves.
  unsigned jobs_of_process() const {
    return std::max(2u, std::thread::hardware_concurrency() / std::max(1u, jobs(settings_)));
  }

  std::optional<std::uint64_t> memory_share() const {
    return std::max<std::uint64_t>(1, memory_limit_megabytes(settings_) / jobs(settings_));
  }

  // Answers.

  static void judge(Job& job, CommandEnd end) {
    SuiteRun& run = job.run;
    run.seconds = end.seconds;
    run.exit_code = end.how.exit_code;
    read_answer(run, std::move(end));
    run.outcome = outcome(job);
  }

  static void read_answer(SuiteRun& run, CommandEnd end) {
    const auto [exit_code, signal] = end.how;
    if (end.cut) {
      run.verdict = "unknown";
      run.detail = "it did not end in time, and was killed";
      return;
    }
    if (!exit_code || *exit_code == kInternal) {
      run.verdict = "crashed";
      run.detail = !exit_code && signal == SIGKILL ? "it was killed: too much memory"
                   : !exit_code                    ? strsignal(signal)
                                                   : first_line(end.errors);
      return;
    }
    if (*exit_code == kBadInput || *exit_code == kUsage) {
      run.verdict = "error";
      run.detail = first_line(end.errors);
      return;
    }
    const auto answer = nlohmann::json::parse(end.output, nullptr, false);
    if (answer.is_discarded()) {
      run.verdict = "error";
      run.detail = "it gave no answer";
      return;
    }
    run.answer = std::move(end.output);
    run.model = answer.value("model", run.model);
    run.verdict = answer.at("verdict");
    run.detail = answer.contains("violation") ? answer["violation"].value("message", "") : "";
    if (run.verdict == "unknown") run.detail = answer.value("reason", "");
    if (!answer.contains("observation") || run.verdict == "unknown") return;
    run.verdict = answer["observation"];
    run.verdict[0] = static_cast<char>(run.verdict[0] - 'A' + 'a');
    run.detail = answer.value("condition", "");
  }

  // Without an expectation, everything is fine that is no violation.
  static SuiteOutcome outcome(const Job& job) {
    const SuiteRun& run = job.run;
    if (run.verdict == "crashed") return SuiteOutcome::kError;
    const std::string wanted = job.expectation ? job.expectation->verdict : "";
    const bool same =
        run.verdict == wanted && (job.expectation->kind.empty() || kind_of(run) == job.expectation->kind);
    if (same) return SuiteOutcome::kExpected;
    if (run.verdict == "error") return SuiteOutcome::kError;
    if (run.verdict == "unknown") return SuiteOutcome::kUnknown;
    return wanted.empty() && run.verdict != "unsafe" ? SuiteOutcome::kExpected : SuiteOutcome::kUnexpected;
  }

  static std::string kind_of(const SuiteRun& run) {
    return nlohmann::json::parse(run.answer).value("/violation/kind"_json_pointer, "");
  }

  static int exit_code(const SuiteReport& report) {
    const auto crashed = [](const SuiteRun& run) { return run.verdict == "crashed"; };
    if (std::ranges::any_of(report.runs, crashed)) return kInternal;
    if (report.count(SuiteOutcome::kUnexpected) > 0) return kViolation;
    if (report.count(SuiteOutcome::kError) > 0) return kBadInput;
    return report.count(SuiteOutcome::kUnknown) > 0 ? kUnknown : kDone;
  }

  // Reports.

  std::optional<Diagnostic> write_logs() const {
    std::vector<std::string> logs;
    for (const Job& job : jobs_)
      if (!job.run.answer.empty() && !job.sarif.empty())
        if (const auto log = read_file(job.sarif.string())) logs.push_back(log.value());
    return write_file(std::string(settings_.text(OptionId::kSarif)), merged_sarif(logs));
  }

  std::string text_of(const SuiteReport& report) const {
    const Presentation shown = presentation(settings_);
    if (settings_.flag(OptionId::kJson)) return suite_json(report);
    if (settings_.flag(OptionId::kQuiet)) return suite_summary(report, shown);
    return suite_text(report, shown);
  }

  const CommandLine& line_;
  const Settings& settings_;
  Session& session_;
  const Context& context_;
  TemporaryFolder folder_;
  std::vector<Job> jobs_;
};

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

namespace {

std::vector<std::string> all_files(const std::vector<SuiteInput>& inputs) {
  std::vector<std::string> files;
  for (const SuiteInput& input : inputs) {
    files.push_back(input.file);
    files.insert(files.end(), input.companions.begin(), input.companions.end());
  }
  return files;
}

}  // namespace

int run_suite(const CommandLine& line, Session& session) {
  auto inputs = suite_inputs(line);
  if (!inputs) return fail_input(line, inputs.error());
  if (const auto error = check_outputs(line, all_files(*inputs))) return fail_usage(line, *error);
  if (!line.settings.flag(OptionId::kQuiet))
    for (const SuiteInput& input : *inputs) print_error(input.problem);
  return Suite(line, *inputs, session).run();
}

}  // namespace weir::cli
