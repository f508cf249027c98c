// Answers about parameterized array systems, as text and as JSON.
#pragma once

#include <optional>
#include <string>

#include "program/array/system.hpp"
#include "report/answer_report.hpp"
#include "report/sarif/sarif.hpp"
#include "trace/array_run.hpp"

namespace weir {

struct ArrayVerdict {
  Verdict verdict = Verdict::kUnknown;
  std::string reason;                  // safe: what was explored; unknown: why
  std::optional<array::ArrayRun> run;  // unsafe; confirmed
  Statistics statistics;
};

std::string array_verdict_line(const array::ArraySystem& system, const ArrayVerdict& answer,
                               const RunInfo& run, const Presentation& presentation);
std::string array_text_report(const array::ArraySystem& system, const ArrayVerdict& answer,
                              const RunInfo& run, const Presentation& presentation);
// An unsafe answer with its run.
SarifResult array_sarif_result(const array::ArraySystem& system, const ArrayVerdict& answer);

std::string array_json_report(const array::ArraySystem& system, const ArrayVerdict& answer,
                              const RunInfo& run);

}  // namespace weir
