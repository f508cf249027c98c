// x86 code to a Program.
#pragma once

#include <map>

#include "frontend/litmus/variables.hpp"
#include "frontend/litmus/x86_syntax.hpp"

namespace weir::litmus {

// The types of the variables that instructions name, by the width of the first that does.
std::map<std::string, Type> accessed_types(const std::vector<X86Thread>& threads);

// The register of a thread's function, added if it is not there yet.
RegisterId x86_register_of(Program& program, LitmusLanguage language, FunctionId function,
                           const X86Register& reg);

// The threads must be those of the program already, without code.
void lower_x86(const std::vector<X86Thread>& threads, LitmusLanguage language, Variables& variables,
               Program& program);

}  // namespace weir::litmus
