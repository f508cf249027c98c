// The answer on a terminal: verdict first, then where, how, at what cost, and what to do next.
#include <fmt/format.h>

#include "report/answer_report.hpp"
#include "report/cycle.hpp"
#include "report/explanation.hpp"
#include "report/race.hpp"
#include "report/robust_report.hpp"
#include "report/text_parts.hpp"

namespace weir {

namespace {

std::string where_text(const Program& program, const Witness& witness) {
  if (const auto attack = shown_attack(program, witness)) {
    const bool race = witness.violation.kind == ViolationKind::kTriangularRace;
    return attack_notes(program, *attack, race ? RobustnessNotion::kTriangular : RobustnessNotion::kTraces);
  }
  std::string out;
  for (const RaceNote& note : race_notes(program, witness))
    out += render({Severity::kNote, printable(note.text) + " here", note.position, ""}, program.sources);
  if (!out.empty()) return out;
  if (!witness.violation.position.file) return "";
  return render({Severity::kNote, "it happens here", witness.violation.position, ""}, program.sources);
}

bool has_bound(const Answer& answer, std::string_view name) {
  for (const auto& [what, value] : answer.bound)
    if (what == name) return true;
  return false;
}

std::string next_step_if_unsafe(const RunInfo& run, const std::string& file) {
  if (run.command != "check") return "";
  if (run.model == Model::kTso)
    return fmt::format(
        "Is it the memory model?  weir check {0} --model sc\n"
        "All that store buffers add:  weir robust {0}\n"
        "The cheapest fences that stop it:  weir fence {0} --for safety",
        file);
  if (run.model == Model::kPso)
    return fmt::format(
        "Is it the memory model?  weir check {0} --model sc\n"
        "The cheapest fences that stop it:  weir fence {0} --for safety --model pso",
        file);
  if (run.witness_file.empty())
    return fmt::format("To keep the execution:  weir check {} --witness w.json", file);
  return fmt::format("To see it again:  weir explain {} -v", printable(run.witness_file));
}

std::string next_step_if_unknown(const Answer& answer) {
  if (has_bound(answer, "schedules")) return "To look further: a larger --random N, or another --seed.";
  if (has_bound(answer, "buffer"))
    return "To look further: a larger --buffer N. To get an answer: fences, so that buffers stay short.";
  if (answer.reason.find("time") != std::string::npos) return "To look further: a larger --timeout SECONDS.";
  if (answer.reason.find("memory") != std::string::npos)
    return "To look further: a larger --memory MB, or --reduction dynamic, which stores fewer states.";
  if (has_bound(answer, "preemptions")) return "To look further: a larger --bound-preemptions K.";
  return "";
}

// What a user would most likely want to do next.
std::string next_step(const Answer& answer, const RunInfo& run) {
  const std::string file = printable(run.file);
  if (run.command == "fair" && answer.verdict == Verdict::kUnsafe && run.model != Model::kSc)
    return "Is it the memory model? The same with --model sc says so.";
  if (run.command == "fair") return "";
  switch (answer.verdict) {
    case Verdict::kUnsafe: return next_step_if_unsafe(run, file);
    case Verdict::kSafe:
      if (run.model == Model::kSc)
        return fmt::format("And with store buffers?  weir check {} --model tso", file);
      if (run.model == Model::kTso)
        return fmt::format("And where stores overtake stores?  weir check {} --model pso", file);
      return "";
    case Verdict::kUnknown: return next_step_if_unknown(answer);
  }
  return "";
}

}  // namespace

std::string verdict_line(const Answer& answer, const RunInfo& run, const Presentation& presentation) {
  switch (answer.verdict) {
    case Verdict::kSafe:
      return fmt::format(
          "{} under {}: {}\n", tinted(run.command == "fair" ? "FAIR" : "SAFE", Tint::kGood, presentation),
          name(run.model), answer.reason.empty() ? "no violation is reachable" : answer.reason);
    case Verdict::kUnsafe: {
      const Violation violation =
          answer.witness ? answer.witness->violation : Violation{.message = "a violation is reachable"};
      return violation_line(violation, run.model, presentation);
    }
    case Verdict::kUnknown:
      return unknown_line(fmt::format("under {}", name(run.model)), answer.reason, answer.bound,
                          presentation);
  }
  return "";
}

std::string text_report(const Program& program, const Answer& answer, const RunInfo& run,
                        const Presentation& presentation) {
  std::string out = verdict_line(answer, run, presentation);
  if (answer.threads) out += threads_line(*answer.threads, "it is safe");
  if (answer.witness) {
    out += where_text(program, *answer.witness);
    out += fmt::format("\n{}\n", explanation(program, *answer.witness, presentation));
    if (answer.witness->violation.kind == ViolationKind::kRobustness)
      out += cycle_text(program, *answer.witness, presentation) + "\n";
  }
  return out + cost_line(answer.statistics, run, presentation) + witness_file_line(run) +
         line_unless_empty(next_step(answer, run));
}

std::string statistics_text(const Answer& answer) {
  return statistics_text(answer.engine, answer.statistics);
}

}  // namespace weir
