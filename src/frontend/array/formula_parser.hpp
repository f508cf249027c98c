// Tokens with one of look-ahead, and the terms and formulas of array systems.
//
//   formula  = or [ ( "=>" | "<=>" ) formula ]
//   or       = and { "||" and }
//   and      = unary { "&&" unary }
//   unary    = "not" unary | "if" formula "then" formula "else" unary | "(" formula ")" | "true" | "false"
//            | ( "forall" | "exists" ) name { "<>" name } "." formula
//            | ( "forall_other" | "exists_other" ) name "." formula
//            | "fence" "(" [ name ] ")" | name "(" [ term { "," term } ] ")" | term comparison term
//   term     = [ "-" ] product { ( "+" | "-" ) product }
//   product  = atom { "*" atom }
//   atom     = NUMBER [ "/" NUMBER ] | process | [ process "@" ] NAME [ "[" process { "," process } "]" ]
//            | "(" term ")"
//   process  = name | "#1"
#pragma once

#include "frontend/array/lexer.hpp"
#include "frontend/array/syntax.hpp"

namespace weir::cub {

class TokenReader {
 public:
  TokenReader(FileId file, std::string_view text) : lexer_(file, text) {}

  // The first token is read by `start`, since it may be none.
  void start() { current_ = lexer_.next(); }

  const Token& peek() const { return current_; }
  bool at(std::string_view word) const { return current_.is(word); }
  bool at(Token::Kind kind) const { return current_.kind == kind; }

  Token take() {
    Token taken = current_;
    current_ = {.kind = Token::Kind::kSymbol, .position = taken.position};  // in case the lexer refuses
    current_ = lexer_.next();
    return taken;
  }
  bool accept(std::string_view word) {
    if (!at(word)) return false;
    take();
    return true;
  }
  // `where`: "behind the name of a type"
  Token expect(std::string_view word, std::string_view where);
  Name expect_name(Token::Kind kind, std::string_view what);
  Name take_name();
  [[noreturn]] void fail_expected(std::string_view what, std::string hint = {}) const;

  // At "(": do the parentheses hold a term? Then arithmetic or a comparison follows them, and only then.
  bool at_term_in_parentheses() const;

 private:
  Lexer lexer_;
  Token current_;
};

class FormulaParser {
 public:
  explicit FormulaParser(TokenReader& tokens) : tokens_(tokens) {}

  FormulaSyntax formula();
  TermSyntax term();
  AtomSyntax atom();

  void restart() { nesting_ = 0; }  // after a mistake, for the next declaration

 private:
  FormulaSyntax disjunction();
  FormulaSyntax conjunction();
  FormulaSyntax unary();
  FormulaSyntax primary();
  FormulaSyntax negation();
  FormulaSyntax conditional();
  FormulaSyntax quantified();
  FormulaSyntax comparison();
  FormulaSyntax comparison_from(TermSyntax left);
  FormulaSyntax call(Name name);
  TermSyntax term_from(ProductSyntax first, SourcePosition position);
  ProductSyntax product(bool negative);
  ProductSyntax product_from(bool negative, AtomSyntax first);
  AtomSyntax number();
  AtomSyntax nested();
  AtomSyntax symbol(std::optional<Name> viewer);
  AtomSyntax atom_from(Name process);
  Name process();
  void enter();

  TokenReader& tokens_;
  std::uint32_t nesting_ = 0;
};

}  // namespace weir::cub
