// From a program back to IMP syntax.
#pragma once

#include "frontend/imp/syntax.hpp"

namespace weir::imp {

Expected<ProgramSyntax, std::vector<Diagnostic>> recover(const Program& program);

}  // namespace weir::imp
