// What to do about programs whose variables take values without end, such as a counter that nobody resets:
// the user can give a range, outside which values are not followed, and a variable that takes very many
// values ends the search, so that the answer names it instead of running into the memory limit.
#pragma once

#include <cstdint>
#include <vector>

#include "program/value.hpp"

namespace weir {

struct ValueRange {
  Value address = 0;
  Value low = 0, high = 0;
};

struct ValueLimits {
  std::vector<ValueRange> ranges;
  std::uint64_t most_values = 1 << 18;  // of one cell
};

}  // namespace weir
