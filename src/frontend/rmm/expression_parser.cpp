#include "frontend/rmm/expression_parser.hpp"

#include <charconv>
#include <fmt/format.h>

namespace weir::rmm {

Token TokenReader::expect(std::string_view word, std::string_view where) {
  if (!at(word)) fail_expected(fmt::format("'{}' {}", word, where));
  return take();
}

Name TokenReader::expect_name(std::string_view what) {
  if (!at(Token::Kind::kName)) fail_expected(what);
  const Token token = take();
  return {std::string(token.text), token.position};
}

Name TokenReader::expect_register() {
  if (!at(Token::Kind::kRegister)) fail_expected("a register such as $r");
  const Token token = take();
  return {std::string(token.text), token.position};
}

Value TokenReader::expect_number(std::string_view what, bool negative) {
  if (!at(Token::Kind::kNumber)) fail_expected(what);
  const Token token = take();
  const std::string digits = fmt::format("{}{}", negative ? "-" : "", token.text);
  Value value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc()) fail(token.position, "this number does not fit into 64 bits");
  return value;
}

void TokenReader::fail_expected(std::string_view what) const {
  fail(peek().position, fmt::format("expected {}, found {}", what, describe(peek())));
}

TermId ExpressionParser::add(Term term) {
  const SourcePosition position = term.position;
  const TermId added = terms_.add(std::move(term));
  if (terms_[added].depth > kMaximalDepth)
    fail(position, fmt::format("too many operators in each other; the limit is {}", kMaximalDepth));
  return added;
}

void ExpressionParser::enter() {
  if (++nesting_ > kMaximalNesting)
    fail(tokens_.peek().position, fmt::format("nested too deeply; the limit is {}", kMaximalNesting));
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
  enter();
  TermId result;
  if (tokens_.accept("-")) {
    if (tokens_.at(Token::Kind::kNumber)) {
      result = add({.value = tokens_.expect_number("a number", true), .position = token.position});
    } else {
      result = add({.op = ExprOp::kNegate, .a = operand(), .position = token.position});
    }
  } else {
    if (!tokens_.accept("(")) tokens_.fail_expected("a register or a number");
    result = expression();
    tokens_.expect(")", "behind an expression in parentheses");
  }
  --nesting_;
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
  enter();
  const TermId operand = negation();
  --nesting_;
  return add({.op = ExprOp::kLogicalNot, .a = operand, .position = position});
}

TermId ExpressionParser::atom() {
  const SourcePosition position = tokens_.peek().position;
  if (tokens_.accept("true")) return add({.value = 1, .position = position});
  if (tokens_.accept("false")) return add({.value = 0, .position = position});
  if (!tokens_.accept("[")) return comparison();
  enter();
  const TermId inner = condition();
  tokens_.expect("]", "behind a condition in brackets");
  --nesting_;
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
