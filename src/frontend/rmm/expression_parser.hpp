// Tokens with one of look-ahead, and the expressions and conditions of RMM.
#pragma once

#include "frontend/rmm/lexer.hpp"
#include "frontend/rmm/syntax.hpp"

namespace weir::rmm {

// Of statements in statements, and of parentheses.
inline constexpr std::uint32_t kMaximalNesting = 500;
// Of operators. Lowering adds a few levels (an address, a negation) and must stay below what `validate`
// allows.
inline constexpr std::uint32_t kMaximalDepth = 990;

class TokenReader {
 public:
  TokenReader(FileId file, std::string_view text) : lexer_(file, text), current_(lexer_.next()) {}

  const Token& peek() const { return current_; }
  bool at(std::string_view word) const { return current_.is(word); }
  bool at(Token::Kind kind) const { return current_.kind == kind; }

  Token take() {
    Token taken = current_;
    current_ = lexer_.next();
    return taken;
  }
  bool accept(std::string_view word) {
    if (!at(word)) return false;
    take();
    return true;
  }
  // `where`: "after the condition of 'if'"
  Token expect(std::string_view word, std::string_view where);
  Name expect_name(std::string_view what);
  Name expect_register();
  Value expect_number(std::string_view what, bool negative = false);
  [[noreturn]] void fail_expected(std::string_view what) const;

 private:
  Lexer lexer_;
  Token current_;
};

class ExpressionParser {
 public:
  ExpressionParser(TokenReader& tokens, Terms& terms) : tokens_(tokens), terms_(terms) {}

  TermId expression();  // sums and differences of registers and numbers
  TermId condition();   // disjunctions of conjunctions of comparisons

 private:
  TermId operand();
  TermId conjunction();
  TermId negation();
  TermId atom();
  TermId comparison();
  TermId add(Term term);
  void enter();

  TokenReader& tokens_;
  Terms& terms_;
  std::uint32_t nesting_ = 0;
};

}  // namespace weir::rmm
