#include "suite/bench.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/process/process_group.hpp"
#include "suite/judgement.hpp"
#include "verify/engines.hpp"
#include "verify/load.hpp"

namespace weir::suite {

namespace {

constexpr std::string_view kAuto = "auto", kAutoWithTwoJobs = "auto-2";

bool is_auto(std::string_view engine) { return engine == kAuto || engine == kAutoWithTwoJobs; }

// Where an engine gives answers at all.
bool can_answer(std::string_view engine, Model model, const Input& input) {
  if (input.litmus || verify::is_array_path(input.file)) return false;
  return is_auto(engine) || verify::find_engine(engine)->answers_under(model);
}

std::vector<std::string> command(const Input& input, Model model, const std::string& engine,
                                 const Comparison& comparison) {
  std::vector<std::string> words{own_path(), "check", input.file};
  words.insert(words.end(), input.companions.begin(), input.companions.end());
  words.insert(words.end(),
               {"--single", "--json", "--quiet", "--jobs", engine == kAutoWithTwoJobs ? "2" : "1", "--model",
                name(model), "--engine", std::string(is_auto(engine) ? kAuto : engine), "--timeout",
                fmt::format("{}", comparison.seconds)});
  if (comparison.megabytes) words.insert(words.end(), {"--memory", std::to_string(*comparison.megabytes)});
  words.insert(words.end(), input.options.begin(), input.options.end());
  if (!input.compiler_arguments.empty()) {
    words.emplace_back("--");
    words.insert(words.end(), input.compiler_arguments.begin(), input.compiler_arguments.end());
  }
  return words;
}

void note_end(BenchRun& run, const CommandEnd& end) {
  run.detail.clear();
  run.seconds = end.seconds;
  run.processor_seconds = end.how.processor_seconds;
  if (end.cut) {
    run.detail = kKilled;
    return;
  }
  const auto answer = nlohmann::json::parse(end.output, nullptr, false);
  if (answer.is_discarded() || answer.value("verdict", "error") == "error") {
    run.verdict = "error";
    run.detail = first_line(end.errors);
    return;
  }
  run.verdict = answer.at("verdict");
  if (run.verdict == "unknown") run.detail = answer.value("reason", "");
}

Measurement measurement(const Input& input, Model model, const std::string& engine,
                        const Comparison& comparison) {
  Measurement result{.run = {.file = input.file, .model = name(model), .engine = engine}, .command = {}};
  if (input.problem.empty()) {
    result.run.verdict = "unknown";
    result.run.detail = "it was not started";
    result.command = command(input, model, engine, comparison);
  } else {
    result.run.verdict = "error";
    result.run.detail = first_line(input.problem);
  }
  return result;
}

}  // namespace

std::vector<std::string> comparable_engines() {
  std::vector<std::string> names;
  for (const verify::Engine& engine : verify::engines()) names.emplace_back(engine.name);
  names.emplace_back(kAuto);
  names.emplace_back(kAutoWithTwoJobs);
  return names;
}

std::vector<Measurement> measurements(const std::vector<Input>& inputs, const Comparison& comparison) {
  std::vector<Measurement> found;
  for (const Input& input : inputs)
    for (const Model model : comparison.models)
      for (const std::string& engine : comparison.engines)
        if (!input.problem.empty() || can_answer(engine, model, input))
          found.push_back(measurement(input, model, engine, comparison));
  return found;
}

BenchReport measure(std::vector<Measurement> runs, const Comparison& comparison,
                    const std::filesystem::path& folder, const Context& context,
                    const std::function<void(const BenchRun&)>& ended) {
  std::vector<std::vector<std::string>> commands;
  for (const Measurement& each : runs) commands.push_back(each.command);
  const ProcessLimits limits{.at_once = 1, .longest = longest_run(comparison.seconds)};
  run_processes(commands, limits, folder, context, [&](std::size_t i, const CommandEnd& end) {
    note_end(runs[i].run, end);
    ended(runs[i].run);
  });
  BenchReport report{.engines = comparison.engines, .runs = {}};
  for (Measurement& each : runs) report.runs.push_back(std::move(each.run));
  if (const std::string problem = contradiction(report); !problem.empty())
    throw InternalError("two engines contradict each other: " + problem);
  return report;
}

}  // namespace weir::suite
