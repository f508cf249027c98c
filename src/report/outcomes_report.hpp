// The answer of `outcomes` as a person reads it on a terminal, as scripts read it that read herd's, and as a
// program reads it in JSON.
#pragma once

#include "engine/outcomes.hpp"
#include "report/answer_report.hpp"

namespace weir {

struct OutcomesReport {
  const Program& program;
  const FinalQuestion& question;  // its places are what is observed
  bool litmus = false;            // does it have a condition?
  const Outcomes& found;
};

// Those under the first model for which some may be missing, if there is one; else under the first.
const ModelOutcomes& worst_outcomes(const Outcomes& found);
// "all outcomes found", or why not.
std::string outcomes_reason(const ModelOutcomes& outcomes);

// "3 outcomes under tso": one line with its end for each model.
std::string outcomes_line(const OutcomesReport& report, const Presentation& presentation);

// As herd prints a litmus test under one model; a table otherwise.
std::string outcomes_text(const OutcomesReport& report, const RunInfo& run, const Presentation& presentation);
std::string outcomes_json(const OutcomesReport& report, const RunInfo& run, const Presentation& presentation);

}  // namespace weir
