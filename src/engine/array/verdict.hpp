// What is answered about an array system.
#pragma once

#include <optional>
#include <string>

#include "base/statistics.hpp"
#include "engine/answer.hpp"
#include "trace/array_run.hpp"

namespace weir {

struct ArrayVerdict {
  Verdict verdict = Verdict::kUnknown;
  std::string reason;                  // safe: what was explored; unknown: why
  std::optional<array::ArrayRun> run;  // unsafe; confirmed
  Statistics statistics;
};

}  // namespace weir
