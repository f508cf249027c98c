// The grammar of IMP, by recursive descent: it knows which construct is open and since where, which is what a
// message about a missing `od` has to say.
//
//   program    = "program" NAME { variables | exclusive | goal } process { [";"] process } [";"]
//   variables  = "variables" chain { "," chain } [";"]
//   chain      = variable { "=" variable } [ "=" ( INTEGER | "{" INTEGER { "," INTEGER } "}" ) ]
//   variable   = NAME [ "[" INTEGER "]" ]
//   exclusive  = "exclusive" place { "," place } [";"]          goal = "goal" place { "," place } [";"]
//   place      = [ NAME ":" ] LABEL
//   process    = ( "process" | "proc" ) NAME [ "[" INTEGER "]" ] "begin" statements "end"
//   statements = { statement ";" } [ statement ]
//   statement  = [ LABEL ":" ] basic
//   basic      = "skip" | "fence" | "local" NAME [ ":=" e ] | NAME [ "[" e "]" ] ":=" e | "assert" e |
//   "assume" e
//              | "if" e "then" statements [ "else" statements ] "fi" | "while" e "do" statements "od"
//              | "atomic" "{" statements "}"
#include <fmt/format.h>

#include "frontend/imp/expression_parser.hpp"
#include "frontend/imp/syntax.hpp"
#include "frontend/text/declared_names.hpp"

namespace weir::imp {

namespace {

constexpr Value kMaximalArray = 1 << 16;
constexpr Value kMaximalCopies = 1024;

// An open construct, for messages about its end.
struct Construct {
  std::string_view what;  // "'while'"
  SourcePosition position;
};

class Parser {
 public:
  Parser(FileId file, std::string_view text)
      : tokens_(file, text), expressions_(tokens_, syntax_.terms, Speaks::kOfOneProcess) {}

  ProgramSyntax parse() {
    tokens_.expect("program", "at the start of the file");
    syntax_.name = tokens_.expect_name("the name of the program").text;
    parse_declarations();
    while (tokens_.at("process") || tokens_.at("proc")) {
      parse_process();
      tokens_.accept(";");
    }
    if (!tokens_.at_end()) tokens_.fail_expected("'process'");
    if (syntax_.processes.empty()) fail(tokens_.here(), "no process in this file");
    return std::move(syntax_);
  }

 private:
  // `goal` is a word of declarations only; programs may have a variable of this name.
  bool at_goal() const { return tokens_.at_name("goal"); }

  void parse_declarations() {
    for (;;) {
      if (tokens_.accept("variables")) {
        do parse_chain();
        while (tokens_.accept(","));
      } else if (tokens_.accept("exclusive")) {
        syntax_.exclusive.push_back(parse_places());
      } else if (at_goal()) {
        tokens_.take();
        for (Place& place : parse_places()) syntax_.goal.push_back(std::move(place));
      } else {
        return;
      }
      tokens_.accept(";");
    }
  }

  void parse_chain() {
    const std::size_t first = syntax_.variables.size();
    parse_variable();
    while (tokens_.accept("=")) {
      if (!tokens_.at(Token::Kind::kName)) return parse_initial_values(first);
      parse_variable();
    }
  }

  void parse_variable() {
    Variable variable{.name = tokens_.expect_name("the name of a variable"), .initial = {0}};
    declare(names_, variable.name, "variable");
    if (tokens_.accept("[")) {
      variable.is_array = true;
      variable.initial.resize(static_cast<std::size_t>(parse_count("the size of an array", kMaximalArray)));
      tokens_.expect("]", "after the size of an array");
    }
    syntax_.variables.push_back(std::move(variable));
  }

  void parse_initial_values(std::size_t first) {
    if (!tokens_.at("{")) {
      const Value value = parse_initial_value();
      for (std::size_t i = first; i < syntax_.variables.size(); ++i)
        for (Value& cell : syntax_.variables[i].initial) cell = value;
      return;
    }
    const SourcePosition position = tokens_.take().position;
    std::vector<Value> values;
    do values.push_back(parse_initial_value());
    while (tokens_.accept(","));
    tokens_.expect("}", "after the initial values");
    for (std::size_t i = first; i < syntax_.variables.size(); ++i) {
      Variable& variable = syntax_.variables[i];
      if (variable.initial.size() != values.size())
        fail(position, fmt::format("{} values for '{}', which has {}", values.size(), variable.name.text,
                                   variable.initial.size()));
      variable.initial = values;
    }
  }

