// VerifyTSO: is there a TSO execution with this reads-from map? [Toman21, Algorithm 5.1]
#pragma once

#include "engine/consistency/search.hpp"

namespace weir::consistency {

// The layout is one for TSO without a contradiction. A witness is the trail of `scratch.prefix`.
Outcome verify_tso(const Layout& layout, Scratch& scratch, Budget& budget);

}  // namespace weir::consistency
