// Invariants that are not proved but assumed. `invariant (p q) { Kind[p] = Arbiter && Kind[q] = Arbiter }` says of cells that no
// transition writes how they begin, as files of Cubicle-W do: "there is one arbiter". No transition could make it true or false, so
// it is a condition on the initial states; what can change is never assumed.
#pragma once

#include "program/array/system.hpp"

namespace weir::array {

// Whether the cube names cells, and all of them are of symbols that no transition writes.
bool is_assumed(const ArraySystem& system, const Cube& cube);

// Adds to the initial formula that no processes satisfy the cube.
void assume(ArraySystem& system, const Cube& cube);

}  // namespace weir::array
