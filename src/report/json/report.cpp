// The answer of `check`, `replay` and `explain` as JSON.
#include "report/answer_report.hpp"
#include "report/execution/source_names.hpp"
#include "report/execution/story.hpp"
#include "report/json/parts.hpp"
#include "report/scope.hpp"

namespace weir {

const char* verdict_name(const Answer& answer) {
  if (answer.engine == "fairness" && answer.verdict == Verdict::kSafe) return "fair";
  if (answer.engine == "fairness" && answer.verdict == Verdict::kUnsafe) return "unfair";
  if (!answer.witness) return name(answer.verdict);
  if (answer.witness->violation.kind == ViolationKind::kStarvation) return "unfair";
  const ViolationKind kind = answer.witness->violation.kind;
  const bool robustness = kind == ViolationKind::kRobustness || kind == ViolationKind::kTriangularRace;
  return robustness ? "not-robust" : name(answer.verdict);
}

namespace {

Json scope_json(const Program& program) {
  Json out;
  const Scope scope = scope_of(program);
  out["checked"] = scope.checked;
  out["not_checked"] = Json::array();
  for (const NotChecked& each : scope.not_checked)
    out["not_checked"].push_back({{"what", each.what}, {"option", each.option}});
  return out;
}

Json thread_names_json(const Program& program, const Witness& witness) {
  const SourceNames names(program, witness);
  Json out = Json::array();
  for (std::size_t t = 0; t < program.threads.size(); ++t)
    out.push_back({{"name", program.threads[t].name}, {"function", names.function(ThreadId(t))}});
  return out;
}

}  // namespace

std::string json_report(const Program& program, const Answer& answer, const RunInfo& run,
                        const Presentation& presentation) {
  Json out =
      answer_json({answer.engine, verdict_name(answer), answer.reason, answer.bound, answer.statistics}, run);
  if (answer.verdict == Verdict::kSafe && !program.assumptions.empty())
    out["assumptions"] = program.assumptions;
  const bool is_about_fairness = run.command == "fair";
  if (!is_about_fairness) out["scope"] = scope_json(program);
  if (answer.threads) out["violating"] = threads_json(*answer.threads);
  if (answer.witness) {
    out["violation"] = violation_json(program, answer.witness->violation);
    if (answer.witness->violation.kind == ViolationKind::kRobustness)
      out["cycle"] = cycle_json(program, *answer.witness);
    if (!is_about_fairness) {
      out["story"] = story(program, *answer.witness);
      out["threads"] = thread_names_json(program, *answer.witness);
    }
    out["witness"] = witness_json(program, *answer.witness, presentation);
    if (answer.witness->starvation) out["loop"] = answer.witness->starvation->loop;
  }
  if (!run.native.empty()) {
    out["native"] = run.native;
    out["native_message"] = run.native_message;
  }
  if (!run.witness_file.empty()) out["witness_file"] = run.witness_file;
  return dump(out);
}

}  // namespace weir
