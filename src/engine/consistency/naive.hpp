// NaiveVerifyTSO and NaiveVerifyPSO: the baselines of [Toman21, Section 5.4.1].
#pragma once

#include "engine/consistency/search.hpp"

namespace weir::consistency {

// The layout is one without a contradiction. A witness is the trail of `scratch.prefix`.
Outcome verify_naively(const Layout& layout, Scratch& scratch, Budget& budget);

}  // namespace weir::consistency
