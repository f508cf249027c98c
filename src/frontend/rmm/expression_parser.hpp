// The expressions and conditions of RMM.
#pragma once

#include "frontend/rmm/lexer.hpp"
#include "frontend/rmm/syntax.hpp"
#include "frontend/text/nesting.hpp"

namespace weir::rmm {

// Of statements in statements, and of parentheses.
inline constexpr std::uint32_t kMaximalNesting = 500;
// Of operators. Lowering adds a few levels (an address, a negation) and must stay below what `validate`
// allows.
inline constexpr std::uint32_t kMaximalDepth = 990;

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

  TokenReader& tokens_;
  Terms& terms_;
  text::Nesting nesting_{kMaximalNesting};
};

}  // namespace weir::rmm
