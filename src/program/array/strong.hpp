// A system with weak symbols as it would be without store buffers.
#pragma once

#include "program/array/system.hpp"

namespace weir::array {

// All symbols ordinary, all views the one there is, all fences true.
ArraySystem without_buffers(ArraySystem system);

}  // namespace weir::array
