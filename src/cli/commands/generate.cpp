// weir generate: litmus tests from cycles of relations. One is printed, or all up to a size are written to a
// folder, or go through the search and the axioms under all three models without leaving the process.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>

#include "check/outcome_difference.hpp"
#include "cli/commands/commands.hpp"
#include "cli/console.hpp"
#include "cli/loading.hpp"
#include "cli/outputs.hpp"
#include "cli/session.hpp"
#include "engine/explicit/final_states.hpp"
#include "frontend/litmus/cycle.hpp"
#include "frontend/litmus/litmus.hpp"
#include "program/validate.hpp"
#include "report/exit_code.hpp"
#include "report/json/parts.hpp"

namespace weir::cli {

namespace {

using litmus::Cycle;

constexpr std::uint64_t kLargestSize = 12;

std::map<Model, std::uint64_t> none_allowed() {
  std::map<Model, std::uint64_t> counts;
  for (const Model model : all_models()) counts[model] = 0;
  return counts;
}

struct Totals {
  std::uint64_t tests = 0;
  std::map<Model, std::uint64_t> allowed = none_allowed();  // tests whose condition the model allows
  std::uint64_t states = 0, candidates = 0;
  std::string stopped;  // why not all were generated; empty if they were
};

LitmusTest parsed(const std::string& name, std::string text) {
  auto test = parse_litmus(name, std::move(text));
  if (!test)
    throw InternalError("a generated test cannot be read: " +
                        render(test.error().diagnostics.front(), test.error().sources));
  WEIR_CHECK(validate(test->program).empty(), "a generated test is well formed");
  return std::move(*test);
}

// Finds the final states by search and by axioms, under every model, and compares. A test takes a moment, so
// nothing is asked about limits meanwhile, and no progress told.
void cross_check(const LitmusTest& test, Totals& totals) {
  Context context;
  const AxiomaticOutcomes axioms = axiomatic_outcomes(test.program);
  if (!axioms.complete) throw InternalError("no axioms for a generated test: " + axioms.reason);
  totals.candidates += axioms.candidates;
  for (const Model model : all_models()) {
    const FinalStates found = search_final_states(test.program, {.model = model, .registers = true}, context);
    if (!found.complete) throw InternalError("the search of a generated test is not complete");
    if (const std::string problem = outcome_difference(test.program, model, found.states, axioms);
        !problem.empty())
      throw InternalError(problem + "\n" + test.program.sources.file(FileId(0)).text);
    totals.states += found.states.size();
    const auto holds = [&](const FinalState& state) {
      return test.question.condition.holds(test.question.values(state));
    };
    totals.allowed[model] += std::ranges::any_of(found.states, holds) ? 1 : 0;
  }
}

void tell_progress(const Totals& totals, Context& context) {
  if (context.progress_due())
    context.report_progress({.phase = "generate", .states = totals.tests, .unit = "tests"});
}

std::string summary(const Totals& totals, double seconds) {
  std::vector<std::string> allowed;
  for (const auto& [model, count] : totals.allowed)
    allowed.push_back(fmt::format("{} under {}", count, name(model)));
  return fmt::format(
      "{} tests: search and axioms agree under {}\n"
      "conditions allowed: {}\n"
      "{} final states, {} candidate executions, {:.2f} s, {:.0f} tests per second\n",
      totals.tests, model_names(", ", " and "), fmt::join(allowed, ", "), totals.states, totals.candidates,
      seconds, static_cast<double>(totals.tests) / std::max(seconds, 1e-9));
}

std::string summary_json(const Totals& totals, const Json& tests, const RunInfo& run) {
  Statistics statistics;
  statistics.set("tests", totals.tests);
  statistics.set("final_states", totals.states);
  statistics.set("candidates", totals.candidates);
  const std::string reason = totals.stopped.empty() ? "all tests agree" : totals.stopped;
  const std::string_view verdict = totals.stopped.empty() ? "done" : "unknown";
  Json out = answer_json({"explicit", verdict, reason, {}, statistics}, run);
  out["model"] = model_names(",");
  for (const auto& [model, count] : totals.allowed) out["allowed"][name(model)] = count;
  if (!tests.empty()) out["litmus"] = tests;
  return dump(out);
}

// What to do with each test.
class Generator {
 public:
  Generator(const CommandLine& line, Session& session)
      : settings_(line.settings), line_(line), session_(session) {}

