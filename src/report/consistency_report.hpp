// The answer of `weir consistent`, as text and as JSON: the execution, or why there is none.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/statistics.hpp"
#include "engine/consistency/verifier.hpp"
#include "report/answer_report.hpp"
#include "report/execution/named_instance.hpp"

namespace weir {

struct ConsistencyReport {
  const NamedInstance& named;
  consistency::Outcome outcome;
  std::string engine;
  std::string stopped;  // why the answer is unknown
  std::vector<consistency::Step> witness;
  std::optional<consistency::Contradiction> contradiction;
  std::vector<consistency::CycleEdge> cycle;
  consistency::EventId without_source;
  Statistics statistics;
};

// One line with its end.
std::string consistency_verdict_line(const ConsistencyReport& report, const RunInfo& run,
                                     const Presentation& presentation);
std::string consistency_text(const ConsistencyReport& report, const RunInfo& run,
                             const Presentation& presentation);
std::string consistency_json(const ConsistencyReport& report, const RunInfo& run);

}  // namespace weir
