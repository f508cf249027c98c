// The terms and formulas of array systems.
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
#include "frontend/text/nesting.hpp"

namespace weir::cub {

class FormulaParser {
 public:
  explicit FormulaParser(TokenReader& tokens) : tokens_(tokens) {}

  FormulaSyntax formula();
  TermSyntax term();
  AtomSyntax atom();

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

  TokenReader& tokens_;
  text::Nesting nesting_{kMaximalNesting};
};

}  // namespace weir::cub
