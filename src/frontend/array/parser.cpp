// A recursive-descent parser for array systems, one function per declaration. A mistake ends its declaration;
// reading goes on at the next word that can only start one. Nesting is bounded, so that no input can exhaust
// the stack.
//
//   file       = { declaration }                                    in any order
//   declaration = "number_procs" NUMBER
//              | "type" name [ "=" [ "|" ] NAME { "|" NAME } ]
//              | [ "weak" ] "var" NAME ":" name
//              | [ "weak" ] "array" NAME "[" "proc" { "," "proc" } "]" ":" name
//              | "const" NAME [ "[" "proc" { "," "proc" } "]" ] ":" name
//              | "predicate" name "(" [ name { "," name } ] ")" "{" formula "}"
//              | ( "init" | "unsafe" | "invariant" ) [ name ] [ "(" { name } ")" ] "{" formula "}"
//              | "transition" name "(" { name | "[" name "]" } ")" [ "requires" "{" formula "}" ]
//                [ "{" { "let" name "=" term "in" } [ update { ";" update } ] "}" ]
//   update     = [ process "@" ] NAME [ "[" process { "," process } "]" ] ":=" ( value | "case" { case } )
//   case       = "|" ( formula | "_" ) ":" value
//   value      = term | "." | "?"
#include <algorithm>
#include <fmt/format.h>

#include "frontend/array/formula_parser.hpp"
#include "frontend/array/rational.hpp"

namespace weir::cub {

namespace {

constexpr std::int64_t kMostProcesses = 1000;

constexpr std::string_view kStarts[] = {"number_procs", "type", "var",    "array",     "const",
                                        "predicate",    "init", "unsafe", "invariant", "transition"};

class Parser {
 public:
  Parser(FileId file, std::string_view text, std::vector<Diagnostic>& diagnostics)
      : diagnostics_(diagnostics), tokens_(file, text), formulas_(tokens_) {}

  SystemSyntax parse() {
    guarded([&] { tokens_.start(); });
    while (!tokens_.at_end() && diagnostics_.size() < kMostDiagnostics) guarded([&] { parse_declaration(); });
    syntax_.end = tokens_.here();
    return std::move(syntax_);
  }

 private:
  // Does `work`; after a mistake, goes on to where a declaration starts.
  template <class Work>
  void guarded(const Work& work) {
    try {
      work();
    } catch (SyntaxError& error) {
      diagnostics_.push_back(std::move(error.diagnostic));
      recover();
    }
  }

  void recover() {
    for (bool done = false; !done;) {
      try {
        while (!tokens_.at_end() && !at_start()) tokens_.take();
        done = true;
      } catch (const SyntaxError&) {
        // What the lexer refuses inside of a broken declaration is not worth another message.
      }
    }
  }

  bool at_start() const {
    return tokens_.at(Token::Kind::kKeyword) &&
           std::ranges::find(kStarts, tokens_.peek().text) != std::end(kStarts);
  }

  void parse_declaration() {
    const Token word = tokens_.peek();
    if (tokens_.accept_name("weak")) return parse_symbol(true);
    if (!at_start())
      tokens_.fail_expected("a declaration",
                            "declarations start with type, var, array, const, weak, predicate, init, unsafe, "
                            "invariant or transition");
    if (word.is("var") || word.is("array") || word.is("const")) return parse_symbol(false);
    tokens_.take();
    if (word.is("number_procs")) return parse_number_of_processes();
    if (word.is("type")) return parse_type();
    if (word.is("predicate")) return parse_predicate();
    if (word.is("transition")) return parse_transition();
    auto& list = word.is("init") ? syntax_.initials : word.is("unsafe") ? syntax_.unsafe : syntax_.invariants;
    list.push_back(parse_property(word.position));
  }

  // Declarations of names.

  void parse_number_of_processes() {
    const Name number = tokens_.expect_name(Token::Kind::kNumber, "the number of processes");
    const std::optional<Rational> value = parse_number(number.text);
    if (!value || value->denominator != 1 || value->numerator < 1 || value->numerator > kMostProcesses)
      fail(number.position, fmt::format("the number of processes is 1 to {}", kMostProcesses));
    if (syntax_.number_of_processes) fail(number.position, "a second 'number_procs'");
    syntax_.number_of_processes = static_cast<std::uint32_t>(value->numerator);
  }

  void parse_type() {
    TypeSyntax type{.name = tokens_.expect_name(Token::Kind::kName, "the name of a type")};
    if (tokens_.accept("=")) {
      type.enumeration = true;
      tokens_.accept("|");
      do type.constructors.push_back(tokens_.expect_name(Token::Kind::kCapital, "a constructor"));
      while (tokens_.accept("|"));
    }
    syntax_.types.push_back(std::move(type));
  }

  void parse_symbol(bool weak) {
    const Token word = tokens_.peek();
    if (!word.is("var") && !word.is("array") && !(word.is("const") && !weak))
      tokens_.fail_expected("'var' or 'array' behind 'weak'",
                            word.is("const") ? "a constant is never written, so it cannot be weak" : "");
    tokens_.take();
    SymbolSyntax symbol{.name = tokens_.expect_name(Token::Kind::kCapital, "the name of a variable or array"),
                        .weak = weak,
                        .constant = word.is("const")};
    if (word.is("array") && !tokens_.at("[")) tokens_.fail_expected("'[proc]' behind the name of an array");
    if (word.is("var") && tokens_.at("["))
      tokens_.fail_expected("':' behind the name of a variable", "cells are declared by 'array A[proc] : …'");
    if (tokens_.accept("[")) {
      do parse_dimension(symbol);
      while (tokens_.accept(","));
      tokens_.expect("]", "behind the dimensions of an array");
    }
    tokens_.expect(":", "and a type");
    symbol.sort = tokens_.expect_name(Token::Kind::kName, "a type");
    syntax_.symbols.push_back(std::move(symbol));
  }

