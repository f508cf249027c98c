// The delays of stores that an execution cannot do without: store buffers of others may be emptied at once, and the
// same happens.
#pragma once

#include <vector>

#include "trace/witness.hpp"

namespace weir {

// Steps of the same thread: the store that reaches memory too late, and a later access that takes effect before.
struct Reordering {
  std::size_t store = 0;
  std::size_t overtaker = 0;  // a load from memory or, where stores overtake stores, a store
};

std::vector<Reordering> needed_reorderings(const Program& program, const Witness& witness);

}  // namespace weir
