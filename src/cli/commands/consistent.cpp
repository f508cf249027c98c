// weir consistent: read what happened, look for an execution in which it does, check it, report.
#include <fmt/format.h>

#include "check/consistency_replay.hpp"
#include "cli/commands/commands.hpp"
#include "cli/console.hpp"
#include "cli/exit_code.hpp"
#include "cli/loading.hpp"
#include "cli/presenter.hpp"
#include "cli/session.hpp"
#include "engine/consistency/verifier.hpp"
#include "report/consistency_report.hpp"

namespace weir::cli {

namespace {

using consistency::EventId;
using consistency::EventKind;
using consistency::Instance;
using consistency::Outcome;

ClaimedEvent::Kind claimed_kind(EventKind kind) {
  switch (kind) {
    case EventKind::kRead: return ClaimedEvent::Kind::kRead;
    case EventKind::kWrite: return ClaimedEvent::Kind::kWrite;
    case EventKind::kUpdate: return ClaimedEvent::Kind::kUpdate;
    case EventKind::kFence: return ClaimedEvent::Kind::kFence;
    case EventKind::kStoreFence: return ClaimedEvent::Kind::kStoreFence;
  }
  throw InternalError("an event without a kind");
}

ClaimedPlace claimed_place(const Instance& instance, EventId event) {
  const std::size_t thread = instance.event(event).thread;
  return {thread, event.index() - instance.begin(thread)};
}

ExecutionClaim claim(const Instance& instance, Model model, std::span<const consistency::Step> witness) {
  ExecutionClaim result{model, std::vector<std::vector<ClaimedEvent>>(instance.threads()), {}};
  for (std::size_t e = 0; e < instance.events(); ++e) {
    const Instance::Event& event = instance.event(EventId(e));
    ClaimedEvent& claimed = result.threads[event.thread].emplace_back();
    claimed.kind = claimed_kind(event.kind);
    if (event.variable) claimed.variable = event.variable.index();
    instance.for_each_source(EventId(e), [&](EventId write) {
      if (write == consistency::kInitialWrite)
        claimed.sources.emplace_back();
      else
        claimed.sources.emplace_back(claimed_place(instance, write));
    });
  }
  for (const consistency::Step& step : witness)
    result.steps.push_back({claimed_place(instance, step.event), step.commit});
  return result;
}

consistency::VerifyOptions verify_options(const Settings& settings, Model model) {
  using namespace consistency;
  return {model, settings.text(OptionId::kAlgorithm) == "naive" ? Algorithm::kNaive : Algorithm::kVerify,
          settings.flag(OptionId::kNoClosure) ? ClosureUse::kNever : ClosureUse::kFirst};
}

ConsistencyReport verify(const NamedInstance& named, const consistency::VerifyOptions& options,
                         Context& context) {
  consistency::Verifier verifier;
  ConsistencyReport report{named, verifier.verify(named.instance, options, &context)};
  report.engine = options.algorithm == consistency::Algorithm::kNaive ? "naive" : "verify";
  report.witness.assign(verifier.witness().begin(), verifier.witness().end());
  report.contradiction = verifier.contradiction();
  report.cycle = verifier.cycle();
  report.without_source = verifier.without_source();
  if (report.outcome == Outcome::kUnknown) report.stopped = describe(context.stop_reason());
  if (report.outcome == Outcome::kConsistent) {
    const std::string problem = replay_execution(claim(named.instance, options.model, report.witness));
    if (!problem.empty()) throw InternalError("the witness cannot be replayed: " + problem);
  }
  report.statistics.set("events", static_cast<std::uint64_t>(named.instance.events()));
  report.statistics.set("prefixes", verifier.figures().prefixes);
  report.statistics.set("closure_edges", verifier.figures().edges);
  return report;
}

std::string report_text(const ConsistencyReport& report, const RunInfo& run, const Settings& settings) {
  return in_wanted_form(
      settings, [&](const Presentation&) { return consistency_json(report, run); },
      [&](const Presentation& shown) { return consistency_verdict_line(report, run, shown); },
      [&](const Presentation& shown) { return consistency_text(report, run, shown); },
      [&] { return statistics_text(report.engine, report.statistics); });
}

}  // namespace

int run_consistent(const CommandLine& line, Session& session) {
  const Settings& settings = line.settings;
  if (line.files.size() > 1) return fail_usage(line, {"weir consistent takes one file", ""});
  const auto model = parse_model(settings.text(OptionId::kModel));
  WEIR_CHECK(model.has_value(), "the option table knows the models");
  auto text = read_file(line.file);
  if (!text) return fail_input(line, text.error());
  auto named = read_instance(line.file, std::move(*text));
  if (!named) return fail_input(line, named.error());
  if (const auto problem = check_sources(*named, *model)) return fail_input(line, {*problem}, named->sources);
  RunInfo run = run_info(line, *model);
  session.enter("looking for the execution");
  const ConsistencyReport report = verify(*named, verify_options(settings, *model), session.context());
  note_cost(run, session.context());
  session.enter("writing the answer");
  session.answer(report_text(report, run, settings), exit_code(report.outcome));
  deliver(line, [&] { return write_html(run, settings, [&] { return explorer_page(report, run); }); });
  return exit_code(report.outcome);
}

}  // namespace weir::cli
