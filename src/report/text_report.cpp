// The answer on a terminal: verdict first, then where, how, at what cost, and what to do next.
#include <fmt/format.h>

#include "report/answer_report.hpp"
#include "report/explanation.hpp"

namespace weir {

namespace {

std::string bound_text(const Answer& answer) {
  std::string out;
  for (const auto& [what, value] : answer.bound)
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", what, value);
  return out;
}

// "mutual exclusion violated: …"; the kind is only added where the message does not say it.
std::string violation_text(const Violation& violation) {
  if (!violation.message.empty()) return printable(violation.message);
  switch (violation.kind) {
    case ViolationKind::kAssertion: return "an assertion fails";
    case ViolationKind::kDeadlock: return "the threads can deadlock";
    case ViolationKind::kRace: return "there is a data race";
    case ViolationKind::kMemory: return "an access to memory is wrong";
    case ViolationKind::kGoal: return "the marked states are reachable";
    case ViolationKind::kForbidden: return "mutual exclusion is violated";
    case ViolationKind::kUnsafe: return "an invariant is violated";
  }
  return "";
}

std::string where_text(const Program& program, const Violation& violation) {
  if (!violation.position.file) return "";
  return render({Severity::kNote, "it happens here", violation.position, ""}, program.sources);
}

std::string figure_text(const Statistics::Figure& figure) {
  if (const auto* number = std::get_if<std::uint64_t>(&figure)) return std::to_string(*number);
  return fmt::format("{:.3f}", std::get<double>(figure));
}

std::string cost_line(const Answer& answer, const RunInfo& run) {
  std::string out;
  for (const char* name : {"states", "transitions"})
    if (const auto* figure = answer.statistics.find(name))
      out += fmt::format("{} {}, ", figure_text(*figure), name);
  return fmt::format("{}{:.2f} s, {} MB", out, run.seconds, run.peak_bytes >> 20);
}

bool has_bound(const Answer& answer, std::string_view name) {
  for (const auto& [what, value] : answer.bound)
    if (what == name) return true;
  return false;
}

// What a user would most likely want to do next.
std::string next_step(const Answer& answer, const RunInfo& run) {
  const std::string file = printable(run.file);
  switch (answer.verdict) {
    case Verdict::kUnsafe:
      if (run.command != "check") return "";
      if (run.model != Model::kSc)
        return fmt::format("Is it the memory model?  weir check {} --model sc", file);
      if (run.witness_file.empty())
        return fmt::format("To keep the execution:  weir check {} --witness w.json", file);
      return fmt::format("To see it again:  weir explain {} -v", printable(run.witness_file));
    case Verdict::kSafe:
      if (run.model == Model::kSc)
        return fmt::format("And with store buffers?  weir check {} --model tso", file);
      if (run.model == Model::kTso)
        return fmt::format("And where stores overtake stores?  weir check {} --model pso", file);
      return "";
    case Verdict::kUnknown:
      if (has_bound(answer, "buffer"))
        return "To look further: a larger --buffer N. To get an answer: fences, so that buffers stay short.";
      if (answer.reason.find("time") != std::string::npos)
        return "To look further: a larger --timeout SECONDS.";
      if (answer.reason.find("memory") != std::string::npos)
        return "To look further: a larger --memory MB, or --reduction dynamic, which stores fewer states.";
      return "";
  }
  return "";
}

}  // namespace

std::string verdict_line(const Answer& answer, const RunInfo& run, const Presentation& presentation) {
  switch (answer.verdict) {
    case Verdict::kSafe:
      return fmt::format("{} under {}: {}\n", tinted("SAFE", Tint::kGood, presentation), name(run.model),
                         answer.reason.empty() ? "no violation is reachable" : answer.reason);
    case Verdict::kUnsafe: {
      const std::string what =
          answer.witness ? violation_text(answer.witness->violation) : "a violation is reachable";
      return fmt::format("{} under {}: {}\n", tinted("UNSAFE", Tint::kBad, presentation), name(run.model),
                         what);
    }
    case Verdict::kUnknown: {
      const std::string bound = bound_text(answer);
      return fmt::format("{} under {}: {}{}\n", tinted("UNKNOWN", Tint::kUnsure, presentation),
                         name(run.model), answer.reason.empty() ? "no answer was found" : answer.reason,
                         bound.empty() ? "" : fmt::format(" (reached: {})", bound));
    }
  }
  return "";
}

std::string text_report(const Program& program, const Answer& answer, const RunInfo& run,
                        const Presentation& presentation) {
  std::string out = verdict_line(answer, run, presentation);
  if (answer.witness) {
    out += where_text(program, answer.witness->violation);
    out += fmt::format("\n{}\n", explanation(program, *answer.witness, presentation));
  }
  out += tinted(cost_line(answer, run), Tint::kDim, presentation) + "\n";
  if (!run.witness_file.empty()) out += fmt::format("The execution is in {}.\n", printable(run.witness_file));
  if (const std::string next = next_step(answer, run); !next.empty()) out += next + "\n";
  return out;
}

std::string statistics_text(const Answer& answer) {
  std::string out;
  for (const auto& entry : answer.statistics.entries())
    out += fmt::format("  {:<24} {}\n", entry.name, figure_text(entry.figure));
  return out.empty() ? out : "\nfigures of engine " + answer.engine + ":\n" + out;
}

}  // namespace weir