  int run(const std::vector<Cycle>& given, std::size_t size) {
    RunInfo info = run_info(line_, Model::kTso);
    Context& context = session_.context();
    session_.enter("generating tests");
    for (const Cycle& cycle : given) take(cycle, context);
    if (given.empty()) litmus::for_each_cycle(size, [&](const Cycle& cycle) { return take(cycle, context); });
    if (context.stopped()) totals_.stopped = describe(context.stop_reason());
    note_cost(info, context);
    if (problem_) return fail_input(line_, {*problem_}, {});
    return session_.answer(report_text(info), totals_.stopped.empty() ? kDone : kUnknown);
  }

 private:
  bool take(const Cycle& cycle, Context& context) {
    const std::string name = litmus::test_name(cycle);
    std::string text = litmus::litmus_text(cycle, name);
    if (settings_.given(OptionId::kOutputFolder))
      problem_ = write_file(fmt::format("{}/{}.litmus", settings_.text(OptionId::kOutputFolder), name), text);
    else if (settings_.flag(OptionId::kJson) && !settings_.flag(OptionId::kCrossCheck))
      tests_.push_back({{"name", name}, {"text", text}});
    else if (!settings_.flag(OptionId::kCrossCheck))
      print_out(text + "\n");
    if (settings_.flag(OptionId::kCrossCheck)) cross_check(parsed(name, std::move(text)), totals_);
    if (context.stopped()) return false;
    ++totals_.tests;
    tell_progress(totals_, context);
    return !problem_;
  }

  std::string report_text(const RunInfo& info) const {
    if (settings_.flag(OptionId::kJson)) return summary_json(totals_, tests_, info);
    const std::string why = totals_.stopped.empty() ? "" : fmt::format("UNKNOWN: {}\n", totals_.stopped);
    if (settings_.flag(OptionId::kCrossCheck)) return summary(totals_, info.seconds) + why;
    if (!settings_.given(OptionId::kOutputFolder) || settings_.flag(OptionId::kQuiet)) return "";
    return fmt::format("{} tests written to {}\n", totals_.tests, settings_.text(OptionId::kOutputFolder));
  }

  const Settings& settings_;
  const CommandLine& line_;
  Session& session_;
  Totals totals_;
  Json tests_ = Json::array();  // what would be printed, if the answer were not JSON
  std::optional<Diagnostic> problem_;
};

}  // namespace

int run_generate(const CommandLine& line, Session& session) {
  const Settings& settings = line.settings;
  const bool all = settings.flag(OptionId::kAllCycles);
  if (all == settings.given(OptionId::kCycle))
    return fail_usage(
        line, {"weir generate needs either --cycle or --all", "as in --cycle \"PodWR Fre PodWR Fre\""});
  const std::uint64_t size = settings.number(OptionId::kSize).value();
  if (all && (size < 2 || size > kLargestSize))
    return fail_usage(line,
                      {fmt::format("--size needs a number from 2 to {}, not {}", kLargestSize, size), ""});
  std::vector<Cycle> given;
  if (!all) {
    auto cycle = litmus::parse_cycle(settings.text(OptionId::kCycle));
    if (!cycle) return fail_usage(line, {cycle.error().message, cycle.error().hint});
    given.push_back(std::move(*cycle));
  }
  return Generator(line, session).run(given, static_cast<std::size_t>(size));
}

}  // namespace weir::cli
