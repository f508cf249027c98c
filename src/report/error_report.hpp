// Errors in JSON: why there is no answer, with the places of the mistakes.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "report/answer_report.hpp"

namespace weir {

// One JSON object like an answer, whose verdict is "error".
std::string error_json(const std::string& reason, const std::vector<Diagnostic>& diagnostics,
                       const SourceMap& sources, const RunInfo& run);

// The messages of a compiler, "FILE:LINE:COLUMN: error: MESSAGE", as diagnostics; lines of other forms belong
// to the message before and are left out.
InputError compiler_messages(std::string_view text);

}  // namespace weir
