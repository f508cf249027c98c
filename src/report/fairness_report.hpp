// The answer of `weir fair` about a system, as text and as JSON.
#pragma once

#include <string>

#include "engine/fairness_verdict.hpp"
#include "program/arena.hpp"
#include "report/answer_report.hpp"

namespace weir {

struct FairnessReport {
  const Arena& arena;
  const FairnessVerdict& found;
  bool list = false;  // name the winning vertices
};

// "from 0 there is a play that satisfies all pairs"
std::string fairness_reason(const FairnessReport& report);

// One line with its end.
std::string fairness_verdict_line(const FairnessReport& report, const Presentation& presentation);
std::string fairness_text(const FairnessReport& report, const RunInfo& run, const Presentation& presentation);
std::string fairness_json(const FairnessReport& report, const RunInfo& run);

}  // namespace weir
