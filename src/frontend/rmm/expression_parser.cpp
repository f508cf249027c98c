#include "frontend/rmm/expression_parser.hpp"

#include <fmt/format.h>

namespace weir::rmm {

TermId ExpressionParser::add(Term term) {
  const SourcePosition position = term.position;
  const TermId added = terms_.add(std::move(term));
  if (terms_[added].depth > kMaximalDepth)
    fail(position, fmt::format("too many operators in each other; the limit is {}", kMaximalDepth));
  return added;
}

TermId ExpressionParser::expression() {
  TermId left = operand();
  while (tokens_.at("+") || tokens_.at("-")) {
    const Token op = tokens_.take();
    const TermId right = operand();
    left =
        add({.op = op.is("+") ? ExprOp::kAdd : ExprOp::kSub, .a = left, .b = right, .position = op.position});
  }
  return left;
}

TermId ExpressionParser::operand() {
  const Token token = tokens_.peek();
  if (token.kind == Token::Kind::kNumber)
    return add({.value = tokens_.expect_number("a number"), .position = token.position});
  if (token.kind == Token::Kind::kRegister)
    return add({.op = ExprOp::kRegister, .reg = tokens_.expect_register().text, .position = token.position});
  if (token.kind == Token::Kind::kName)
    fail(token.position, fmt::format("expected a register or a number, found {}", describe(token)),
         fmt::format("registers are written ${}; a variable is read into one first",
                     token.text.substr(0, 40)));
  const auto level = nesting_.enter(token.position);
  if (tokens_.accept("-")) {
    if (tokens_.at(Token::Kind::kNumber))
      return add({.value = tokens_.expect_number("a number", true), .position = token.position});
    return add({.op = ExprOp::kNegate, .a = operand(), .position = token.position});
  }
  if (!tokens_.accept("(")) tokens_.fail_expected("a register or a number");
  const TermId result = expression();
  tokens_.expect(")", "behind an expression in parentheses");
  return result;
}

TermId ExpressionParser::condition() {
  TermId left = conjunction();
  while (tokens_.at("||")) {
    const SourcePosition position = tokens_.take().position;
    const TermId right = conjunction();
    left = add({.op = ExprOp::kLogicalOr, .a = left, .b = right, .position = position});
  }
  return left;
}

TermId ExpressionParser::conjunction() {
  TermId left = negation();
  while (tokens_.at("&&")) {
    const SourcePosition position = tokens_.take().position;
    const TermId right = negation();
    left = add({.op = ExprOp::kLogicalAnd, .a = left, .b = right, .position = position});
  }
  return left;
}

TermId ExpressionParser::negation() {
  if (!tokens_.at("not")) return atom();
  const SourcePosition position = tokens_.take().position;
  const auto level = nesting_.enter(tokens_.here());
  const TermId operand = negation();
  return add({.op = ExprOp::kLogicalNot, .a = operand, .position = position});
}

TermId ExpressionParser::atom() {
  const SourcePosition position = tokens_.here();
  if (tokens_.accept("true")) return add({.value = 1, .position = position});
  if (tokens_.accept("false")) return add({.value = 0, .position = position});
  if (!tokens_.accept("[")) return comparison();
  const auto level = nesting_.enter(tokens_.here());
  const TermId inner = condition();
  tokens_.expect("]", "behind a condition in brackets");
  return inner;
}

TermId ExpressionParser::comparison() {
  static constexpr std::pair<std::string_view, ExprOp> kComparisons[] = {
      {"=", ExprOp::kEq}, {"!=", ExprOp::kNe}, {"<", ExprOp::kLt},
      {">", ExprOp::kGt}, {"<=", ExprOp::kLe}, {">=", ExprOp::kGe}};
  const TermId left = expression();
  for (const auto& [word, op] : kComparisons) {
    if (!tokens_.at(word)) continue;
    const SourcePosition position = tokens_.take().position;
    return add({.op = op, .a = left, .b = expression(), .position = position});
  }
  tokens_.fail_expected("a comparison (=, !=, <, >, <=, >=)");
}

}  // namespace weir::rmm
