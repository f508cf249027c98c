// The words of litmus files. What is a comment depends on the part of the file: (* *) around the code, /* */
// and // in C code, where (*p) is an expression.
#pragma once

#include "frontend/text/token_reader.hpp"
#include "program/value.hpp"

namespace weir::litmus {

using text::Name;
using text::Token;

inline constexpr CommentSyntax kMlComments[] = {{"(*", "*)", "expected '*)'", true}};
inline constexpr CommentSyntax kCComments[] = {{"//", "", ""}, {"/*", "*/", "expected '*/'"}};

class TokenReader : public text::TokenReader {
 public:
  explicit TokenReader(TextCursor begin);

  Value expect_number(std::string_view what);  // may have a sign
};

// The value of the digits of a number token, without a sign. Unsigned 64-bit numbers wrap.
Value number_value(const Token& token);

bool same_ignoring_case(std::string_view a, std::string_view b);

}  // namespace weir::litmus
