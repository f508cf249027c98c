// The words of an array system.
#pragma once

#include "frontend/text/token_reader.hpp"

namespace weir::cub {

using text::Name;
using text::Token;

// A name with a capital letter (Token::Kind::kCapital) is a variable, an array or a constructor; another one is a
// process, a type, a transition or a predicate. `start` reads the first word.
class TokenReader : public text::TokenReader {
 public:
  TokenReader(FileId file, std::string_view text);

  Name expect_name(Token::Kind kind, std::string_view what);

  // At "(": do the parentheses hold a term? Then arithmetic or a comparison follows them, and only then.
  bool at_term_in_parentheses() const;
};

}  // namespace weir::cub
