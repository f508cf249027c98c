// Formulas with their names looked up, predicates expanded, and =>, <=> and if-then-else rewritten.
#pragma once

#include "frontend/array/process_order.hpp"
#include "frontend/array/term_resolver.hpp"
#include "frontend/text/nesting.hpp"

namespace weir::cub {

using array::Formula;

class FormulaResolver {
 public:
  FormulaResolver(TermResolver& terms, ProcessOrder& order) : terms_(terms), order_(order) {}

  // `fences`: is this the guard of a transition, where fence() may stand?
  Formula formula(const FormulaSyntax& syntax, bool fences = false);

 private:
  Formula resolved(const FormulaSyntax& syntax);
  Formula compare(const FormulaSyntax& syntax);
  Formula fence(const FormulaSyntax& syntax);
  Formula call(const FormulaSyntax& syntax);
  Formula quantified(const FormulaSyntax& syntax);
  Formula quantified_from(const FormulaSyntax& syntax, std::size_t first, std::vector<Process> others);
  std::vector<Formula> operands(const FormulaSyntax& syntax);
  Formula copied(const Formula& formula);
  void charge(std::size_t size, SourcePosition position);

  TermResolver& terms_;
  ProcessOrder& order_;
  bool fences_ = false;
  text::Nesting nesting_{kMaximalNesting};
  std::size_t size_ = 0;
  std::size_t visible_predicates_ = static_cast<std::size_t>(-1);
};

}  // namespace weir::cub
