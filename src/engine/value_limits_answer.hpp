// How an answer tells that values went beyond what was followed.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.hpp"
#include "memory/shared_memory.hpp"

namespace weir {

using Bound = std::vector<std::pair<std::string, std::string>>;

// A cell took too many values.
void explain_growth(const Program& program, const SharedMemory& memory, CellId grown, std::string& reason,
                    Bound& bound, std::vector<Diagnostic>& diagnostics);

// Values left the ranges.
void explain_ranges(const Program& program, const ValueLimits& limits, Bound& bound);

}  // namespace weir
