// Whether a program is well formed. Engines rely on everything checked here and check none of it again.
#pragma once

#include <cstddef>
#include <vector>

#include "base/diagnostic.hpp"
#include "program/program.hpp"

namespace weir {

// Expressions nest at most this deep, so that everybody may walk them recursively.
inline constexpr std::size_t kMaxExpressionDepth = 1000;

// The mistakes found, the most basic ones first; empty for a well-formed program. Checks that need ids in
// range are left out while some are not.
std::vector<Diagnostic> validate(const Program& program);

}  // namespace weir