  Value parse_initial_value() {
    if (tokens_.accept("true")) return 1;
    if (tokens_.accept("false")) return 0;
    const bool negative = tokens_.accept("-");
    return parse_integer(tokens_.expect(Token::Kind::kNumber, "an initial value"), negative);
  }

  Value parse_count(std::string_view what, Value limit) {
    const Token token = tokens_.expect(Token::Kind::kNumber, what);
    const Value value = parse_integer(token, false);
    if (value < 1 || value > limit) fail(token.position, fmt::format("{} is from 1 to {}", what, limit));
    return value;
  }

  std::vector<Place> parse_places() {
    std::vector<Place> places;
    do {
      Place place{.label = parse_label()};
      if (tokens_.accept(":")) {
        place.process = std::move(place.label);
        place.label = parse_label();
      }
      places.push_back(std::move(place));
    } while (tokens_.accept(","));
    return places;
  }

  Name parse_label() {
    if (!tokens_.at(Token::Kind::kNumber)) return tokens_.expect_name("a label");
    return tokens_.take().name();
  }

  static void declare(text::DeclaredNames& declared, const Name& name, std::string_view what) {
    if (name.text == kOwnNumber && what != "label")
      fail(name.position, fmt::format("'{}' is the number of a process; it cannot be declared", kOwnNumber));
    declared.add(name, what);
  }

  void parse_process() {
    const Construct process{"'process'", tokens_.take().position};
    Process result{.name = tokens_.expect_name("the name of a process")};
    if (tokens_.accept("[")) {
      result.copies =
          static_cast<std::size_t>(parse_count("the number of copies of a process", kMaximalCopies));
      tokens_.expect("]", "after the number of copies");
    }
    declare_threads(result);
    labels_.clear();
    tokens_.expect("begin", "after the name of a process");
    result.body = parse_statements();
    close("end", process);
    syntax_.processes.push_back(std::move(result));
  }

  void declare_threads(const Process& process) {
    if (process.copies == 0) return declare(threads_, process.name, "process");
    for (std::size_t i = 0; i < process.copies; ++i)
      declare(threads_, {fmt::format("{}{}", process.name.text, i), process.name.position}, "process");
  }

  // Takes the word that ends a construct, which may continue with `alternatives` instead.
  void close(std::string_view word, Construct open, std::string_view alternatives = "';'") {
    if (!tokens_.accept(word)) still_open(word, open, alternatives);
  }

  [[noreturn, gnu::noinline]] void still_open(std::string_view word, Construct open,
                                              std::string_view alternatives) {
    const std::string expected = fmt::format("{} or '{}'", alternatives, word);
    fail(tokens_.here(),
         fmt::format("expected {}, found {}; the {} at {}:{} is still open", expected,
                     describe(tokens_.peek()), open.what, open.position.line, open.position.column));
  }

  bool at_end_of_statements() const {
    for (const std::string_view word : {"end", "fi", "od", "else", "}"})
      if (tokens_.at(word)) return true;
    return tokens_.at_end();
  }

  std::vector<Statement> parse_statements() {
    const auto level = nesting_.enter(tokens_.here());
    std::vector<Statement> statements;
    while (!at_end_of_statements()) {
      statements.push_back(parse_statement());
      if (!tokens_.accept(";")) break;
    }
    return statements;
  }

  Statement parse_statement() {
    Statement statement{.position = tokens_.here()};
    if (tokens_.at(Token::Kind::kNumber)) {
      take_label(statement, tokens_.take());
    } else if (tokens_.at(Token::Kind::kName)) {
      const Token name = tokens_.take();
      if (!tokens_.at(":")) {
        parse_assignment(statement, name);
        return statement;
      }
      take_label(statement, name);
    }
    parse_basic(statement);
    return statement;
  }

