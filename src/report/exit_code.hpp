// The exit codes, frozen: scripts rely on them. And the one mapping from answers to them.
#pragma once

#include "engine/answer.hpp"
#include "engine/consistency/verdict.hpp"
#include "engine/fairness_verdict.hpp"
#include "engine/outcomes.hpp"
#include "engine/robust/fences/fence.hpp"
#include "engine/robust/robust.hpp"
#include "engine/smc/smc.hpp"
#include "report/bench_report.hpp"
#include "report/suite_report.hpp"

namespace weir {

enum ExitCode : int {
  kDone = 0,       // safe, robust, or done
  kUsage = 1,      // the command line is wrong
  kBadInput = 2,   // a file is missing, unreadable or wrong
  kUnknown = 5,    // no answer within the limits
  kInternal = 6,   // a bug in Weir
  kViolation = 10  // unsafe, not robust, no fences help, or a replay that reproduces the violation
};

int exit_code(Verdict verdict);
int exit_code(RobustVerdict verdict);
int exit_code(FenceVerdict verdict);
int exit_code(consistency::Outcome outcome);
int exit_code(const FairnessVerdict& verdict);
int exit_code(const Outcomes& found);
// `stops`: the exploration was to end at a violation, which otherwise is counted.
int exit_code(const SmcAnswer& answer, bool stops);
// The worst of its runs.
int exit_code(const SuiteReport& report);
// `complete`: nothing stopped it.
int exit_code(const BenchReport& report, bool complete);

}  // namespace weir
