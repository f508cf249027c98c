// Whether an array system is what the comments of system.hpp promise. Whoever takes one relies on
// everything checked here and checks none of it again.
#pragma once

#include <string>

#include "program/array/system.hpp"

namespace weir::array {

// The first thing that is wrong ("transition enter: …"); empty for a well-formed system.
std::string problem(const ArraySystem& system);

}  // namespace weir::array
