// How transitions use weak memory, as far as the text shows.
#pragma once

#include "program/array/system.hpp"

namespace weir::array {

struct WeakUse {
  bool reads = false;
  bool writes = false;

  friend bool operator==(const WeakUse&, const WeakUse&) = default;
};

// A transition that does both is atomic.
WeakUse weak_use(const Transition& transition, const ArraySystem& system);

// `_ : A[j]` in an update of A at j: the cell stays as it is.
bool keeps_cell(const Update& update, const UpdateCase& one);

// In a system with weak symbols the schedule-based rules need that ordinary cells belong to the process that
// performs a transition. The place where another is used, if there is one.
struct SharedOrdinary {
  SymbolId symbol;
  SourcePosition position;
};
std::optional<SharedOrdinary> shared_ordinary_symbol(const ArraySystem& system);

}  // namespace weir::array
