#include "verify/explore.hpp"

#include <fmt/format.h>

#include "report/explore_report.hpp"
#include "report/explorer/html_report.hpp"
#include "report/explorer/pages.hpp"
#include "verify/restrictions.hpp"
#include "weir/inside/content.hpp"
#include "weir/inside/echo.hpp"
#include "weir/inside/report.hpp"
#include "weir/inside/words.hpp"

namespace weir::v1 {

namespace {

struct ExplorationReport final : Answer::Report {
  weir::Program program;
  SmcAnswer answer;
  weir::Equivalence equivalence = weir::Equivalence::kMazurkiewicz;
  bool only_estimate = false;
  CSources sources;

  ExploreReport parts() const { return {program, answer, equivalence, only_estimate}; }
  std::string json() const override { return explore_json(parts(), run, kPlain); }
  std::string text() const override { return explore_text(parts(), run, kPlain); }
  std::string page() const override { return html_report(explorer_page(parts(), run), run); }
  std::string replay_file() const override {
    if (!answer.witness) return Report::replay_file();
    return replay_text(program, *answer.witness, sources);
  }
};

weir::Equivalence equivalence_of(Equivalence equivalence) {
  switch (equivalence) {
    case Equivalence::kMazurkiewicz: return weir::Equivalence::kMazurkiewicz;
    case Equivalence::kObservers: return weir::Equivalence::kObservers;
    case Equivalence::kReadsFrom: return weir::Equivalence::kReadsFrom;
    case Equivalence::kDataCentric: return weir::Equivalence::kDataCentric;
    case Equivalence::kValueCentric: return weir::Equivalence::kValueCentric;
    case Equivalence::kReadsValueFrom: return weir::Equivalence::kReadsValueFrom;
  }
  fail_usage("there is no such equivalence");
}

void check_equivalence(const ExploreOptions& options, weir::Equivalence equivalence) {
  const bool rooted =
      equivalence == weir::Equivalence::kDataCentric || equivalence == weir::Equivalence::kValueCentric;
  if (rooted && options.model != Model::kSc)
    fail_usage(fmt::format("{} is defined under sc only", weir::name(equivalence)), "try rvf");
  if (!rooted && !options.root.empty()) fail_usage("a root is for the equivalences vc and dc");
  if (looks_at_values(equivalence) && options.only_estimate)
    fail_usage("there are estimates for the equivalences mazurkiewicz, observers and rf",
               "an estimate for rf is an upper bound for rvf");
}

std::optional<std::size_t> root_thread(const weir::Program& program, const std::string& name) {
  if (name.empty()) return std::nullopt;
  const auto thread = program.find_thread(name);
  if (!thread) fail_usage(fmt::format("there is no thread '{}'", name));
  return thread->index();
}

SmcOptions smc_options(const weir::Program& program, const ExploreOptions& options, const Call& call) {
  SmcOptions result{.model = inside(options.model), .equivalence = equivalence_of(options.equivalence)};
  check_equivalence(options, result.equivalence);
  result.root = root_thread(program, options.root);
  result.stop_at_violation = options.stop_at_violation;
  result.only_estimate = options.only_estimate;
  result.local_steps = options.limits.local_steps;
  result.jobs = call.jobs();
  return result;
}

RunInfo echoed(const Program& program, const ExploreOptions& options) {
  RunInfo info = run_info("explore", program, inside(options.model), options.run);
  echo_model(info);
  echo(info, "equivalence", std::string(weir::name(equivalence_of(options.equivalence))));
  if (!options.root.empty()) echo(info, "root", options.root);
  echo(info, "stop", options.stop_at_violation);
  echo(info, "estimate", options.only_estimate);
  echo(info, "local-steps", static_cast<std::int64_t>(options.limits.local_steps));
  return info;
}

Verdict verdict_of(const SmcAnswer& found, bool stop_at_violation) {
  if (stop_at_violation && found.witness) return Verdict::kUnsafe;
  return found.complete ? Verdict::kDone : Verdict::kUnknown;
}

ExploreAnswer ask(const Program& program, const ExploreOptions& options, Call& call) {
  const Program::Content& content = program.content();
  auto report = std::make_shared<ExplorationReport>();
  report->program = content.read({.chance = false}, call)->program;
  const SmcOptions asked = smc_options(report->program, options, call);
  report->equivalence = asked.equivalence;
  report->only_estimate = asked.only_estimate;
  report->sources = content.c_sources();
  report->answer = verify::explore(report->program, asked, call.context());
  report->run = echoed(program, options);
  note_cost(report->run, call);

  const SmcAnswer& found = report->answer;
  ExploreAnswer answer;
  tell(answer,
       {verdict_of(found, asked.stop_at_violation), found.reason, found.bound, "smc", asked.model,
        found.statistics},
       call);
  add_shown(answer.warnings, found.diagnostics, report->program.sources);
  add_shown(answer.warnings, verify::restriction_warnings(report->program), report->program.sources);
  answer.executions = found.traces;
  answer.blocked = found.blocked;
  answer.cut = found.cut;
  answer.violating = found.violating;
  if (found.estimate) answer.estimate = found.estimate->mean;
  answer.execution = execution(report->program, found.witness);
  answer.report = std::move(report);
  return answer;
}

}  // namespace

Result<ExploreAnswer> explore(const Program& program, const ExploreOptions& options) {
  return answered(options.run, [&](Call& call) { return ask(program, options, call); });
}

}  // namespace weir::v1
