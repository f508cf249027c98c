// Tokens of the `.weir` text form, produced one by one. Line ends are tokens; `//` starts a comment.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/diagnostic.hpp"
#include "base/source.hpp"

namespace weir::text_form {

struct Token {
  enum class Kind : std::uint8_t { kName, kString, kNumber, kSymbol, kNewline, kEnd };

  Kind kind = Kind::kEnd;
  std::string_view text;  // as written
  std::string content;    // string: with escapes resolved
  std::uint32_t line = 1, column = 1;

  std::string_view name() const { return kind == Kind::kString ? std::string_view(content) : text; }
  bool is(std::string_view wanted) const {
    return (kind == Kind::kName || kind == Kind::kSymbol) && text == wanted;
  }
};

// How the lexer and the parser leave a bad text; caught in `parse_program_text` and nowhere else.
struct SyntaxError {
  std::uint32_t line, column;
  std::string message, hint;
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}
  Token next();

 private:
  void skip_blanks();
  Token token(Token::Kind kind, std::size_t length);
  Token string_token();
  char escape(std::size_t& at) const;
  [[noreturn]] void fail_at(std::size_t at, std::string message) const;

  std::string_view text_;
  std::size_t at_ = 0, line_begin_ = 0;
  std::uint32_t line_ = 1;
};

}  // namespace weir::text_form
