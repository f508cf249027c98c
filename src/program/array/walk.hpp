// Walking through formulas of array systems.
#pragma once

#include "program/array/system.hpp"

namespace weir::array {

// Calls visit(term) for every term of the formula.
template <class Visit>
void for_each_term(const Formula& formula, Visit&& visit) {
  for (const Term& term : formula.terms) visit(term);
  for (const Formula& operand : formula.operands) for_each_term(operand, visit);
}

// Calls visit(access) for every access of the term, or of the formula.
template <class Visit>
void for_each_access(const Term& term, Visit&& visit) {
  if (term.kind == TermKind::kAccess) visit(term.access);
  if (term.kind == TermKind::kSum)
    for (const Summand& summand : term.summands) visit(summand.access);
}

template <class Visit>
void for_each_access(const Formula& formula, Visit&& visit) {
  for_each_term(formula, [&](const Term& term) { for_each_access(term, visit); });
}

// Calls visit(formula) for every formula of the system.
template <class Visit>
void for_each_formula(const ArraySystem& system, Visit&& visit) {
  visit(system.initial.formula);
  for (const Cube& cube : system.unsafe)
    for (const Formula& literal : cube.literals) visit(literal);
  for (const Cube& cube : system.invariants)
    for (const Formula& literal : cube.literals) visit(literal);
  for (const Transition& transition : system.transitions) {
    visit(transition.guard);
    for (const Update& update : transition.updates)
      for (const UpdateCase& one : update.cases) visit(one.guard);
  }
}

// Calls visit(term) for every term of the system: those of its formulas, and the values of updates.
template <class Visit>
void for_each_term(const ArraySystem& system, Visit&& visit) {
  for_each_formula(system, [&](const Formula& formula) { for_each_term(formula, visit); });
  for (const Transition& transition : system.transitions)
    for (const Update& update : transition.updates)
      for (const UpdateCase& one : update.cases)
        if (one.value) visit(*one.value);
}

}  // namespace weir::array
