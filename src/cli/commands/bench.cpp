// weir bench: which engines on which programs, and how the comparison is told.
#include "suite/bench.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "base/temporary_folder.hpp"
#include "cli/commands/commands.hpp"
#include "cli/console.hpp"
#include "cli/outputs.hpp"
#include "cli/presenter.hpp"
#include "cli/suite/inputs.hpp"
#include "cli/suite/progress.hpp"
#include "report/exit_code.hpp"

namespace weir::cli {

namespace {

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    parts.emplace_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

Expected<suite::Comparison, UsageError> read_comparison(const Settings& settings) {
  const std::vector<std::string> known = suite::comparable_engines();
  suite::Comparison comparison{.engines = known, .models = {}};
  if (!settings.flag(OptionId::kBenchAuto))
    comparison.engines = split(settings.text(OptionId::kBenchEngines));
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
  comparison.megabytes = settings.megabytes(OptionId::kMemory);
  return comparison;
}

BenchReport measured(std::vector<suite::Measurement> runs, const suite::Comparison& comparison,
                     const Settings& settings, Session& session) {
  const TemporaryFolder folder(session.folder());
  const Context& context = session.context();
  SuiteProgress progress(runs.size() - static_cast<std::size_t>(std::ranges::count_if(
                                           runs, [](const auto& run) { return run.command.empty(); })),
                         !settings.flag(OptionId::kQuiet));
  return suite::measure(std::move(runs), comparison, folder.path(), context,
                        [&](const BenchRun& run) { progress.ended(run.file, context.seconds()); });
}

}  // namespace

int run_bench(const CommandLine& line, Session& session) {
  const Settings& settings = line.settings;
  const Context& context = session.context();
  const auto comparison = read_comparison(settings);
  if (!comparison) return fail_usage(line, comparison.error());
  auto inputs = suite_inputs(line);
  if (!inputs) return fail_input(line, inputs.error());
  std::vector<suite::Measurement> runs = suite::measurements(*inputs, comparison.value());
  if (runs.empty())
    return fail_usage(line, {"there is no program to compare engines on",
                             "litmus tests and array systems have one engine each"});
  const BenchReport report = measured(std::move(runs), comparison.value(), settings, session);
  RunInfo run = run_info(line, Model::kSc);
  note_cost(run, context);
  const int code = exit_code(report, !context.stopped());
  session.answer(settings.flag(OptionId::kJson) ? bench_json(report, run) : bench_text(report), code);
  deliver(line, OptionId::kPlot, [&] { return bench_svg(report); });
  return code;
}

}  // namespace weir::cli
