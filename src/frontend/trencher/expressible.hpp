// What Trencher's language can say: expressions in prefix notation.
#pragma once

#include <string>
#include <vector>

#include "program/analysis/known_registers.hpp"
#include "program/program.hpp"

namespace weir::trencher {

struct PrefixText {
  std::string text;
  std::string problem;  // why there is no text; empty if there is one
};

// `names` has one name per register of the function.
PrefixText prefix_text(const Program& program, ExprId expression, const KnownRegisters& known,
                       const std::vector<std::string>& names);

}  // namespace weir::trencher
