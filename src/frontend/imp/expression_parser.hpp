// The expressions that programs and invariants share.
#pragma once

#include "frontend/imp/lexer.hpp"
#include "frontend/imp/syntax.hpp"
#include "frontend/text/nesting.hpp"

namespace weir::imp {

// Statements and parentheses nest at most this deep, so that the parser may recurse.
inline constexpr std::uint32_t kMaximalNesting = 500;
// Expressions are at most this deep; a long chain of additions is deep although it opens no parenthesis.
// Lowering adds a few levels (an address, a negation) and must stay below `kMaxExpressionDepth`.
inline constexpr std::uint32_t kMaximalDepth = 990;

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
  text::Nesting nesting_{kMaximalNesting, "expression"};
};

}  // namespace weir::imp
