#include "report/exit_code.hpp"

#include <algorithm>

namespace weir {

int exit_code(Verdict verdict) {
  switch (verdict) {
    case Verdict::kSafe: return kDone;
    case Verdict::kUnsafe: return kViolation;
    case Verdict::kUnknown: return kUnknown;
  }
  return kInternal;
}

int exit_code(RobustVerdict verdict) {
  switch (verdict) {
    case RobustVerdict::kRobust: return kDone;
    case RobustVerdict::kNotRobust: return kViolation;
    case RobustVerdict::kUnknown: return kUnknown;
  }
  return kInternal;
}

int exit_code(FenceVerdict verdict) {
  switch (verdict) {
    case FenceVerdict::kFound: return kDone;
    case FenceVerdict::kImpossible: return kViolation;
    case FenceVerdict::kUnknown: return kUnknown;
  }
  return kInternal;
}

int exit_code(consistency::Outcome outcome) {
  switch (outcome) {
    case consistency::Outcome::kConsistent: return kDone;
    case consistency::Outcome::kInconsistent: return kViolation;
    case consistency::Outcome::kUnknown: return kUnknown;
  }
  return kInternal;
}

int exit_code(const SmcAnswer& answer, bool stops) {
  if (stops && answer.witness) return kViolation;
  return answer.complete ? kDone : kUnknown;
}

int exit_code(const FairnessVerdict& verdict) {
  if (!verdict.stopped.empty()) return kUnknown;
  return verdict.fair ? kDone : kViolation;
}

int exit_code(const Outcomes& found) { return found.complete() ? kDone : kUnknown; }

int exit_code(const SuiteReport& report) {
  const auto crashed = [](const SuiteRun& run) { return run.verdict == "crashed"; };
  if (std::ranges::any_of(report.runs, crashed)) return kInternal;
  if (report.count(SuiteOutcome::kUnexpected) > 0) return kViolation;
  if (report.count(SuiteOutcome::kError) > 0) return kBadInput;
  return report.count(SuiteOutcome::kUnknown) > 0 ? kUnknown : kDone;
}

int exit_code(const BenchReport& report, bool complete) {
  if (std::ranges::count(report.runs, "error", &BenchRun::verdict) > 0) return kBadInput;
  return complete ? kDone : kUnknown;
}

}  // namespace weir
