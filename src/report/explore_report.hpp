// The answer of `explore` as a person reads it on a terminal and as a program reads it in JSON.
#pragma once

#include "engine/smc/smc.hpp"
#include "report/answer_report.hpp"

namespace weir {

struct ExploreReport {
  const Program& program;
  const SmcAnswer& answer;  // its witness is confirmed
  Equivalence equivalence;
  bool only_estimate = false;  // the executions were not visited
};

// "1698 executions under sc, 2 blocked": one line with its end.
std::string explore_line(const ExploreReport& report, const RunInfo& run, const Presentation& presentation);

std::string explore_text(const ExploreReport& report, const RunInfo& run, const Presentation& presentation);
std::string explore_json(const ExploreReport& report, const RunInfo& run, const Presentation& presentation);

}  // namespace weir
