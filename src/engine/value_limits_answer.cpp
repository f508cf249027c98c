#include "engine/value_limits_answer.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace weir {

namespace {

void add(Bound& bound, std::string what, std::string value) {
  auto entry = std::pair{std::move(what), std::move(value)};
  if (std::ranges::find(bound, entry) == bound.end()) bound.push_back(std::move(entry));
}

}  // namespace

void explain_growth(const Program& program, const SharedMemory& memory, CellId grown, std::string& reason,
                    Bound& bound, std::vector<Diagnostic>& diagnostics) {
  const Value address = memory.address(grown);
  const std::string name = program.address_name(address);
  const std::uint64_t most = memory.limits().most_values;
  reason = fmt::format("{} takes more than {} different values", name, most);
  add(bound, "values", std::to_string(most));
  const auto object = program.object_at(address);
  diagnostics.push_back(
      {Severity::kWarning, reason, object ? program.object(*object).position : SourcePosition{},
       fmt::format("limit it, as in --range {}=0:15, to search that part, or allow more with "
                   "--values",
                   name)});
}

void explain_ranges(const Program& program, const ValueLimits& limits, Bound& bound) {
  for (const ValueRange& range : limits.ranges)
    add(bound, "range", fmt::format("{}={}:{}", program.address_name(range.address), range.low, range.high));
}

}  // namespace weir
