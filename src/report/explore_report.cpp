#include "report/explore_report.hpp"

#include <fmt/format.h>

#include "report/again.hpp"
#include "report/json/parts.hpp"
#include "report/text/parts.hpp"

namespace weir {

namespace {

bool stopped_at_violation(const ExploreReport& report) {
  return !report.answer.complete && report.answer.reason.empty();
}

std::string counts(const ExploreReport& report, const RunInfo& run) {
  std::string out =
      fmt::format("{} under {}", count_text(report.answer.traces, "execution"), name(run.model));
  if (report.answer.blocked > 0)
    out += fmt::format(", and {} in which a thread waits for ever", report.answer.blocked);
  if (report.answer.cut > 0) out += fmt::format(", and {} cut short", report.answer.cut);
  return out;
}

// "about 525,000 executions (with 95 % confidence between 440,000 and 750,000)"
std::string estimate_text(const ExecutionEstimate& estimate) {
  return fmt::format("about {} executions (with 95 % confidence between {} and {})",
                     rounded_count(estimate.mean), rounded_count(estimate.low), rounded_count(estimate.high));
}

Json estimate_json(const ExecutionEstimate& estimate) {
  return {{"executions", estimate.mean},
          {"low", estimate.low},
          {"high", estimate.high},
          {"confidence", 0.95},
          {"samples", estimate.samples}};
}

}  // namespace

std::string explore_line(const ExploreReport& report, const RunInfo& run, const Presentation& presentation) {
  if (report.only_estimate && report.answer.estimate)
    return fmt::format("{} under {}\n", estimate_text(*report.answer.estimate), name(run.model));
  if (report.answer.complete) return counts(report, run) + "\n";
  if (stopped_at_violation(report)) return fmt::format("{} until the first violation\n", counts(report, run));
  return fmt::format("{}: {}, but there may be more: {}\n", tinted("UNKNOWN", Tint::kUnsure, presentation),
                     counts(report, run), report.answer.reason);
}

std::string explore_text(const ExploreReport& report, const RunInfo& run, const Presentation& presentation) {
  std::string out = explore_line(report, run, presentation);
  if (report.answer.violating > 0)
    out += fmt::format("{} of them {} a property\n", report.answer.violating,
                       report.answer.violating == 1 ? "violates" : "violate");
  if (!report.only_estimate && report.answer.estimate)
    out += fmt::format("There are {} in all\n", estimate_text(*report.answer.estimate));
  if (report.answer.witness) {
    out += fmt::format("The first violation: {}\n", violation_text(report.answer.witness->violation));
    out += witness_file_line(run);
    if (run.witness_file.empty())
      out += fmt::format(
          "To see how:  {}\n",
          ask_again(run, "explore", fmt::format("--model {} --stop --html w.html", name(run.model))));
  }
  return out + fmt::format("{:.2f} s, {} MB\n", run.seconds, run.peak_bytes >> 20);
}

std::string explore_json(const ExploreReport& report, const RunInfo& run, const Presentation& presentation) {
  const SmcAnswer& answer = report.answer;
  const char* verdict = answer.complete ? "done" : stopped_at_violation(report) ? "unsafe" : "unknown";
  const std::string reason = !answer.complete       ? answer.reason
                             : report.only_estimate ? "estimated from samples"
                                                    : "all executions visited";
  Json out = answer_json({"smc", verdict, reason, answer.bound, answer.statistics}, run);
  out["traces"] = answer.traces;
  out["blocked"] = answer.blocked;
  out["cut"] = answer.cut;
  out["violating"] = answer.violating;
  out["equivalence"] = name(report.equivalence);
  if (answer.estimate) out["estimate"] = estimate_json(*answer.estimate);
  if (answer.witness) {
    out["violation"] = violation_json(report.program, answer.witness->violation);
    out["witness"] = witness_json(report.program, *answer.witness, presentation);
  }
  if (!run.witness_file.empty()) out["witness_file"] = run.witness_file;
  return dump(out);
}

}  // namespace weir
