// The answer on a terminal: verdict first, then where, how, at what cost, and what to do next.
#include <algorithm>
#include <fmt/format.h>

#include "base/context.hpp"
#include "program/ordering.hpp"
#include "report/again.hpp"
#include "report/answer_report.hpp"
#include "report/execution/cycle.hpp"
#include "report/execution/explanation.hpp"
#include "report/execution/race.hpp"
#include "report/execution/story.hpp"
#include "report/robust_report.hpp"
#include "report/scope.hpp"
#include "report/text/parts.hpp"

namespace weir {

namespace {

std::string where_text(const Program& program, const Witness& witness, const Presentation& presentation) {
  if (const auto attack = shown_attack(program, witness)) {
    const bool race = witness.violation.kind == ViolationKind::kTriangularRace;
    return attack_notes(program, *attack, race ? RobustnessNotion::kTriangular : RobustnessNotion::kTraces,
                        presentation);
  }
  std::string out;
  for (const RaceNote& note : race_notes(program, witness))
    out += shown({Severity::kNote, printable(note.text) + " here", note.position, ""}, program.sources,
                 presentation);
  if (!out.empty()) return out;
  if (!witness.violation.position.file) return "";
  const bool leaks = witness.violation.kind == ViolationKind::kMemory &&
                     witness.violation.property == kLeak && program.byte_memory;
  return shown(
      {Severity::kNote, leaks ? "it is allocated here" : "it happens here", witness.violation.position, ""},
      program.sources, presentation);
}

bool has_bound(const Answer& answer, std::string_view name) {
  for (const auto& [what, value] : answer.bound)
    if (what == name) return true;
  return false;
}

bool has_page(const RunInfo& run) {
  return std::ranges::any_of(run.options, [](const auto& each) { return each.first == "html"; });
}

std::string next_step_if_unsafe(const RunInfo& run) {
  if (run.command != "check") return "";
  std::vector<std::string> steps;
  if (!keeps_program_order(run.model))
    steps.push_back("Is it the memory model?  " + ask_under(run, Model::kSc));
  if (run.model == Model::kTso && can_ask(run, "robust", run.model))
    steps.push_back("All that store buffers add:  " + ask_again(run, "robust"));
  if (can_ask_for_fences(run)) steps.push_back("The cheapest fences that stop it:  " + ask_for_fences(run));
  if (keeps_program_order(run.model) && !run.witness_file.empty())
    steps.push_back(
        fmt::format("To see it again:  weir explain {} -v", shell_word(printable(run.witness_file))));
  if (!has_page(run))
    steps.push_back("Step by step, in a browser:  " +
                    ask_again(run, "check", fmt::format("--model {} --html w.html", name(run.model))));
  return fmt::format("{}", fmt::join(steps, "\n"));
}

std::string next_step_if_safe(const RunInfo& run) {
  const std::optional<Model> weaker = next_weaker(run.model);
  if (!weaker || !can_ask(run, "check", *weaker)) return "";
  const char* const what =
      buffers_stores(run.model) ? "And where stores overtake stores?" : "And with store buffers?";
  return fmt::format("{}  {}", what, ask_under(run, *weaker));
}

std::string next_step_if_unknown(const Answer& answer, const RunInfo& run) {
  if (answer.stopped == StopReason::kInterrupt) return "";
  if (has_bound(answer, "schedules")) return "To look further: a larger --random N, or another --seed.";
  if (has_bound(answer, "buffer"))
    return "To get an answer: the same without --buffer, so that engines that need no bound try, too:  " +
           ask_under(run, run.model);
  if (answer.stopped == StopReason::kTimeout) return "To look further: a larger --timeout SECONDS.";
  if (answer.stopped == StopReason::kMemory)
    return "To look further: a larger --memory MB, or --reduction dynamic, which stores fewer states.";
  if (has_bound(answer, "preemptions")) return "To look further: a larger --bound-preemptions K.";
  return "";
}

// What a user would most likely want to do next.
std::string next_step(const Answer& answer, const RunInfo& run) {
  if (run.command == "fair" && answer.verdict == Verdict::kUnsafe && !keeps_program_order(run.model))
    return "Is it the memory model? The same with --model sc says so.";
  if (run.command == "fair") return "";
  switch (answer.verdict) {
    case Verdict::kUnsafe: return next_step_if_unsafe(run);
    case Verdict::kSafe: return next_step_if_safe(run);
    case Verdict::kUnknown: return next_step_if_unknown(answer, run);
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
  if (answer.verdict == Verdict::kSafe)
    for (const std::string& assumption : program.assumptions)
      out += fmt::format("assuming that {}\n", assumption);
  if (answer.threads) out += threads_line(*answer.threads, "it is safe");
  const std::string scope =
      run.command == "fair" ? fairness_scope_text(program, run) : scope_text(program, answer, run);
  if (answer.verdict != Verdict::kUnsafe) out += scope;
  if (answer.witness) {
    if (presentation.focus.empty())
      for (const std::string& sentence : story(program, *answer.witness)) out += printable(sentence) + "\n";
    out += where_text(program, *answer.witness, presentation);
    out += fmt::format("\n{}\n", explanation(program, *answer.witness, presentation));
    if (answer.witness->violation.kind == ViolationKind::kRobustness)
      out += cycle_text(program, *answer.witness, presentation) + "\n";
  }
  if (answer.verdict == Verdict::kUnsafe) out += scope;
  return out + cost_line(answer.statistics, run, presentation) + witness_file_line(run) +
         line_unless_empty(next_step(answer, run));
}

std::string statistics_text(const Answer& answer) {
  return statistics_text(answer.engine, answer.statistics);
}

}  // namespace weir
