// How attacks are looked for: by `robust`, and by `fence` again and again.
#pragma once

#include "engine/robust/robust.hpp"
#include "weir/inside/call.hpp"
#include "weir/questions.hpp"

namespace weir::v1 {

weir::RobustOptions robust_options(const weir::Program& program, bool triangular, const Limits& limits,
                                   const Call& call);

}  // namespace weir::v1
