// Answers about parameterized array systems, as text and as JSON.
#pragma once

#include <optional>
#include <string>

#include "engine/array/verdict.hpp"
#include "program/array/system.hpp"
#include "report/answer_report.hpp"
#include "report/sarif/sarif.hpp"

namespace weir {

std::string array_verdict_line(const array::ArraySystem& system, const ArrayVerdict& answer,
                               const RunInfo& run, const Presentation& presentation);
std::string array_text_report(const array::ArraySystem& system, const ArrayVerdict& answer,
                              const RunInfo& run, const Presentation& presentation);
// An unsafe answer with its run.
SarifResult array_sarif_result(const array::ArraySystem& system, const ArrayVerdict& answer);

std::string array_json_report(const array::ArraySystem& system, const ArrayVerdict& answer,
                              const RunInfo& run);

}  // namespace weir
