// A recursive-descent parser for RMM, one function per construct. Nesting is bounded, so that no input can
// exhaust the stack; the first mistake ends it.
//
//   file      = "forbidden" list { ";" list } [ "predicates" … ] [ "data" inits ] process { process }
//   list      = ( LABEL | "*" ) …                                        one for each copy of a process
//   process   = "process" [ "(" NUMBER ")" ] { "data" inits | "registers" inits } "text" statements      each at most once
//   inits     = { name "=" ( INTEGER | "*" ) [ ":" ( "[" INTEGER ":" INTEGER "]" | "Z" ) ] [ "," ] }
//   statement = [ LABEL ":" ] basic
//   place     = NAME | NAME "[" "my" "]" | NAME "[" NUMBER "]" | "[" expression "]"
#include <fmt/format.h>

#include "frontend/rmm/expression_parser.hpp"
#include "frontend/text/declared_names.hpp"

namespace weir::rmm {

namespace {

constexpr Value kMaximalCopies = 1000;

class Parser {
 public:
  Parser(FileId file, std::string_view text) : tokens_(file, text), expressions_(tokens_, syntax_.terms) {}

  ProgramSyntax parse() {
    parse_forbidden();
    skip_predicates();
    if (tokens_.accept("data")) syntax_.data = parse_declarations("variable", Token::Kind::kName);
    while (tokens_.at("process")) parse_process();
    if (syntax_.processes.empty()) tokens_.fail_expected("'data' or 'process'");
    if (!tokens_.at_end()) tokens_.fail_expected("';', 'process' or the end of the text");
    return std::move(syntax_);
  }

 private:
  // Declarations.

  void parse_forbidden() {
    tokens_.expect("forbidden", "at the beginning: what must not be reached");
    do {
      std::vector<Name>& list = syntax_.forbidden.emplace_back();
      while (tokens_.at("*") || tokens_.at(Token::Kind::kName)) list.push_back(tokens_.take().name());
      if (list.empty()) tokens_.fail_expected("a label or '*' for each process");
    } while (tokens_.accept(";"));
  }

  // Hints to a method that Weir does not use.
  void skip_predicates() {
    if (!tokens_.accept("predicates")) return;
    while (!tokens_.at("data") && !tokens_.at("process") && !tokens_.at_end()) tokens_.take();
  }

  std::vector<Declaration> parse_declarations(std::string_view what, Token::Kind kind) {
    std::vector<Declaration> declarations;
    text::DeclaredNames names;
    while (tokens_.at(kind)) {
      declarations.push_back(parse_declaration());
      names.add(declarations.back().name, what);
      tokens_.accept(",");
    }
    if (declarations.empty())
      tokens_.fail_expected(kind == Token::Kind::kName ? "a variable" : "a register such as $r");
    return declarations;
  }

  Declaration parse_declaration() {
    const Token name = tokens_.take();
    Declaration result{.name = name.name()};
    tokens_.expect("=", "and an initial value");
    if (!tokens_.accept("*")) result.initial = parse_integer("an initial value, a number or '*'");
    if (tokens_.accept(":")) result.range = parse_range();
    if (result.initial && result.range && !result.range->contains(*result.initial))
      fail(name.position, fmt::format("'{}' starts with {}, outside of its range [{}:{}]", name.text,
                                      *result.initial, result.range->low, result.range->high));
    return result;
  }

  std::optional<Range> parse_range() {
    if (tokens_.accept_name("Z")) return std::nullopt;
    const SourcePosition position = tokens_.here();
    if (!tokens_.accept("[")) tokens_.fail_expected("a range such as [0:1], or Z");
    Range range;
    range.low = parse_integer("the least value of a range");
    tokens_.expect(":", "between the ends of a range");
    range.high = parse_integer("the greatest value of a range");
    tokens_.expect("]", "behind a range");
    if (range.low > range.high)
      fail(position, fmt::format("the range [{}:{}] is empty", range.low, range.high));
    return range;
  }

  Value parse_integer(std::string_view what) {
    const bool negative = tokens_.accept("-");
    return tokens_.expect_number(what, negative);
  }

