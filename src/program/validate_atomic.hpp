// The part of `validate` that looks at atomic blocks; needs a program whose ids are all right.
#pragma once

#include <vector>

#include "base/diagnostic.hpp"
#include "program/program.hpp"

namespace weir {

std::vector<Diagnostic> check_atomic_blocks(const Program& program);

}  // namespace weir
