// Reading tokens with one token of look-ahead, and the expressions that programs and invariants share.
#pragma once

#include "frontend/imp/lexer.hpp"
#include "frontend/imp/syntax.hpp"

namespace weir::imp {

// Statements and parentheses nest at most this deep, so that the parser may recurse. The functions that do
// keep the making of messages out of their stack frames, which sanitizers make large.
inline constexpr std::uint32_t kMaximalNesting = 500;
// Expressions are at most this deep; a long chain of additions is deep although it opens no parenthesis.
// Lowering adds a few levels (an address, a negation) and must stay below `kMaxExpressionDepth`.
inline constexpr std::uint32_t kMaximalDepth = 990;

class TokenReader {
 public:
  TokenReader(FileId file, std::string_view text) : lexer_(file, text), token_(lexer_.next()) {}

  const Token& peek() const { return token_; }
  bool at(std::string_view word) const { return token_.is(word); }
  bool at(Token::Kind kind) const { return token_.kind == kind; }

  Token take() {
    Token taken = token_;
    token_ = lexer_.next();
    return taken;
  }
  bool accept(std::string_view word) {
    if (!at(word)) return false;
    take();
    return true;
  }

  // Takes the keyword or symbol, or fails with "expected 'word' <where>, found ...".
  Token expect(std::string_view word, std::string_view where);
  // Takes the symbol that closes what was opened at `open`.
  void expect_closing(std::string_view word, std::string_view opening, SourcePosition open);
  // Takes a name; `what` says of what, for the message.
  Name expect_name(std::string_view what);

 private:
  Lexer lexer_;
  Token token_;
};

// The 64-bit value of a number token; `negative` if a minus stands before it.
Value parse_integer(const Token& token, bool negative);

enum class Speaks : std::uint8_t { kOfOneProcess, kOfTheWholeState };

// Precedence as in C; `and`, `or`, `not`, `=`, `<>` are other spellings of && || ! == !=.
class ExpressionParser {
 public:
  ExpressionParser(TokenReader& tokens, Terms& terms, Speaks speaks)
      : tokens_(tokens), terms_(terms), speaks_(speaks) {}

  TermId parse();

 private:
  TermId parse_binary(int weakest);
  TermId parse_unary();
  TermId parse_primary();
  TermId parse_index();
  [[gnu::noinline]] TermId parse_number();
  [[gnu::noinline]] TermId parse_negative_number(SourcePosition position);
  [[gnu::noinline]] TermId parse_name();
  [[gnu::noinline]] TermId parse_address();
  [[gnu::noinline]] TermId add_operation(ExprOp op, TermId a, TermId b, SourcePosition position);
  TermId add(Term term);

  TokenReader& tokens_;
  Terms& terms_;
  Speaks speaks_;
  std::uint32_t nesting_ = 0;
};

}  // namespace weir::imp