  void parse_process() {
    Process process{.position = tokens_.take().position};
    if (tokens_.accept("(")) {
      const SourcePosition position = tokens_.here();
      const Value copies = tokens_.expect_number("the number of copies of a process");
      if (copies < 1 || copies > kMaximalCopies)
        fail(position, fmt::format("a process has 1 to {} copies", kMaximalCopies));
      process.copies = static_cast<std::size_t>(copies);
      tokens_.expect(")", "behind the number of copies");
    }
    while (tokens_.at("data") || tokens_.at("registers")) parse_process_declarations(process);
    tokens_.expect("text", "and the code of the process");
    labels_.clear();
    process.body = parse_statements();
    syntax_.processes.push_back(std::move(process));
  }

  void parse_process_declarations(Process& process) {
    const Token word = tokens_.take();
    const bool variables = word.is("data");
    std::vector<Declaration>& declarations = variables ? process.data : process.registers;
    if (!declarations.empty()) fail(word.position, fmt::format("a second '{}' in this process", word.text));
    declarations = variables ? parse_declarations("variable", Token::Kind::kName)
                             : parse_declarations("register", Token::Kind::kRegister);
  }

  // Statements.

  bool at_end_of_statements() const {
    return tokens_.at("}") || tokens_.at("or") || tokens_.at("process") || tokens_.at_end();
  }

  // At least one; a ';' may follow the last.
  std::vector<Statement> parse_statements() {
    const auto level = nesting_.enter(tokens_.here());
    std::vector<Statement> statements;
    do statements.push_back(parse_statement());
    while (tokens_.accept(";") && !at_end_of_statements());
    if (!at_end_of_statements()) tokens_.fail_expected("';' between two statements");
    return statements;
  }

  Statement parse_statement() {
    Statement statement{.position = tokens_.here()};
    if (tokens_.at(Token::Kind::kName)) take_label(statement);
    parse_basic(statement);
    return statement;
  }

  [[gnu::noinline]] void take_label(Statement& statement) {
    const Token label = tokens_.take();
    if (!tokens_.at(":"))
      fail(tokens_.here(),
           fmt::format("expected ':' behind the label '{}', found {}", label.text.substr(0, 40),
                       describe(tokens_.peek())),
           tokens_.at(":=") ? fmt::format("a register is written ${0}; 'write: {0} := …' changes a variable",
                                          label.text.substr(0, 40))
                            : "");
    tokens_.take();
    statement.label = label.name();
    labels_.add(statement.label, "label");
    statement.position = tokens_.here();
  }

  void parse_basic(Statement& s) {
    using Kind = Statement::Kind;
    const Token word = tokens_.peek();
    if (word.kind == Token::Kind::kRegister) return parse_assignment(s);
    if (word.is("{")) return parse_block(s, Kind::kSequence);
    if (word.kind != Token::Kind::kKeyword) tokens_.fail_expected("a statement");
    tokens_.take();
    if (word.is("nop")) return;
    if (word.is("fence")) return set(s, Kind::kFence);
    if (word.is("read")) return parse_read(s);
    if (word.is("write")) return parse_write(s, Kind::kWrite);
    if (word.is("syncwr")) return parse_write(s, Kind::kLockedWrite);
    if (word.is("locked"))
      return tokens_.accept("write") ? parse_write(s, Kind::kLockedWrite) : parse_block(s, Kind::kLocked);
    if (word.is("either")) return parse_block(s, Kind::kEither);
    if (word.is("cas")) return parse_cas(s);
    if (word.is("assume")) return parse_assume(s);
    if (word.is("if")) return parse_if(s);
    if (word.is("while")) return parse_while(s);
    if (word.is("goto")) return parse_goto(s);
    fail(word.position, fmt::format("expected a statement, but {} does not start one", describe(word)));
  }

  static void set(Statement& s, Statement::Kind kind) { s.kind = kind; }

  [[gnu::noinline]] void parse_assignment(Statement& s) {
    set(s, Statement::Kind::kAssign);
    s.reg = tokens_.expect_register();
    tokens_.expect(":=", "behind a register");
    s.value = expressions_.expression();
  }

