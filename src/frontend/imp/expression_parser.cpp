// Precedence climbing. Both the recursion and the depth of what it builds are bounded.
#include "frontend/imp/expression_parser.hpp"

#include <charconv>
#include <fmt/format.h>
#include <optional>

namespace weir::imp {

namespace {

struct Operator {
  std::string_view text;
  ExprOp op;
  int precedence;  // larger binds tighter
};

constexpr Operator kBinaryOperators[] = {
    {"||", ExprOp::kLogicalOr, 1},   {"or", ExprOp::kLogicalOr, 1}, {"&&", ExprOp::kLogicalAnd, 2},
    {"and", ExprOp::kLogicalAnd, 2}, {"|", ExprOp::kBitOr, 3},      {"^", ExprOp::kBitXor, 4},
    {"&", ExprOp::kBitAnd, 5},       {"=", ExprOp::kEq, 6},         {"==", ExprOp::kEq, 6},
    {"!=", ExprOp::kNe, 6},          {"<>", ExprOp::kNe, 6},        {"<", ExprOp::kLt, 7},
    {"<=", ExprOp::kLe, 7},          {">", ExprOp::kGt, 7},         {">=", ExprOp::kGe, 7},
    {"<<", ExprOp::kShl, 8},         {">>", ExprOp::kShr, 8},       {"+", ExprOp::kAdd, 9},
    {"-", ExprOp::kSub, 9},          {"*", ExprOp::kMul, 10},       {"/", ExprOp::kDiv, 10},
    {"%", ExprOp::kRem, 10},
};

std::optional<Operator> binary_operator(const Token& token) {
  for (const Operator& candidate : kBinaryOperators)
    if (token.is(candidate.text)) return candidate;
  return std::nullopt;
}

std::optional<ExprOp> unary_operator(const Token& token) {
  if (token.is("!") || token.is("not")) return ExprOp::kLogicalNot;
  if (token.is("-")) return ExprOp::kNegate;
  if (token.is("~")) return ExprOp::kBitNot;
  return std::nullopt;
}

[[noreturn, gnu::noinline]] void too_deep(SourcePosition position, std::uint32_t limit) {
  fail(position, fmt::format("expression nested too deeply; the limit is {}", limit));
}

[[noreturn, gnu::noinline]] void no_expression(const Token& token) {
  const bool keyword = token.kind == Token::Kind::kKeyword;
  fail(token.position, fmt::format("expected an expression, {} {}{}", keyword ? "but" : "found",
                                   describe(token), keyword ? " is a keyword" : ""));
}

}  // namespace

Token TokenReader::expect(std::string_view word, std::string_view where) {
  if (!at(word))
    fail(token_.position, fmt::format("expected '{}' {}, found {}", word, where, describe(token_)));
  return take();
}

void TokenReader::expect_closing(std::string_view word, std::string_view opening, SourcePosition open) {
  if (accept(word)) return;
  expect(word, fmt::format("for the '{}' at {}:{}", opening, open.line, open.column));
}

Name TokenReader::expect_name(std::string_view what) {
  if (at(Token::Kind::kKeyword))
    fail(token_.position, fmt::format("expected {}, but {} is a keyword", what, describe(token_)));
  if (!at(Token::Kind::kName))
    fail(token_.position, fmt::format("expected {}, found {}", what, describe(token_)));
  const Token taken = take();
  return {std::string(taken.text), taken.position};
}

Value parse_integer(const Token& token, bool negative) {
  std::uint64_t magnitude = 0;
  const auto [rest, error] =
      std::from_chars(token.text.data(), token.text.data() + token.text.size(), magnitude);
  const std::uint64_t limit = (std::uint64_t{1} << 63) - (negative ? 0 : 1);
  if (error != std::errc() || magnitude > limit)
    fail(token.position, fmt::format("the number {} does not fit into 64 bits", describe(token)));
  return static_cast<Value>(negative ? std::uint64_t{0} - magnitude : magnitude);
}

TermId ExpressionParser::add(Term term) {
  const SourcePosition position = term.position;
  const TermId id = terms_.add(std::move(term));
  if (terms_[id].depth > kMaximalDepth) too_deep(position, kMaximalDepth);
  return id;
}

TermId ExpressionParser::parse() { return parse_binary(1); }

TermId ExpressionParser::parse_binary(int weakest) {
  TermId left = parse_unary();
  for (auto op = binary_operator(tokens_.peek()); op && op->precedence >= weakest;
       op = binary_operator(tokens_.peek())) {
    const SourcePosition position = tokens_.take().position;
    const TermId right = parse_binary(op->precedence + 1);
    left = add_operation(op->op, left, right, position);
  }
  return left;
}

TermId ExpressionParser::parse_unary() {
  const auto op = unary_operator(tokens_.peek());
  if (++nesting_ > kMaximalNesting) too_deep(tokens_.peek().position, kMaximalNesting);
  TermId result;
  if (!op) {
    result = parse_primary();
  } else {
    const SourcePosition position = tokens_.take().position;
    const bool sign = *op == ExprOp::kNegate && tokens_.at(Token::Kind::kNumber);
    result =
        sign ? parse_negative_number(position) : add_operation(*op, parse_unary(), TermId::none(), position);
  }
  --nesting_;
  return result;
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
  const SourcePosition position = tokens_.peek().position;
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
