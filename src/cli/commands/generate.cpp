// weir generate: litmus tests from cycles of relations. One is printed, or all up to a size are written to a
// folder, or go through the search and the axioms under all three models without leaving the process.
#include <fmt/format.h>

#include "cli/commands/commands.hpp"
#include "cli/console.hpp"
#include "cli/outputs.hpp"
#include "cli/session.hpp"
#include "frontend/litmus/cycle.hpp"
#include "report/exit_code.hpp"
#include "report/json/parts.hpp"
#include "selfcheck/agreement/cross_check.hpp"

namespace weir::cli {

namespace {

using litmus::Cycle;
using selfcheck::CrossCheck;

constexpr std::uint64_t kLargestSize = 12;

void tell_progress(const CrossCheck& totals, Context& context) {
  if (context.progress_due())
    context.report_progress({.phase = "generate", .states = totals.tests, .unit = "tests"});
}

std::string answer_text(const CrossCheck& checked, const std::string& stopped, const Json& tests,
                        const RunInfo& run) {
  const std::string reason = stopped.empty() ? "all tests agree" : stopped;
  Json out = answer_json(
      {"explicit", stopped.empty() ? "done" : "unknown", reason, {}, selfcheck::statistics(checked)}, run);
  out["model"] = model_names(",");
  for (const auto& [model, count] : checked.allowed) out["allowed"][name(model)] = count;
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
    if (context.stopped()) stopped_ = describe(context.stop_reason());
    note_cost(info, context);
    if (problem_) return fail_input(line_, {*problem_}, {});
    return session_.answer(report_text(info), stopped_.empty() ? kDone : kUnknown);
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
    if (settings_.flag(OptionId::kCrossCheck)) selfcheck::cross_check(name, std::move(text), totals_);
    if (context.stopped()) return false;
    ++totals_.tests;
    tell_progress(totals_, context);
    return !problem_;
  }

  std::string report_text(const RunInfo& info) const {
    if (settings_.flag(OptionId::kJson)) return answer_text(totals_, stopped_, tests_, info);
    const std::string why = stopped_.empty() ? "" : fmt::format("UNKNOWN: {}\n", stopped_);
    if (settings_.flag(OptionId::kCrossCheck))
      return selfcheck::cross_check_text(totals_, info.seconds) + why;
    if (!settings_.given(OptionId::kOutputFolder) || settings_.flag(OptionId::kQuiet)) return "";
    return fmt::format("{} tests written to {}\n", totals_.tests, settings_.text(OptionId::kOutputFolder));
  }

  const Settings& settings_;
  const CommandLine& line_;
  Session& session_;
  CrossCheck totals_;
  std::string stopped_;         // why not all were generated; empty if they were
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
