// The macros of RMM:
//
//   macro acquire(lock, value) cas(lock, 0, value) endmacro        anywhere before its uses
//   acquire(flag[my], 1); …
//
// A use is replaced by the words of the macro, and in these a parameter by the words given for it. Memorax does so between its
// lexer and its parser, and so does Weir: a macro may be anything, also half of a statement.
#pragma once

#include <vector>

#include "frontend/text/token_reader.hpp"

namespace weir::rmm {

// All words from the current one to the end, without definitions and uses of macros. Throws SyntaxError.
std::vector<text::Token> expanded(text::TokenReader& tokens);

}  // namespace weir::rmm
