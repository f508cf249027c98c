// The words of RMM. A register is '$' and a name, without a blank between them.
#pragma once

#include "frontend/text/token_reader.hpp"
#include "program/value.hpp"

namespace weir::rmm {

using text::Name;
using text::Token;

bool is_name(std::string_view word);  // a name that is no keyword

class TokenReader : public text::TokenReader {
 public:
  TokenReader(FileId file, std::string_view text);

  Name expect_register() { return expect(Token::Kind::kRegister, "a register such as $r").name(); }
  Value expect_number(std::string_view what, bool negative = false);
};

}  // namespace weir::rmm
