#include "verify/robust.hpp"

#include "report/explorer/html_report.hpp"
#include "report/explorer/pages.hpp"
#include "report/robust_report.hpp"
#include "weir/inside/content.hpp"
#include "weir/inside/echo.hpp"
#include "weir/inside/report.hpp"
#include "weir/inside/robust_options.hpp"
#include "weir/inside/words.hpp"

namespace weir::v1 {

namespace {

struct RobustnessReport final : Answer::Report {
  weir::Program program;
  verify::RobustResult result;
  weir::RobustOptions options;
  bool any_number = false;
  CSources sources;

  RobustReport parts() const {
    return {.program = program,
            .answer = result.answer,
            .notion = options.notion,
            .all = options.all,
            .any_number = any_number,
            .threads = result.threads};
  }
  std::string json() const override { return robust_json(parts(), run, kPlain); }
  std::string text() const override { return robust_text(parts(), run, kPlain); }
  std::string page() const override { return html_report(explorer_page(parts(), run), run); }
  std::string replay_file() const override {
    if (result.witness() == nullptr) return Report::replay_file();
    return replay_text(program, *result.witness(), sources);
  }
};

Verdict robust_verdict(RobustVerdict verdict) {
  if (verdict == RobustVerdict::kUnknown) return Verdict::kUnknown;
  return verdict == RobustVerdict::kRobust ? Verdict::kRobust : Verdict::kNotRobust;
}

AttackVerdict attack_verdict(weir::AttackVerdict verdict) {
  if (verdict == weir::AttackVerdict::kPruned) return AttackVerdict::kPruned;
  if (verdict == weir::AttackVerdict::kInfeasible) return AttackVerdict::kInfeasible;
  return verdict == weir::AttackVerdict::kFeasible ? AttackVerdict::kFeasible : AttackVerdict::kUndecided;
}

Attack attack(const weir::Program& program, const AttackResult& result, RobustnessNotion notion) {
  const auto place_of = [&](EdgeId edge) { return place(program.sources, program.edge(edge).position); };
  return {.thread = program.thread(result.attack.thread).name,
          .store = place_of(result.attack.store),
          .load = place_of(result.attack.load),
          .verdict = attack_verdict(result.verdict),
          .text = attack_text(program, result.attack, notion),
          .execution = execution(program, result.witness)};
}

RunInfo echoed(const Program& program, const RobustOptions& options) {
  RunInfo info = run_info("robust", program, weir::Model::kTso, options.run);
  echo(info, "triangular", options.triangular);
  echo(info, "all", options.all);
  echo(info, options.limits);
  echo_copies(info, options.copies, options.any_number);
  return info;
}

RobustAnswer ask(const Program& program, const RobustOptions& options, Call& call) {
  if (options.any_number && options.copies > 0) fail_usage("either a number of copies or any number");
  if (options.any_number && options.triangular)
    fail_usage("triangular races are looked for in a given number of threads");
  const Program::Content& content = program.content();
  if (options.any_number && content.is_c())
    fail_usage("a C program creates its own threads, so there is no question about any number of them");
  auto report = std::make_shared<RobustnessReport>();
  report->program = content.instance({}, options.copies, call);
  report->options = robust_options(report->program, options.triangular, options.limits, call);
  report->options.all = options.all;
  report->any_number = options.any_number;
  report->sources = content.c_sources();
  report->result = verify::check_robust(report->program, options.any_number, report->options, call.context());
  report->run = echoed(program, options);
  note_cost(report->run, call);

  const weir::RobustAnswer& found = report->result.answer;
  RobustAnswer answer;
  tell(answer,
       {robust_verdict(found.verdict), found.reason, found.bound, engine_name(report->options.notion),
        weir::Model::kTso, found.statistics},
       call);
  add_shown(answer.warnings, found.diagnostics, report->program.sources);
  for (const AttackResult& result : found.attacks)
    answer.attacks.push_back(attack(report->program, result, report->options.notion));
  answer.threads = counts(report->result.threads);
  answer.report = std::move(report);
  return answer;
}

}  // namespace

weir::RobustOptions robust_options(const weir::Program& program, bool triangular, const Limits& limits,
                                   const Call& call) {
  weir::RobustOptions result;
  result.notion = triangular ? RobustnessNotion::kTriangular : RobustnessNotion::kTraces;
  result.jobs = call.jobs();
  result.local_steps = limits.local_steps;
  result.values = value_limits(program, limits, result.values);
  if (limits.values) result.most_closed_values = *limits.values;
  return result;
}

Result<RobustAnswer> robust(const Program& program, const RobustOptions& options) {
  return answered(options.run, [&](Call& call) { return ask(program, options, call); });
}

}  // namespace weir::v1
