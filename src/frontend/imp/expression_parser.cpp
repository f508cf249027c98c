// Precedence climbing. Both the recursion and the depth of what it builds are bounded.
#include "frontend/imp/expression_parser.hpp"

#include <fmt/format.h>
#include <optional>

#include "program/text/words.hpp"

namespace weir::imp {

namespace {

using text_form::BinaryWord;

constexpr BinaryWord kOtherSpellings[] = {{ExprOp::kLogicalOr, "or", 1},
                                          {ExprOp::kLogicalAnd, "and", 2},
                                          {ExprOp::kEq, "=", 6},
                                          {ExprOp::kNe, "<>", 6}};

std::optional<BinaryWord> binary_operator(const Token& token) {
  for (const BinaryWord& candidate : text_form::kBinary)
    if (token.is(candidate.text)) return candidate;
  for (const BinaryWord& candidate : kOtherSpellings)
    if (token.is(candidate.text)) return candidate;
  return std::nullopt;
}

std::optional<ExprOp> unary_operator(const Token& token) {
  if (token.is("!") || token.is("not")) return ExprOp::kLogicalNot;
  if (token.is("-")) return ExprOp::kNegate;
  if (token.is("~")) return ExprOp::kBitNot;
  return std::nullopt;
}

[[noreturn, gnu::noinline]] void no_expression(const Token& token) {
  const bool keyword = token.kind == Token::Kind::kKeyword;
  fail(token.position, fmt::format("expected an expression, {} {}{}", keyword ? "but" : "found",
                                   describe(token), keyword ? " is a keyword" : ""));
}

}  // namespace

TermId ExpressionParser::add(Term term) {
  const SourcePosition position = term.position;
  const TermId id = terms_.add(std::move(term));
  if (terms_[id].depth > kMaximalDepth) text::nested_too_deeply(position, "expression", kMaximalDepth);
  return id;
}

TermId ExpressionParser::parse() { return parse_binary(1); }

TermId ExpressionParser::parse_binary(int weakest) {
  TermId left = parse_unary();
  for (auto op = binary_operator(tokens_.peek()); op && op->precedence >= weakest;
       op = binary_operator(tokens_.peek())) {
    const SourcePosition position = tokens_.take().position;
    const TermId right = parse_binary(op->precedence + 1);
    left = add_operation(op->value, left, right, position);
  }
  return left;
}

TermId ExpressionParser::parse_unary() {
  const auto op = unary_operator(tokens_.peek());
  const auto level = nesting_.enter(tokens_.here());
  if (!op) return parse_primary();
  const SourcePosition position = tokens_.take().position;
  if (*op == ExprOp::kNegate && tokens_.at(Token::Kind::kNumber)) return parse_negative_number(position);
  return add_operation(*op, parse_unary(), TermId::none(), position);
}

TermId ExpressionParser::add_operation(ExprOp op, TermId a, TermId b, SourcePosition position) {
  const Term::Kind kind = b ? Term::Kind::kBinary : Term::Kind::kUnary;
  return add({.kind = kind, .op = op, .a = a, .b = b, .position = position});
}

TermId ExpressionParser::parse_negative_number(SourcePosition position) {
  const Value value = parse_integer(tokens_.take(), true);
  return add({.kind = Term::Kind::kNumber, .value = value, .position = position});
}

TermId ExpressionParser::parse_address() {
  const SourcePosition position = tokens_.here();
  const TermId address = parse_index();
  return add({.kind = Term::Kind::kAddress, .a = address, .position = position});
}

TermId ExpressionParser::parse_primary() {
  const Token& token = tokens_.peek();
  if (token.kind == Token::Kind::kNumber || token.is("true") || token.is("false")) return parse_number();
  if (token.kind == Token::Kind::kName) return parse_name();
  const SourcePosition position = token.position;
  if (token.is("(")) {
    tokens_.take();
    const TermId inner = parse();
    tokens_.expect_closing(")", "(", position);
    return inner;
  }
  if (token.is("[") && speaks_ == Speaks::kOfTheWholeState) return parse_address();
  no_expression(token);
}

TermId ExpressionParser::parse_number() {
  const Token token = tokens_.take();
  const Value value = token.is("true") ? 1 : token.is("false") ? 0 : parse_integer(token, false);
  return add({.kind = Term::Kind::kNumber, .value = value, .position = token.position});
}

TermId ExpressionParser::parse_name() {
  const Token token = tokens_.take();
  Term term{.kind = Term::Kind::kName, .name = std::string(token.text), .position = token.position};
  if (tokens_.at("[")) {
    term.kind = Term::Kind::kElement;
    term.a = parse_index();
  } else if (speaks_ == Speaks::kOfTheWholeState && tokens_.accept(".")) {
    term.kind = Term::Kind::kRegister;
    term.thread = std::move(term.name);
    term.name = tokens_.expect_name("the name of a register").text;
  }
  return add(std::move(term));
}

TermId ExpressionParser::parse_index() {
  const SourcePosition open = tokens_.take().position;
  const TermId index = parse();
  tokens_.expect_closing("]", "[", open);
  return index;
}

}  // namespace weir::imp
