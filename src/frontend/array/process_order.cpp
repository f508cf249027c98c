#include "frontend/array/process_order.hpp"

namespace weir::cub {

using array::Formula;
using array::FormulaKind;
using array::Process;

Formula ProcessOrder::compare(Process left, Comparison comparison, Process right, SourcePosition position) {
  if (!rank_) {
    rank_ = SymbolId(system_.symbols.size());
    position_ = position;
    std::string name = "Rank";
    while (!names_.is_free(name)) name += "_";
    system_.symbols.push_back(
        {.name = name, .sort = kIntegerSort, .dimensions = 1, .constant = true, .position = position});
  }
  Formula result = ranks(left, comparison, right);
  result.position = position;
  return result;
}

Formula ProcessOrder::ranks(Process left, Comparison comparison, Process right) const {
  Formula result{.kind = FormulaKind::kCompare, .comparison = comparison, .position = position_};
  for (const Process side : {left, right})
    result.terms.push_back({.kind = array::TermKind::kSum,
                            .sort = kIntegerSort,
                            .summands = {{{1, 1}, {.symbol = rank_, .arguments = {side}}}},
                            .position = position_});
  return result;
}

std::vector<Formula> ProcessOrder::axioms() const {
  const auto first = static_cast<std::uint32_t>(system_.initial.parameters.size());
  const Process x{.index = first}, y{.index = first + 1};
  Formula inner{.kind = FormulaKind::kForAll, .bound = y.index, .others = {x}, .position = position_};
  inner.operands.push_back(ranks(x, Comparison::kDifferent, y));
  Formula outer{.kind = FormulaKind::kForAll, .bound = x.index, .position = position_};
  outer.operands.push_back(std::move(inner));
  std::vector<Formula> result;
  result.push_back(std::move(outer));
  for (std::uint32_t i = 1; i < system_.number_of_processes.value_or(0); ++i)
    result.push_back(
        ranks({.constant = true, .index = i - 1}, Comparison::kLess, {.constant = true, .index = i}));
  return result;
}

void ProcessOrder::finish() {
  if (!rank_) return;
  Formula both{.kind = FormulaKind::kAnd, .position = system_.initial.formula.position};
  both.operands.push_back(std::move(system_.initial.formula));
  for (Formula& axiom : axioms()) both.operands.push_back(std::move(axiom));
  system_.initial.formula = std::move(both);
}

}  // namespace weir::cub
