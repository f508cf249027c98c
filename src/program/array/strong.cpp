#include "program/array/strong.hpp"

namespace weir::array {

namespace {

void strengthen(Formula& formula) {
  if (formula.kind == FormulaKind::kFence) formula.kind = FormulaKind::kTrue;
  for (Term& term : formula.terms) {
    term.access.viewer.reset();
    for (Summand& summand : term.summands) summand.access.viewer.reset();
  }
  for (Formula& operand : formula.operands) strengthen(operand);
}

}  // namespace

ArraySystem without_buffers(ArraySystem system) {
  for (Symbol& symbol : system.symbols) symbol.weak = false;
  for (auto* cubes : {&system.unsafe, &system.invariants})
    for (Cube& cube : *cubes)
      for (Formula& literal : cube.literals) strengthen(literal);
  for (Transition& transition : system.transitions) {
    strengthen(transition.guard);
    for (Update& update : transition.updates)
      for (UpdateCase& one : update.cases) strengthen(one.guard);
  }
  return system;
}

}  // namespace weir::array
