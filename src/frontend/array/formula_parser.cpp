// Precedence is Cubicle's: a quantifier reaches as far to the right as it can, `else` only over the next
// formula without an operator in its middle, and `=>` and `<=>` group to the right.
#include "frontend/array/formula_parser.hpp"

#include <fmt/format.h>

#include "frontend/array/rational.hpp"

namespace weir::cub {

namespace {

using Kind = FormulaSyntax::Kind;

FormulaSyntax joined(Kind kind, SourcePosition position, std::vector<FormulaSyntax> operands) {
  return {.kind = kind, .operands = std::move(operands), .position = position};
}

}  // namespace

FormulaSyntax FormulaParser::formula() {
  const auto level = nesting_.enter(tokens_.here());
  FormulaSyntax left = disjunction();
  if (tokens_.at("=>") || tokens_.at("<=>")) {
    const Token arrow = tokens_.take();
    FormulaSyntax right = formula();
    std::vector<FormulaSyntax> operands;
    operands.push_back(std::move(left));
    operands.push_back(std::move(right));
    left = joined(arrow.is("=>") ? Kind::kImplies : Kind::kEquivalent, arrow.position, std::move(operands));
  }
  return left;
}

FormulaSyntax FormulaParser::disjunction() {
  FormulaSyntax first = conjunction();
  if (!tokens_.at("||")) return first;
  const SourcePosition position = first.position;
  std::vector<FormulaSyntax> operands;
  operands.push_back(std::move(first));
  while (tokens_.accept("||")) operands.push_back(conjunction());
  return joined(Kind::kOr, position, std::move(operands));
}

FormulaSyntax FormulaParser::conjunction() {
  FormulaSyntax first = unary();
  if (!tokens_.at("&&")) return first;
  const SourcePosition position = first.position;
  std::vector<FormulaSyntax> operands;
  operands.push_back(std::move(first));
  while (tokens_.accept("&&")) operands.push_back(unary());
  return joined(Kind::kAnd, position, std::move(operands));
}

FormulaSyntax FormulaParser::unary() {
  const auto level = nesting_.enter(tokens_.here());
  return primary();
}

FormulaSyntax FormulaParser::primary() {
  const SourcePosition position = tokens_.here();
  if (tokens_.accept("true")) return {.kind = Kind::kTrue, .position = position};
  if (tokens_.accept("false")) return {.kind = Kind::kFalse, .position = position};
  if (tokens_.at("not")) return negation();
  if (tokens_.at("if")) return conditional();
  if (tokens_.at("forall") || tokens_.at("exists") || tokens_.at("forall_other") ||
      tokens_.at("exists_other"))
    return quantified();
  if (!tokens_.at("(") || tokens_.at_term_in_parentheses()) return comparison();
  tokens_.take();
  FormulaSyntax inner = formula();
  tokens_.expect(")", "behind a formula in parentheses");
  return inner;
}

FormulaSyntax FormulaParser::negation() {
  const SourcePosition position = tokens_.take().position;
  std::vector<FormulaSyntax> operands;
  operands.push_back(unary());
  return joined(Kind::kNot, position, std::move(operands));
}

FormulaSyntax FormulaParser::conditional() {
  const SourcePosition position = tokens_.take().position;
  std::vector<FormulaSyntax> operands;
  operands.push_back(formula());
  tokens_.expect("then", "behind the condition of 'if'");
  operands.push_back(formula());
  tokens_.expect("else", "behind the first branch of 'if'");
  operands.push_back(unary());
  return joined(Kind::kIf, position, std::move(operands));
}

FormulaSyntax FormulaParser::quantified() {
  const Token word = tokens_.take();
  FormulaSyntax result{.kind = word.text.starts_with("forall") ? Kind::kForAll : Kind::kExists,
                       .others = word.text.ends_with("_other"),
                       .position = word.position};
  do result.names.push_back(tokens_.expect_name(Token::Kind::kName, "a name for the process"));
  while (!result.others && tokens_.accept("<>"));
  tokens_.expect(".", "behind the name of a quantifier");
  result.operands.push_back(formula());
  return result;
}

FormulaSyntax FormulaParser::comparison() {
  const SourcePosition position = tokens_.here();
  if (!tokens_.at(Token::Kind::kName)) return comparison_from(term());
  Name name = tokens_.take().name();
  if (tokens_.at("(")) return call(std::move(name));
  return comparison_from(term_from(product_from(false, atom_from(std::move(name))), position));
}

FormulaSyntax FormulaParser::comparison_from(TermSyntax left) {
  struct Operator {
    std::string_view word;
    Comparison comparison;
    bool turned;
  };
  static constexpr Operator kOperators[] = {
      {"=", Comparison::kEqual, false},      {"<>", Comparison::kDifferent, false},
      {"<", Comparison::kLess, false},       {">", Comparison::kLess, true},
      {"<=", Comparison::kLessEqual, false}, {">=", Comparison::kLessEqual, true}};
  for (const Operator& op : kOperators) {
    if (!tokens_.at(op.word)) continue;
    tokens_.take();
    FormulaSyntax result{.kind = Kind::kCompare, .comparison = op.comparison, .position = left.position};
    result.terms.push_back(std::move(left));
    result.terms.push_back(term());
    if (op.turned) std::swap(result.terms[0], result.terms[1]);
    return result;
  }
  tokens_.fail_expected("a comparison (=, <>, <, >, <=, >=)", tokens_.at(":=")
                                                                  ? "':=' changes a variable; '=' compares"
                                                                  : "a Boolean X is tested by X = True");
}

FormulaSyntax FormulaParser::call(Name name) {
  tokens_.take();
  const bool fence = name.text == "fence";
  FormulaSyntax result{.kind = fence ? Kind::kFence : Kind::kCall, .position = name.position};
  if (!fence) result.names.push_back(std::move(name));
  if (fence && !tokens_.at(")")) result.names.push_back(process());
  if (!fence && !tokens_.at(")")) {
    do result.terms.push_back(term());
    while (tokens_.accept(","));
  }
  tokens_.expect(")", fence ? "behind 'fence('" : "behind the arguments of a predicate");
  return result;
}

TermSyntax FormulaParser::term() {
  const SourcePosition position = tokens_.here();
  const bool negative = tokens_.accept("-");
  return term_from(product(negative), position);
}

TermSyntax FormulaParser::term_from(ProductSyntax first, SourcePosition position) {
  TermSyntax result{.position = position};
  result.products.push_back(std::move(first));
  while (tokens_.at("+") || tokens_.at("-")) result.products.push_back(product(tokens_.take().is("-")));
  return result;
}

ProductSyntax FormulaParser::product(bool negative) { return product_from(negative, atom()); }

ProductSyntax FormulaParser::product_from(bool negative, AtomSyntax first) {
  ProductSyntax result{.negative = negative};
  result.factors.push_back(std::move(first));
  while (tokens_.accept("*")) result.factors.push_back(atom());
  return result;
}

AtomSyntax FormulaParser::atom() {
  if (tokens_.at(Token::Kind::kNumber)) return number();
  if (tokens_.at(Token::Kind::kCapital)) return symbol(std::nullopt);
  if (tokens_.at(Token::Kind::kName) || tokens_.at(Token::Kind::kProcess))
    return atom_from(tokens_.take().name());
  if (tokens_.at("(")) return nested();
  tokens_.fail_expected("a term: a variable, A[p], a constructor, a process or a number");
}

AtomSyntax FormulaParser::nested() {
  const auto level = nesting_.enter(tokens_.here());
  AtomSyntax result{.kind = AtomSyntax::Kind::kNested};
  result.name.position = tokens_.take().position;
  result.nested.push_back(term());
  tokens_.expect(")", "behind a term in parentheses");
  return result;
}

AtomSyntax FormulaParser::number() {
  AtomSyntax result{.name = tokens_.take().name()};
  std::optional<Rational> value = parse_number(result.name.text);
  result.decimal = result.name.text.find('.') != std::string::npos;
  if (value && tokens_.accept("/")) {
    const Name divisor = tokens_.expect_name(Token::Kind::kNumber, "a number behind '/'");
    const std::optional<Rational> second = parse_number(divisor.text);
    if (second && second->numerator == 0) fail(divisor.position, "division by zero");
    value = second ? quotient(*value, *second) : std::nullopt;
    result.decimal = true;
  }
  if (!value) fail(result.name.position, "this number does not fit into 64 bits");
  result.number = *value;
  return result;
}

AtomSyntax FormulaParser::atom_from(Name name) {
  if (tokens_.accept("@")) {
    if (!tokens_.at(Token::Kind::kCapital)) tokens_.fail_expected("a weak variable or array behind '@'");
    return symbol(std::move(name));
  }
  if (tokens_.at("["))
    fail(name.position, fmt::format("'{}' is no array", shortened(name.text)),
         "arrays start with a capital letter");
  return {.kind = AtomSyntax::Kind::kProcess, .name = std::move(name)};
}

AtomSyntax FormulaParser::symbol(std::optional<Name> viewer) {
  AtomSyntax result{
      .kind = AtomSyntax::Kind::kSymbol, .name = tokens_.take().name(), .viewer = std::move(viewer)};
  if (!tokens_.accept("[")) return result;
  result.indexed = true;
  do result.arguments.push_back(process());
  while (tokens_.accept(","));
  tokens_.expect("]", "behind the processes of an array");
  return result;
}

Name FormulaParser::process() {
  if (tokens_.at(Token::Kind::kCapital))
    tokens_.fail_expected("a process", fmt::format("for the process in {0} add a parameter p, with {0} = p",
                                                   shortened(tokens_.peek().text)));
  if (!tokens_.at(Token::Kind::kName) && !tokens_.at(Token::Kind::kProcess))
    tokens_.fail_expected("a process");
  return tokens_.take().name();
}

}  // namespace weir::cub
