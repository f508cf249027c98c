// Recursive descent, one function per construct. `=>` binds weakest, then `\/`, then `/\`, then `not`.
#include "frontend/litmus/state_parser.hpp"

#include <charconv>
#include <fmt/format.h>

#include "frontend/text/nesting.hpp"

namespace weir::litmus {

namespace {

using Op = FinalCondition::Op;

constexpr std::uint32_t kDeepestCondition = 200;
constexpr std::size_t kMaximalCells = 1024;

// "P3" is a thread, as "3" is.
std::optional<std::size_t> thread_number(const Token& token) {
  std::string_view digits = token.text;
  if (token.kind == Token::Kind::kName && digits.starts_with('P')) digits.remove_prefix(1);
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

Name register_name(TokenReader& tokens) {
  tokens.accept("%");
  return tokens.expect_name("the name of a register");
}

class InitialStateParser {
 public:
  explicit InitialStateParser(TokenReader& tokens) : tokens_(tokens) {}

  std::vector<Declaration> parse() {
    tokens_.expect("{", "before the initial state");
    std::vector<Declaration> declarations;
    while (!tokens_.accept("}")) {
      if (tokens_.accept(";")) continue;
      declarations.push_back(parse_declaration());
      if (!tokens_.at(";") && !tokens_.at("}")) tokens_.fail_expected("';' or '}' in the initial state");
    }
    while (tokens_.accept(";")) {
    }
    return declarations;
  }

 private:
  Declaration parse_declaration() {
    Declaration declaration;
    parse_left_side(declaration);
    if (tokens_.accept("=")) declaration.values = parse_values();
    const std::size_t cells = declaration.cells.value_or(1);
    if (!declaration.values.empty() && declaration.values.size() != cells)
      fail(declaration.name.position, fmt::format("'{}' has {} cells, but {} initial values",
                                                  declaration.name.text, cells, declaration.values.size()));
    return declaration;
  }

  // [type] ["*"] ( thread ":" register | variable | "[" variable "]" | array "[" number "]" )
  void parse_left_side(Declaration& declaration) {
    for (;;) {
      if (tokens_.accept("*")) {
        declaration.type = Type{64, false};
      } else if (tokens_.accept("[")) {
        declaration.name = tokens_.expect_name("a variable");
        tokens_.expect("]", "behind a variable");
        return;
      } else if (tokens_.at(Token::Kind::kNumber)) {
        const Token number = tokens_.take();
        return parse_register(declaration, number);
      } else {
        const Token word =
            tokens_.expect(Token::Kind::kName, "a variable, a register such as 0:EAX, or a type");
        if (thread_number(word) && tokens_.at(":")) return parse_register(declaration, word);
        if (!names_type(word)) return parse_variable(declaration, word);
        note_type(declaration, word);
      }
    }
  }

  // Is a name still to come, so that this one is a type?
  bool names_type(const Token& word) const {
    if (tokens_.at(Token::Kind::kName) || tokens_.at(Token::Kind::kNumber) || tokens_.at("*")) return true;
    return tokens_.at("[") && (type_named(word.text) || is_type_qualifier(word.text));
  }

  static void note_type(Declaration& declaration, const Token& word) {
    if (word.text == "unsigned")
      declaration.type = Type{32, false};
    else if (is_type_qualifier(word.text))
      return;
    else if (const auto type = type_named(word.text))
      declaration.type = declaration.type && !declaration.type->is_signed ? Type{type->bits, false} : *type;
    else
      fail(word.position, fmt::format("the type {} is not modelled", describe(word)),
           "int, int8_t to uint64_t and their like are");
  }

  void parse_register(Declaration& declaration, const Token& thread) {
    declaration.thread = thread_number(thread);
    if (!declaration.thread) fail(thread.position, "expected the number of a thread");
    tokens_.expect(":", "between a thread and its register");
    declaration.name = register_name(tokens_);
  }

  void parse_variable(Declaration& declaration, const Token& name) {
    declaration.name = name.name();
    if (!tokens_.accept("[")) return;
    const SourcePosition position = tokens_.here();
    const Value cells = tokens_.expect_number("the number of cells of an array");
    if (cells < 1 || cells > static_cast<Value>(kMaximalCells))
      fail(position, fmt::format("an array has 1 to {} cells", kMaximalCells));
    declaration.cells = static_cast<std::size_t>(cells);
    tokens_.expect("]", "behind the number of cells");
  }

  std::vector<InitialValue> parse_values() {
    if (!tokens_.accept("{")) return {parse_value()};
    std::vector<InitialValue> values{parse_value()};
    while (tokens_.accept(",")) values.push_back(parse_value());
    tokens_.expect("}", "behind the values of an array");
    return values;
  }

  InitialValue parse_value() {
    tokens_.accept("&");
    if (!tokens_.at(Token::Kind::kName)) {
      const SourcePosition position = tokens_.here();
      return {.number = tokens_.expect_number("an initial value"), .position = position};
    }
    const Token name = tokens_.take();
    if (name.text == "ATOMIC_INIT" && tokens_.accept("(")) {
      InitialValue value = parse_value();
      tokens_.expect(")", "behind ATOMIC_INIT");
      return value;
    }
    return {.symbol = std::string(name.text), .position = name.position};
  }

  TokenReader& tokens_;
};

class ConditionParser {
 public:
  ConditionParser(TokenReader& tokens, const PlaceNames& names, FinalQuestion& question)
      : tokens_(tokens), names_(names), question_(question) {}

  FinalCondition condition() {
    FinalCondition left = disjunction();
    if (!tokens_.accept("=>")) return left;
    const auto level = nesting_.enter(tokens_.here());
    FinalCondition result{.op = Op::kImplies};
    result.parts.push_back(std::move(left));
    result.parts.push_back(condition());
    return result;
  }

  ObservedPlace place() {
    if (tokens_.accept("[")) return bracketed();
    tokens_.accept("*");
    const Token word = tokens_.take();
    const bool is_name = word.kind == Token::Kind::kName;
    if (!is_name && word.kind != Token::Kind::kNumber) not_a_place(word);
    if (thread_number(word) && tokens_.accept(":"))
      return names_.reg(*thread_number(word), register_name(tokens_));
    if (!is_name) not_a_place(word);
    return names_.variable(word.name(), cell_number());
  }

 private:
  FinalCondition disjunction() { return sequence(Op::kOr, "\\/", &ConditionParser::conjunction); }
  FinalCondition conjunction() { return sequence(Op::kAnd, "/\\", &ConditionParser::negation); }

  FinalCondition sequence(Op op, std::string_view symbol, FinalCondition (ConditionParser::*part)()) {
    FinalCondition first = (this->*part)();
    if (!tokens_.at(symbol)) return first;
    FinalCondition result{.op = op};
    result.parts.push_back(std::move(first));
    while (tokens_.accept(symbol)) result.parts.push_back((this->*part)());
    return result;
  }

  FinalCondition negation() {
    if (!tokens_.accept_name("not") && !tokens_.accept("~") && !tokens_.accept("!")) return primary();
    const auto level = nesting_.enter(tokens_.here());
    FinalCondition result{.op = Op::kNot};
    result.parts.push_back(negation());
    return result;
  }

  FinalCondition primary() {
    if (tokens_.accept_name("true")) return {.op = Op::kTrue};
    if (tokens_.accept_name("false")) return {.op = Op::kFalse};
    if (!tokens_.accept("(")) return comparison();
    const auto level = nesting_.enter(tokens_.here());
    FinalCondition inner = condition();
    tokens_.expect(")", "at the end of a condition in parentheses");
    return inner;
  }

  FinalCondition comparison() {
    const std::size_t left = question_.number_of(place());
    const bool differs = tokens_.accept("!=");
    if (!differs && !tokens_.accept("=") && !tokens_.accept("=="))
      tokens_.fail_expected("'=' behind a register or variable");
    FinalCondition equality = right_side(left);
    if (!differs) return equality;
    FinalCondition result{.op = Op::kNot};
    result.parts.push_back(std::move(equality));
    return result;
  }

  // A number, the address of a variable, or another place: "0:EAX", "[x]".
  FinalCondition right_side(std::size_t left) {
    const Type type = question_.places[left].type;
    if (tokens_.at("[") || tokens_.at("*")) return same(left, place());
    tokens_.accept("&");
    if (!tokens_.at(Token::Kind::kName) && !tokens_.at(Token::Kind::kNumber))
      return is(left, tokens_.expect_number("a value"), type);
    const Token word = tokens_.take();
    if (thread_number(word) && tokens_.accept(":"))
      return same(left, names_.reg(*thread_number(word), register_name(tokens_)));
    if (word.kind == Token::Kind::kNumber) return is(left, number_value(word), type);
    if (const auto address = names_.address(std::string(word.text))) return is(left, *address, type);
    fail(word.position,
         fmt::format("there is no variable {} whose address could be a value", describe(word)));
  }

  static FinalCondition is(std::size_t place, Value value, Type type) {
    return {.op = Op::kIs, .place = place, .value = wrap(static_cast<std::uint64_t>(value), type)};
  }

  FinalCondition same(std::size_t left, const ObservedPlace& right) {
    return {.op = Op::kSame, .place = left, .other = question_.number_of(right)};
  }

  ObservedPlace bracketed() {
    const Name name = tokens_.expect_name("a variable");
    const auto cell = cell_number();
    tokens_.expect("]", "behind a variable");
    return names_.variable(name, cell);
  }

  std::optional<std::size_t> cell_number() {
    if (!tokens_.accept("[")) return std::nullopt;
    const Value cell = tokens_.expect_number("the number of a cell");
    tokens_.expect("]", "behind the number of a cell");
    return static_cast<std::size_t>(cell);
  }

  [[noreturn]] static void not_a_place(const Token& word) {
    fail(word.position,
         fmt::format("expected a register such as 0:EAX or a variable, found {}", describe(word)));
  }

  TokenReader& tokens_;
  const PlaceNames& names_;
  FinalQuestion& question_;
  text::Nesting nesting_{kDeepestCondition, "conditions"};
};

// [x; 0:EAX; y int*;]
void parse_locations(TokenReader& tokens, ConditionParser& conditions, FinalQuestion& question) {
  tokens.expect("[", "behind 'locations'");
  while (!tokens.accept("]")) {
    if (tokens.accept(";")) continue;
    question.number_of(conditions.place());
    while (tokens.at(Token::Kind::kName) || tokens.at("*")) tokens.take();  // how to print it
    if (!tokens.at(";") && !tokens.at("]")) tokens.fail_expected("';' or ']' in the list of locations");
  }
}

Quantifier parse_quantifier(TokenReader& tokens) {
  if (tokens.accept("~")) {
    if (!tokens.accept_name("exists")) tokens.fail_expected("'exists' behind '~'");
    return Quantifier::kNotExists;
  }
  if (tokens.accept_name("forall")) return Quantifier::kForAll;
  if (tokens.accept_name("exists") || tokens.accept_name("final") || tokens.at("("))
    return Quantifier::kExists;
  tokens.fail_expected("'exists', '~exists' or 'forall'");
}

// Old tests say behind the condition what models or machines make of it: `with` and kinds, `<<` and a log, or a line of text. A
// condition goes on with an operator or a parenthesis, never with one of these.
bool at_remark(const TokenReader& tokens) {
  if (tokens.at("<<") || tokens.at("\"") || tokens.at_name("with")) return true;
  return tokens.at(Token::Kind::kName) && tokens.here().column == 1 && !at_question(tokens);
}

}  // namespace

std::vector<Declaration> parse_initial_state(TokenReader& tokens) {
  return InitialStateParser(tokens).parse();
}

bool at_question(const TokenReader& tokens) {
  for (const std::string_view word : {"locations", "filter", "exists", "forall", "final"})
    if (tokens.at_name(word)) return true;
  return tokens.at("~") || tokens.at("(") || tokens.at_end();
}

FinalCondition parse_condition(TokenReader& tokens, const PlaceNames& names, FinalQuestion& question) {
  return ConditionParser(tokens, names, question).condition();
}

void parse_question(TokenReader& tokens, const PlaceNames& names, FinalQuestion& question) {
  ConditionParser conditions(tokens, names, question);
  if (tokens.accept_name("locations")) parse_locations(tokens, conditions, question);
  if (tokens.accept_name("filter")) question.filter = conditions.condition();
  if (!tokens.at_end()) {
    question.quantifier = parse_quantifier(tokens);
    question.condition = conditions.condition();
    tokens.accept(";");
  } else {
    question.quantifier = Quantifier::kForAll;
  }
  if (!tokens.at_end() && !at_remark(tokens))
    tokens.fail_expected("the end of the text behind the condition");
  question.sort_places();
}

}  // namespace weir::litmus
