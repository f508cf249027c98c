// The words of IMP.
#pragma once

#include "frontend/text/token_reader.hpp"
#include "program/value.hpp"

namespace weir::imp {

using text::Name;
using text::Token;

bool is_keyword(std::string_view word);
bool is_name(std::string_view word);    // a name that is no keyword
bool is_number(std::string_view word);  // digits only

class TokenReader : public text::TokenReader {
 public:
  TokenReader(FileId file, std::string_view text);

  // Takes the symbol that closes what was opened at `open`.
  void expect_closing(std::string_view word, std::string_view opening, SourcePosition open);
  // Takes a name; `what` says of what, for the message.
  Name expect_name(std::string_view what);
};

// The 64-bit value of a number token; `negative` if a minus stands before it.
Value parse_integer(const Token& token, bool negative);

}  // namespace weir::imp
