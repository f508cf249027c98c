// The answer of `outcomes` as a person reads it on a terminal and as a program reads it in JSON.
#pragma once

#include <set>

#include "report/answer_report.hpp"

namespace weir {

struct OutcomesReport {
  const Program& program;
  std::vector<Value> addresses;         // of the cells shown
  std::set<std::vector<Value>> values;  // one per cell shown, for each outcome
  std::uint64_t stuck = 0;              // states in which some thread waits for ever
  bool complete = false;                // none is missing
  const Answer& answer;                 // of the search; unsafe: an execution ends by a violation instead
};

// "3 outcomes under tso": one line with its end.
std::string outcomes_line(const OutcomesReport& report, const RunInfo& run, const Presentation& presentation);

std::string outcomes_text(const OutcomesReport& report, const RunInfo& run, const Presentation& presentation);
std::string outcomes_json(const OutcomesReport& report, const RunInfo& run);

}  // namespace weir