  [[gnu::noinline]] void take_label(Statement& statement, const Token& label) {
    tokens_.expect(":", "after a label");
    statement.label = label.name();
    declare(labels_, statement.label, "label");
    statement.position = tokens_.here();
  }

  void parse_basic(Statement& statement) {
    using Kind = Statement::Kind;
    if (tokens_.at(Token::Kind::kName)) return parse_assignment(statement, tokens_.take());
    const Token word = tokens_.peek();
    if (word.is("if")) return parse_if(statement);
    if (word.is("while")) return parse_while(statement);
    if (word.is("atomic")) return parse_atomic(statement);
    if (word.is("local")) return parse_local(statement);
    if (word.is("skip")) return parse_word(statement, Kind::kSkip);
    if (word.is("fence")) return parse_word(statement, Kind::kFence);
    if (word.is("assert")) return parse_condition(statement, Kind::kAssert);
    if (word.is("assume")) return parse_condition(statement, Kind::kAssume);
    no_statement(word);
  }

  [[noreturn, gnu::noinline]] void no_statement(const Token& word) {
    const bool keyword = word.kind == Token::Kind::kKeyword;
    fail(word.position, fmt::format("expected a statement, {} {}{}", keyword ? "but" : "found",
                                    describe(word), keyword ? " does not start one" : ""));
  }

  void parse_word(Statement& statement, Statement::Kind kind) {
    tokens_.take();
    statement.kind = kind;
  }

  void parse_condition(Statement& statement, Statement::Kind kind) {
    parse_word(statement, kind);
    statement.value = expressions_.parse();
  }

  [[gnu::noinline]] void parse_assignment(Statement& statement, const Token& target) {
    statement.kind = Statement::Kind::kAssign;
    statement.target = target.name();
    if (tokens_.at("[")) {
      const SourcePosition open = tokens_.take().position;
      statement.index = expressions_.parse();
      tokens_.expect_closing("]", "[", open);
    }
    if (tokens_.at("="))
      fail(tokens_.here(), "expected ':=', found '='", "an assignment is written with ':='");
    tokens_.expect(":=", fmt::format("after '{}'", target.text.substr(0, 40)));
    statement.value = expressions_.parse();
  }

  [[gnu::noinline]] void parse_local(Statement& statement) {
    parse_word(statement, Statement::Kind::kLocal);
    statement.target = tokens_.expect_name("the name of a local variable");
    if (tokens_.accept(":=")) statement.value = expressions_.parse();
  }

  void parse_if(Statement& statement) {
    const Construct construct{"'if'", statement.position};
    parse_condition(statement, Statement::Kind::kIf);
    tokens_.expect("then", "after the condition of 'if'");
    statement.body = parse_statements();
    const bool has_else = tokens_.accept("else");
    if (has_else) statement.otherwise = parse_statements();
    close("fi", construct, has_else ? "';'" : "';', 'else'");
  }

  void parse_while(Statement& statement) {
    const Construct construct{"'while'", statement.position};
    parse_condition(statement, Statement::Kind::kWhile);
    tokens_.expect("do", "after the condition of 'while'");
    statement.body = parse_statements();
    statement.closing = tokens_.here();
    close("od", construct);
  }

  void parse_atomic(Statement& statement) {
    const Construct construct{"'atomic'", statement.position};
    if (in_atomic_) fail(statement.position, "an 'atomic' inside another one");
    parse_word(statement, Statement::Kind::kAtomic);
    tokens_.expect("{", "after 'atomic'");
    in_atomic_ = true;
    statement.body = parse_statements();
    in_atomic_ = false;
    close("}", construct);
  }

  TokenReader tokens_;
  ProgramSyntax syntax_;
  ExpressionParser expressions_;
  text::DeclaredNames names_, threads_, labels_;
  text::Nesting nesting_{kMaximalNesting, "statements"};
  bool in_atomic_ = false;
};

}  // namespace

ProgramSyntax parse(FileId file, std::string_view text) { return Parser(file, text).parse(); }

}  // namespace weir::imp
