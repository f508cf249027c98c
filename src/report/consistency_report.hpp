// The answer of `weir consistent`, as text and as JSON: the execution, or why there is none.
#pragma once

#include <string>

#include "engine/consistency/verdict.hpp"
#include "frontend/execution/named_instance.hpp"
#include "report/answer_report.hpp"

namespace weir {

struct ConsistencyReport {
  const NamedInstance& named;
  const consistency::ConsistencyVerdict& found;
};

// "12 steps in this order, confirmed by replay", or why there is none, or no answer.
std::string consistency_reason(const ConsistencyReport& report, Model model);

// One line with its end.
std::string consistency_verdict_line(const ConsistencyReport& report, const RunInfo& run,
                                     const Presentation& presentation);
std::string consistency_text(const ConsistencyReport& report, const RunInfo& run,
                             const Presentation& presentation);
std::string consistency_json(const ConsistencyReport& report, const RunInfo& run);

}  // namespace weir
