// Makes a witness easier to follow: fewest context switches first, then fewest steps. Works on the steps
// alone: it cuts, drops and moves parts, and keeps a change only if `valid` (a replay) still finds the
// violation. So the result is a local optimum, not the global one; an engine that can search exactly does so
// before.
#pragma once

#include <cstddef>
#include <functional>

#include "trace/witness.hpp"

namespace weir {

// How often the next step belongs to another thread than the one before. Flushes belong to their thread.
std::size_t context_switches(const Witness& witness);

// A valid witness of the same violation that is nowhere worse than the given one. Calls `valid` at most a few
// thousand times, and less often for long witnesses.
Witness minimise(const Program& program, const Witness& witness,
                 const std::function<bool(const Witness&)>& valid);

}  // namespace weir
