#include "program/array/assumptions.hpp"

#include <algorithm>

#include "program/array/walk.hpp"

namespace weir::array {

namespace {

bool is_written(const ArraySystem& system, SymbolId symbol) {
  return std::ranges::any_of(system.transitions, [&](const Transition& transition) {
    return std::ranges::any_of(transition.updates,
                               [&](const Update& update) { return update.symbol == symbol; });
  });
}

// The cube's parameter number i becomes the variable first + i; in initial states nobody's view differs from memory.
Formula at_the_beginning(Formula literal, std::uint32_t first) {
  const auto shift = [&](Process& process) {
    if (!process.constant) process.index += first;
  };
  const auto settle = [&](Access& access) {
    std::ranges::for_each(access.arguments, shift);
    access.viewer.reset();
  };
  for (Term& term : literal.terms) {
    if (term.kind == TermKind::kProcess) shift(term.process);
    if (term.kind == TermKind::kAccess) settle(term.access);
    for (Summand& summand : term.summands) settle(summand.access);
  }
  return literal;
}

}  // namespace

bool is_assumed(const ArraySystem& system, const Cube& cube) {
  bool names_cells = false, changes = false;
  for (const Formula& literal : cube.literals)
    for_each_access(literal, [&](const Access& access) {
      names_cells = true;
      changes = changes || is_written(system, access.symbol);
    });
  return names_cells && !changes;
}

void assume(ArraySystem& system, const Cube& cube) {
  const auto first = static_cast<std::uint32_t>(system.initial.parameters.size());
  Formula all{.kind = FormulaKind::kAnd, .position = cube.position};
  for (const Formula& literal : cube.literals) all.operands.push_back(at_the_beginning(literal, first));
  Formula claim{.kind = FormulaKind::kNot, .position = cube.position};
  claim.operands.push_back(std::move(all));
  for (auto i = static_cast<std::uint32_t>(cube.parameters.size()); i-- > 0;) {
    Formula outer{.kind = FormulaKind::kForAll, .bound = first + i, .position = cube.position};
    for (std::uint32_t before = 0; before < i; ++before) outer.others.push_back({.index = first + before});
    outer.operands.push_back(std::move(claim));
    claim = std::move(outer);
  }
  Formula both{.kind = FormulaKind::kAnd, .position = system.initial.formula.position};
  both.operands.push_back(std::move(system.initial.formula));
  both.operands.push_back(std::move(claim));
  system.initial.formula = std::move(both);
}

}  // namespace weir::array
