// The translation of a large program can take long: its loops ask now and then whether it is still wanted.
#pragma once

#include "base/context.hpp"

namespace weir::c {

// Thrown when it is not, and caught in load_c.
struct NotWanted {};

inline void poll(const Context* context) {
  if (context != nullptr && context->stopped()) throw NotWanted{};
}

}  // namespace weir::c
