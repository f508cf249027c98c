#include "verify/restrictions.hpp"

#include <fmt/format.h>

namespace weir::verify {

namespace {

std::string restrictions_text(const Program& program) {
  return fmt::format("{}", fmt::join(program.restrictions, "; "));
}

}  // namespace

void respect_restrictions(const Program& program, Answer& answer) {
  if (program.restrictions.empty() || answer.verdict != Verdict::kSafe) return;
  answer.verdict = Verdict::kUnknown;
  answer.reason = fmt::format("no violation is reachable, but {}", restrictions_text(program));
}

void respect_restrictions(const Program& program, RobustAnswer& answer) {
  if (program.restrictions.empty() || answer.verdict != RobustVerdict::kRobust) return;
  answer.verdict = RobustVerdict::kUnknown;
  answer.reason = fmt::format("no attack is possible, but {}", restrictions_text(program));
}

std::vector<Diagnostic> restriction_warnings(const Program& program) {
  std::vector<Diagnostic> warnings;
  for (const std::string& restriction : program.restrictions)
    warnings.push_back({Severity::kWarning, restriction, {}, ""});
  return warnings;
}

}  // namespace weir::verify
