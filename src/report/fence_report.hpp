// The answer of `fence` as a person reads it on a terminal and as a program reads it in JSON.
#pragma once

#include "engine/robust/fence.hpp"
#include "report/answer_report.hpp"

namespace weir {

struct FenceReport {
  const Program& program;
  const FenceAnswer& answer;  // its fences are validated, its witnesses confirmed
  const FenceOptions& options;
  std::string patch;       // the fences as a unified diff; empty if there is none
  std::string patch_file;  // where it went; empty if nowhere
  bool under_sc = false;   // impossible: the witness is an execution under SC
};

// "2 fences make it robust against tso (cost 2)": one line with its end.
std::string fence_verdict_line(const FenceReport& report, const Presentation& presentation);

// The verdict, each fence with its place and what happens without it, the cost, and what to do next.
std::string fence_text(const FenceReport& report, const RunInfo& run, const Presentation& presentation);

std::string fence_json(const FenceReport& report, const RunInfo& run, const Presentation& presentation);

}  // namespace weir
