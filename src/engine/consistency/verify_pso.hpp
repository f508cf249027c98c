// VerifyPSO: is there a PSO execution with this reads-from map? [Toman21, Algorithm 5.2]
#pragma once

#include "engine/consistency/search.hpp"

namespace weir::consistency {

// The layout is one for PSO without a contradiction. A witness is the trail of `scratch.prefix`.
Outcome verify_pso(const Layout& layout, Scratch& scratch, Budget& budget);

}  // namespace weir::consistency
