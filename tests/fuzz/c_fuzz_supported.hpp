// What docs/c.md says is supported, written down once more, independently of the front end: a program that
// was accepted may contain nothing else where it matters. That is: in code that can be reached, and as an
// effect or as something that an effect depends on.
#pragma once

#include <string>

#include "frontend/c/module.hpp"

namespace weir::fuzz {

// Something in the module that should not have been accepted, in words; empty if there is nothing.
std::string not_supported(const c::PreparedModule& prepared);

}  // namespace weir::fuzz
