// Takes nodes that become anything out of a conjunction: what must hold of the others before.
//
// A node is forgotten by cases where only that is exact: one that differs from another and can still have
// several values gets each of them, one that differs from a number is less or greater. Both pre-images, that
// of regions and that of cubes of events, do this for `X := ?`.
#pragma once

#include <functional>
#include <vector>

#include "engine/array/theory/facts.hpp"

namespace weir::array {

// Calls `found` with the constraints about the other nodes, for every case. `exact`: nothing was lost. There
// are `processes` processes, and always more that are not named.
using Forgotten = std::function<void(const std::vector<Constraint>& rest, bool exact)>;
void forget_all(const std::vector<Constraint>& constraints, const std::vector<Node>& nodes,
                std::uint32_t processes, const Vocabulary& vocabulary, const Forgotten& found);

}  // namespace weir::array