  void parse_dimension(SymbolSyntax& symbol) {
    const Name index = tokens_.expect_name(Token::Kind::kName, "'proc'");
    if (index.text != "proc")
      fail(index.position, fmt::format("an array cannot be indexed by '{}'", shortened(index.text)),
           "arrays have one cell for each process: array A[proc] : …");
    ++symbol.dimensions;
  }

  void parse_predicate() {
    PredicateSyntax predicate{.name = tokens_.expect_name(Token::Kind::kName, "the name of a predicate")};
    if (predicate.name.text == "fence") fail(predicate.name.position, "a predicate cannot be named 'fence'");
    tokens_.expect("(", "behind the name of a predicate");
    if (!tokens_.at(")")) {
      do predicate.parameters.push_back(tokens_.expect_name(Token::Kind::kName, "a parameter"));
      while (tokens_.accept(","));
    }
    tokens_.expect(")", "behind the parameters");
    predicate.body = parse_block("of a predicate");
    syntax_.predicates.push_back(std::move(predicate));
  }

  FormulaSyntax parse_block(std::string_view what) {
    tokens_.expect("{", fmt::format("before the formula {}", what));
    FormulaSyntax formula = formulas_.formula();
    tokens_.expect("}", fmt::format("behind the formula {}", what));
    return formula;
  }

  // Properties and transitions.

  PropertySyntax parse_property(SourcePosition position) {
    PropertySyntax property{.position = position};
    if (tokens_.at(Token::Kind::kName) || tokens_.at(Token::Kind::kCapital))
      property.name = tokens_.take().name().text;
    if (tokens_.accept("(")) {
      while (!tokens_.at(")"))
        property.parameters.push_back(tokens_.expect_name(Token::Kind::kName, "a process or ')'"));
      tokens_.take();
    }
    property.formula = parse_block("of a declaration");
    return property;
  }

  void parse_transition() {
    TransitionSyntax transition;
    if (!tokens_.at(Token::Kind::kName) && !tokens_.at(Token::Kind::kCapital))
      tokens_.fail_expected("the name of a transition");
    transition.name = tokens_.take().name();
    tokens_.expect("(", "and the processes of the transition");
    while (!tokens_.at(")")) parse_parameter(transition);
    tokens_.take();
    transition.guard.position = tokens_.here();
    if (tokens_.accept_name("require") || tokens_.accept("requires"))
      transition.guard = parse_block("of a guard");
    if (tokens_.accept("{")) parse_updates(transition);
    syntax_.transitions.push_back(std::move(transition));
  }

  void parse_parameter(TransitionSyntax& transition) {
    if (tokens_.at("[")) {
      const SourcePosition position = tokens_.take().position;
      if (transition.performer)
        fail(position, "a second performing process",
             "one process performs the weak reads and writes of a transition");
      transition.performer = static_cast<std::uint32_t>(transition.parameters.size());
      transition.parameters.push_back(tokens_.expect_name(Token::Kind::kName, "the performing process"));
      tokens_.expect("]", "behind the performing process");
    } else {
      transition.parameters.push_back(tokens_.expect_name(Token::Kind::kName, "a process or ')'"));
    }
  }

  void parse_updates(TransitionSyntax& transition) {
    while (tokens_.accept("let")) {
      LetSyntax let{.name = tokens_.expect_name(Token::Kind::kName, "a name behind 'let'")};
      tokens_.expect("=", "behind the name of 'let'");
      let.value = formulas_.term();
      tokens_.expect("in", "behind the term of 'let'");
      transition.lets.push_back(std::move(let));
    }
    while (!tokens_.accept("}")) {
      if (!tokens_.at(";")) transition.updates.push_back(parse_update());
      if (!tokens_.accept(";") && !tokens_.at("}")) tokens_.fail_expected("';' or '}' behind an update");
    }
  }

  UpdateSyntax parse_update() {
    UpdateSyntax update;
    update.target = formulas_.atom();
    if (update.target.kind != AtomSyntax::Kind::kSymbol)
      fail(update.target.name.position, "only variables and cells of arrays can be changed",
           "an update is X := t or A[p] := t");
    if (tokens_.at("="))
      tokens_.fail_expected("':=' behind what is changed", "'=' compares; ':=' changes a variable");
    tokens_.expect(":=", "behind what is changed");
    update.by_case = tokens_.accept("case");
    if (!update.by_case) {
      update.cases.push_back({.value = parse_value()});
      return update;
    }
    if (!tokens_.at("|")) tokens_.fail_expected("'|' and the first case");
    bool last = false;
    while (!last && tokens_.accept("|")) {
      CaseSyntax& added = update.cases.emplace_back();
      last = tokens_.accept("_");
      if (!last) added.guard = formulas_.formula();
      tokens_.expect(":", "behind the guard of a case");
      added.value = parse_value();
    }
    if (tokens_.at("|")) fail(tokens_.here(), "a case behind '_', which is the last");
    return update;
  }

  std::optional<TermSyntax> parse_value() {
    if (tokens_.accept(".") || tokens_.accept("?")) return std::nullopt;
    return formulas_.term();
  }

  std::vector<Diagnostic>& diagnostics_;
  TokenReader tokens_;
  FormulaParser formulas_;
  SystemSyntax syntax_;
};

}  // namespace

SystemSyntax parse(FileId file, std::string_view text, std::vector<Diagnostic>& diagnostics) {
  return Parser(file, text, diagnostics).parse();
}

}  // namespace weir::cub
