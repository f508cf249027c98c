// x86 code in columns, one per thread: "P0 | P1 ; MOV [x],$1 | MOV EAX,[x] ;".
#pragma once

#include "frontend/litmus/x86_syntax.hpp"

namespace weir::litmus {

// Up to the question. Reads both notations: in X86 the destination of an instruction comes first, in X86_64
// last.
std::vector<X86Thread> parse_x86(TokenReader& tokens, LitmusLanguage language);

}  // namespace weir::litmus
