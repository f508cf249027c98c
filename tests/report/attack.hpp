// The store-buffering program of tests/trace as an attack on robustness: for tests of reports about it.
#pragma once

#include "engine/robust/robust.hpp"
#include "report/answer_report.hpp"
#include "trace/store_buffering.hpp"

namespace weir::test {

// P0 reads y before its store of x is visible, and P1 runs in between.
inline Witness overtaking() {
  Witness witness{.model = Model::kTso};
  witness.steps = {instruction(0, 0, 0, 1), instruction(0, 1, 1, 0), instruction(1, 5, 1, 1),
                   flush(1, 5, 1, 1),       instruction(1, 6, 0, 0), flush(0, 0, 0, 1)};
  witness.violation = {
      ViolationKind::kRobustness, "thread P0 delays its store at s past its load at a", {FileId(0), 9, 5}, 0};
  return witness;
}

inline constexpr Attack kOvertaking{ThreadId(0), EdgeId(0), EdgeId(1)};

inline RobustAnswer not_robust() {
  RobustAnswer answer{.verdict = RobustVerdict::kNotRobust, .reason = "an attack"};
  answer.attacks = {{kOvertaking, AttackVerdict::kFeasible, overtaking(), {EdgeId(0), EdgeId(1)}},
                    {{ThreadId(1), EdgeId(5), EdgeId(6)}, AttackVerdict::kUndecided, {}, {}}};
  answer.statistics.set("states", std::uint64_t{12});
  return answer;
}

inline RunInfo robust_run() {
  return {.command = "robust", .file = "sb.weir", .version = "1.2.3", .model = Model::kTso};
}

}  // namespace weir::test
