// weir bench: the engines side by side on the same programs, one after the other, so that none disturbs
// another's time. Each run is a process of its own.
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/temporary_folder.hpp"
#include "cli/commands/commands.hpp"
#include "cli/console.hpp"
#include "cli/exit_code.hpp"
#include "cli/loading.hpp"
#include "cli/outputs.hpp"
#include "cli/session.hpp"
#include "cli/suite/inputs.hpp"
#include "cli/suite/processes.hpp"
#include "cli/suite/progress.hpp"
#include "report/bench_report.hpp"
#include "verify/engines.hpp"

namespace weir::cli {

namespace {

constexpr double kSeconds = 10;  // of each run, if --timeout does not say otherwise

// Where an engine gives answers at all.
bool applies(std::string_view engine, Model model, const SuiteInput& input) {
  if (input.litmus || verify::is_array_path(input.file)) return false;
  return engine == "auto" || verify::find_engine(engine)->answers_under(model);
}

struct Comparison {
  std::vector<std::string> engines;
  std::vector<Model> models;
  double seconds = kSeconds;
};

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    parts.emplace_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::vector<std::string> engine_names() {
  std::vector<std::string> names;
  for (const verify::Engine& engine : verify::engines()) names.emplace_back(engine.name);
  names.emplace_back("auto");
  return names;
}

Expected<Comparison, UsageError> read_comparison(const Settings& settings) {
  const std::vector<std::string> known = engine_names();
  Comparison comparison{.engines = split(settings.text(OptionId::kBenchEngines))};
  for (const std::string& engine : comparison.engines)
    if (std::ranges::find(known, engine) == known.end()) {
      const std::string guess = guess_for(engine, known);
      return UsageError{fmt::format("--engines: there is no engine '{}' to compare", engine),
                        guess.empty() ? fmt::format("possible are {}", fmt::join(known, ", ")) : guess};
    }
  for (const std::string& word : split(settings.text(OptionId::kOutcomesModels))) {
    const auto model = parse_model(word);
    if (!model)
      return UsageError{fmt::format("--model: there is no model '{}'", word), "possible are sc, tso, pso"};
    comparison.models.push_back(*model);
  }
  if (const auto seconds = settings.seconds(OptionId::kTimeout)) comparison.seconds = *seconds;
  return comparison;
}

std::vector<std::string> command(const SuiteInput& input, Model model, const std::string& engine,
                                 const Comparison& comparison, const Settings& settings) {
  std::vector<std::string> words{own_path(), "check", input.file};
  words.insert(words.end(), input.companions.begin(), input.companions.end());
  words.insert(words.end(), {"--single", "--json", "--quiet", "--jobs", "1", "--model", name(model),
                             "--engine", engine, "--timeout", fmt::format("{}", comparison.seconds)});
  if (const auto megabytes = settings.megabytes(OptionId::kMemory))
    words.insert(words.end(), {"--memory", std::to_string(*megabytes)});
  words.insert(words.end(), input.options.begin(), input.options.end());
  if (!input.compiler_arguments.empty()) {
    words.emplace_back("--");
    words.insert(words.end(), input.compiler_arguments.begin(), input.compiler_arguments.end());
  }
  return words;
}

void note_end(BenchRun& run, const CommandEnd& end) {
  run.seconds = end.seconds;
  if (end.cut) {
    run.detail = "it did not end in time, and was killed";
    return;
  }
  const auto answer = nlohmann::json::parse(end.output, nullptr, false);
  if (answer.is_discarded() || answer.value("verdict", "error") == "error") {
    run.verdict = "error";
    run.detail = end.errors.substr(0, end.errors.find('\n'));
    return;
  }
  run.verdict = answer.at("verdict");
  if (run.verdict == "unknown") run.detail = answer.value("reason", "");
}

class Bench {
 public:
  Bench(const CommandLine& line, const Comparison& comparison, Session& session)
      : line_(line),
        settings_(line.settings),
        comparison_(comparison),
        session_(session),
        context_(session.context()) {
    report_.engines = comparison.engines;
  }

  int run(const std::vector<SuiteInput>& inputs) {
    for (const SuiteInput& input : inputs)
      for (const Model model : comparison_.models)
        for (const std::string& engine : comparison_.engines)
          if (!input.problem.empty() || applies(engine, model, input)) add(input, model, engine);
    if (report_.runs.empty())
      return fail_usage(line_, {"there is no program to compare engines on",
                                "litmus tests and array systems have one engine each"});
    execute();
    return tell();
  }

 private:
  void add(const SuiteInput& input, Model model, const std::string& engine) {
    report_.runs.push_back({.file = input.file,
                            .model = name(model),
                            .engine = engine,
                            .verdict = "unknown",
                            .detail = "it was not started"});
    if (!input.problem.empty()) {
      report_.runs.back().verdict = "error";
      report_.runs.back().detail = input.problem.substr(0, input.problem.find('\n'));
      return;
    }
    numbers_.push_back(report_.runs.size() - 1);
    commands_.push_back(command(input, model, engine, comparison_, settings_));
  }

  void execute() {
    const TemporaryFolder folder(session_.folder());
    SuiteProgress progress(commands_.size(), !settings_.flag(OptionId::kQuiet));
    const ProcessLimits limits{.at_once = 1, .longest = longest_run(comparison_.seconds)};
    run_processes(commands_, limits, folder.path(), context_, [&](std::size_t i, const CommandEnd& end) {
      BenchRun& run = report_.runs[numbers_[i]];
      run.detail.clear();
      note_end(run, end);
      progress.ended(run.file, context_.seconds());
    });
  }

  int tell() {
    RunInfo run = run_info(line_, Model::kSc);
    note_cost(run, context_);
    if (const std::string problem = contradiction(report_); !problem.empty())
      throw InternalError("two engines contradict each other: " + problem);
    const bool failed = std::ranges::count(report_.runs, "error", &BenchRun::verdict) > 0;
    const int code = failed ? kBadInput : context_.stopped() ? kUnknown : kDone;
    session_.answer(settings_.flag(OptionId::kJson) ? bench_json(report_, run) : bench_text(report_), code);
    if (settings_.given(OptionId::kPlot))
      deliver(line_,
              [&] { return write_file(std::string(settings_.text(OptionId::kPlot)), bench_svg(report_)); });
    return code;
  }

  const CommandLine& line_;
  const Settings& settings_;
  const Comparison& comparison_;
  Session& session_;
  const Context& context_;
  BenchReport report_;
  std::vector<std::vector<std::string>> commands_;
  std::vector<std::size_t> numbers_;  // of the run of each command
};

}  // namespace

int run_bench(const CommandLine& line, Session& session) {
  auto comparison = read_comparison(line.settings);
  if (!comparison) return fail_usage(line, comparison.error());
  auto inputs = suite_inputs(line);
  if (!inputs) return fail_input(line, inputs.error());
  return Bench(line, *comparison, session).run(*inputs);
}

}  // namespace weir::cli
