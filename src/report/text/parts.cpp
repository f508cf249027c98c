#include "report/text/parts.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace weir {

namespace {

std::string bound_text(const Bound& bound) {
  std::string out;
  for (const auto& [what, value] : bound)
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", what, printable(value));
  return out;
}

std::string figure_text(const Statistics::Figure& figure) {
  if (const auto* number = std::get_if<std::uint64_t>(&figure)) return std::to_string(*number);
  return fmt::format("{:.3f}", std::get<double>(figure));
}

// "assertion fails: assertion "x == 1" fails": once is enough.
std::string without_repetition(const std::string& message) {
  constexpr std::string_view kHead = "assertion fails: ";
  return message.starts_with(kHead) && message.ends_with(" fails") ? message.substr(kHead.size()) : message;
}

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// The line of the source and the caret below it lose the same blanks or words on the left, if the caret would
// be outside, and then what is too long on the right.
void fit_excerpt(std::string& line, std::string& caret, std::size_t width) {
  constexpr std::size_t kMargin = 8;  // the number of the line, and a bar
  constexpr std::size_t kBehind = 12;
  if (caret.size() + kBehind > width && line.size() > width) {
    const std::size_t wanted = caret.size() + kBehind - width + 1;
    const std::size_t cut = std::min(wanted, caret.size() - kMargin - 1);
    line = line.substr(0, kMargin) + "…" + line.substr(kMargin + cut);
    caret.erase(kMargin, cut - 1);
  }
  line = fitted(line, width);
}

// "a.c:3:1: note: it happens here"
std::string tinted_head(const std::string& line, const Presentation& presentation) {
  const std::size_t word = line.find(": note: ");
  if (word == std::string::npos || !presentation.colour) return line;
  return tinted(line.substr(0, word + 1), Tint::kStrong, presentation) + " " +
         tinted("note:", Tint::kNote, presentation) + line.substr(word + 7);
}

std::string violation_head(ViolationKind kind, Model model, const Presentation& presentation) {
  if (kind == ViolationKind::kRobustness)
    return fmt::format("{} against {}", tinted("NOT ROBUST", Tint::kBad, presentation), name(model));
  // Seen under SC, but a matter of the store buffer of TSO.
  if (kind == ViolationKind::kTriangularRace)
    return fmt::format("{} against tso", tinted("RACY", Tint::kBad, presentation));
  if (kind == ViolationKind::kStarvation)
    return fmt::format("{} under {}", tinted("UNFAIR", Tint::kBad, presentation), name(model));
  return fmt::format("{} under {}", tinted("UNSAFE", Tint::kBad, presentation), name(model));
}

}  // namespace

std::string count_text(std::size_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

std::string rounded_count(double number) {
  if (number < 10'000) return fmt::format("{:.0f}", number);
  if (number < 1e6) return fmt::format("{:.0f} thousand", number / 1e3);
  if (number < 1e9) return fmt::format("{:.1f} million", number / 1e6);
  return fmt::format("{:.1e}", number);
}

std::string unknown_line(std::string_view about, const std::string& reason, const Bound& bound,
                         const Presentation& presentation) {
  const std::string reached = bound_text(bound);
  return fmt::format("{} {}: {}{}\n", tinted("UNKNOWN", Tint::kUnsure, presentation), about,
                     reason.empty() ? "no answer was found" : printable(reason),
                     reached.empty() ? "" : fmt::format(" (reached: {})", reached));
}

std::string violation_text(const Violation& violation) {
  if (!violation.message.empty()) return printable(without_repetition(violation.message));
  switch (violation.kind) {
    case ViolationKind::kAssertion: return "an assertion fails";
    case ViolationKind::kDeadlock: return "the threads can deadlock";
    case ViolationKind::kRace: return "there is a data race";
    case ViolationKind::kTriangularRace: return "there is a triangular race";
    case ViolationKind::kMemory: return "an access to memory is wrong";
    case ViolationKind::kGoal: return "the marked states are reachable";
    case ViolationKind::kForbidden: return "mutual exclusion is violated";
    case ViolationKind::kUnsafe: return "an invariant is violated";
    case ViolationKind::kRobustness: return "a load overtakes a store";
    case ViolationKind::kStarvation: return "a request is never granted";
  }
  return "";
}

std::string violation_line(const Violation& violation, Model model, const Presentation& presentation) {
  return fmt::format("{}: {}\n", violation_head(violation.kind, model, presentation),
                     violation_text(violation));
}

std::string cost_line(const Statistics& statistics, const RunInfo& run, const Presentation& presentation) {
  std::string out;
  for (const char* name : {"states", "transitions", "configurations"})
    if (const auto* figure = statistics.find(name)) out += fmt::format("{} {}, ", figure_text(*figure), name);
  out += fmt::format("{:.2f} s, {} MB", run.seconds, run.peak_bytes >> 20);
  return tinted(out, Tint::kDim, presentation) + "\n";
}

std::string threads_line(const ThreadCounts& threads, std::string_view with_fewer) {
  std::string list;
  for (const auto& [name, count] : threads.counts)
    if (count > 0) list += fmt::format("{}{} of {}", list.empty() ? "" : " and ", count, printable(name));
  return fmt::format("It takes {}{}, {}{}{}.\n", threads.least ? "" : "at most ",
                     count_text(threads.total, "thread"), list, threads.least ? "; with fewer " : "",
                     threads.least ? with_fewer : "");
}

std::string witness_file_line(const RunInfo& run) {
  if (run.witness_file.empty()) return "";
  return fmt::format("The execution is in {}.\n", printable(run.witness_file));
}

std::string shown(const Diagnostic& diagnostic, const SourceMap& sources, const Presentation& presentation) {
  const std::string plain = render(diagnostic, sources);
  if (!presentation.terminal && !presentation.colour) return plain;
  std::vector<std::string> lines = split_lines(plain);
  lines[0] = tinted_head(lines[0], presentation);
  if (lines.size() > 2 && lines[2].ends_with('^')) {
    if (presentation.terminal) fit_excerpt(lines[1], lines[2], presentation.width);
    lines[2] = lines[2].substr(0, lines[2].size() - 1) + tinted("^", Tint::kGood, presentation);
  }
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

std::string line_unless_empty(const std::string& text) { return text.empty() ? text : text + "\n"; }

std::string statistics_text(std::string_view engine, const Statistics& statistics) {
  std::string out;
  for (const auto& entry : statistics.entries())
    out += fmt::format("  {:<24} {}\n", entry.name, figure_text(entry.figure));
  return out.empty() ? out : fmt::format("\nfigures of engine {}:\n{}", engine, out);
}

}  // namespace weir
