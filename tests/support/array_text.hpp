// Array systems in the language they are written in, for messages and for tests of the parser.
#pragma once

#include <string>

#include "program/array/system.hpp"

namespace weir::test {

std::string array_text(const array::ArraySystem& system);

}  // namespace weir::test