  [[gnu::noinline]] void parse_read(Statement& s) {
    tokens_.expect(":", "behind 'read'");
    if (tokens_.at(Token::Kind::kRegister)) {
      set(s, Statement::Kind::kRead);
      s.reg = tokens_.expect_register();
      tokens_.expect(":=", "behind the register of 'read'");
      s.place = parse_place();
      return;
    }
    set(s, Statement::Kind::kAwait);
    s.place = parse_place();
    if (tokens_.at(":="))
      fail(tokens_.here(), "expected '=', found ':='",
           "'read: x = 1' waits for a value, 'read: $r := x' reads any; 'write: x := 1' writes");
    tokens_.expect("=", "behind what is read");
    s.value = expressions_.expression();
  }

  [[gnu::noinline]] void parse_write(Statement& s, Statement::Kind kind) {
    set(s, kind);
    tokens_.expect(":", "behind the kind of a write");
    s.place = parse_place();
    tokens_.expect(":=", "behind what is written");
    s.value = expressions_.expression();
  }

  [[gnu::noinline]] void parse_cas(Statement& s) {
    set(s, Statement::Kind::kCas);
    tokens_.expect("(", "behind 'cas'");
    s.place = parse_place();
    tokens_.expect(",", "behind what is compared");
    s.value = expressions_.expression();
    tokens_.expect(",", "behind the value to compare with");
    s.replacement = expressions_.expression();
    tokens_.expect(")", "at the end of 'cas'");
  }

  void parse_assume(Statement& s) {
    set(s, Statement::Kind::kAssume);
    tokens_.expect(":", "behind 'assume'");
    s.value = expressions_.condition();
  }

  [[gnu::noinline]] void parse_goto(Statement& s) {
    set(s, Statement::Kind::kGoto);
    s.target = tokens_.expect_name("a label");
  }

  void parse_if(Statement& s) {
    set(s, Statement::Kind::kIf);
    s.value = expressions_.condition();
    tokens_.expect("then", "behind the condition of 'if'");
    parse_branch(s);
    if (tokens_.accept("else")) parse_branch(s);
  }

  void parse_while(Statement& s) {
    set(s, Statement::Kind::kWhile);
    s.value = expressions_.condition();
    tokens_.expect("do", "behind the condition of 'while'");
    parse_branch(s);
  }

  void parse_branch(Statement& s) {
    const auto level = nesting_.enter(tokens_.here());
    s.branches.emplace_back().push_back(parse_statement());
  }

  // { statements or statements … }
  void parse_block(Statement& s, Statement::Kind kind) {
    set(s, kind);
    const SourcePosition open = tokens_.here();
    tokens_.expect("{", kind == Statement::Kind::kEither ? "behind 'either'" : "or 'write' behind 'locked'");
    do s.branches.push_back(parse_statements());
    while (kind != Statement::Kind::kSequence && tokens_.accept("or"));
    if (!tokens_.accept("}")) not_closed(open, kind);
  }

  [[noreturn, gnu::noinline]] void not_closed(SourcePosition open, Statement::Kind kind) {
    fail(tokens_.here(), fmt::format("expected {}'}}', found {}; the '{{' at {}:{} is still open",
                                     kind == Statement::Kind::kSequence ? "" : "'or' or ",
                                     describe(tokens_.peek()), open.line, open.column));
  }

  Place parse_place() {
    Place place{.position = tokens_.here()};
    if (tokens_.accept("[")) {
      place.kind = Place::Kind::kPointer;
      place.address = expressions_.expression();
      tokens_.expect("]", "behind an address");
      return place;
    }
    place.name = tokens_.expect_name("a variable");
    if (!tokens_.accept("[")) return place;
    if (tokens_.at(Token::Kind::kNumber)) {
      place.kind = Place::Kind::kOther;
      place.other = static_cast<std::size_t>(tokens_.expect_number("the number of another process"));
    } else {
      if (!tokens_.accept_name("my")) tokens_.fail_expected("'my' or the number of another process");
      place.kind = Place::Kind::kOwn;
    }
    tokens_.expect("]", "behind the process of a variable");
    return place;
  }

  TokenReader tokens_;
  ProgramSyntax syntax_;
  ExpressionParser expressions_;
  text::DeclaredNames labels_;
  text::Nesting nesting_{kMaximalNesting, "statements"};
};

}  // namespace

ProgramSyntax parse(FileId file, std::string_view text) { return Parser(file, text).parse(); }

}  // namespace weir::rmm
