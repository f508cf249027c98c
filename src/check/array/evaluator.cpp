// Formulas have three values (Kleene's logic): a conjunction with a false part is false whatever is not known
// about the others.
#include "check/array/evaluator.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "check/array/number.hpp"

namespace weir::array {

namespace {

bool compared(Comparison comparison, std::strong_ordering order) {
  switch (comparison) {
    case Comparison::kEqual: return order == 0;
    case Comparison::kDifferent: return order != 0;
    case Comparison::kLess: return order < 0;
    case Comparison::kLessEqual: return order <= 0;
  }
  WEIR_CHECK(false, "no such comparison");
  return false;
}

bool every_extension(std::uint32_t processes, std::size_t count, std::vector<std::uint32_t>& chosen,
                     const std::function<bool(const std::vector<std::uint32_t>&)>& visit) {
  if (chosen.size() == count) return visit(chosen);
  for (std::uint32_t process = 0; process < processes; ++process) {
    if (std::ranges::find(chosen, process) != chosen.end()) continue;
    chosen.push_back(process);
    const bool go_on = every_extension(processes, count, chosen, visit);
    chosen.pop_back();
    if (!go_on) return false;
  }
  return true;
}

}  // namespace

bool every_choice(std::uint32_t processes, std::size_t count,
                  const std::function<bool(const std::vector<std::uint32_t>&)>& visit) {
  std::vector<std::uint32_t> chosen;
  return every_extension(processes, count, chosen, visit);
}

std::optional<bool> ArrayEvaluator::holds(const Formula& formula, const Environment& environment,
                                          const Outlook& outlook) const {
  switch (formula.kind) {
    case FormulaKind::kTrue: return true;
    case FormulaKind::kFalse: return false;
    case FormulaKind::kCompare: return compare(formula, environment, outlook);
    case FormulaKind::kFence: return outlook.fence;
    case FormulaKind::kNot: {
      const std::optional<bool> operand = holds(formula.operands.at(0), environment, outlook);
      return operand ? std::optional(!*operand) : std::nullopt;
    }
    case FormulaKind::kAnd: return combine(formula, environment, outlook, false);
    case FormulaKind::kOr: return combine(formula, environment, outlook, true);
    case FormulaKind::kForAll: return quantify(formula, environment, outlook, false);
    case FormulaKind::kExists: return quantify(formula, environment, outlook, true);
  }
  WEIR_CHECK(false, "no such formula");
  return std::nullopt;
}

std::optional<bool> ArrayEvaluator::compare(const Formula& formula, const Environment& environment,
                                            const Outlook& outlook) const {
  const std::optional<Rational> left = value(formula.terms.at(0), environment, outlook);
  const std::optional<Rational> right = value(formula.terms.at(1), environment, outlook);
  if (!left || !right) return std::nullopt;
  return compared(formula.comparison, array::compare(*left, *right));
}

// One operand with the value `decisive` decides.
std::optional<bool> ArrayEvaluator::combine(const Formula& formula, const Environment& environment,
                                            const Outlook& outlook, bool decisive) const {
  bool known = true;
  for (const Formula& operand : formula.operands) {
    const std::optional<bool> one = holds(operand, environment, outlook);
    if (one == decisive) return decisive;
    known = known && one;
  }
  return known ? std::optional(!decisive) : std::nullopt;
}

std::optional<bool> ArrayEvaluator::quantify(const Formula& formula, Environment environment,
                                             const Outlook& outlook, bool decisive) const {
  const std::vector<std::uint32_t> others = processes(formula.others, environment);
  if (environment.size() <= formula.bound) environment.resize(formula.bound + 1);
  bool known = true;
  for (std::uint32_t process = 0; process < processes_; ++process) {
    if (std::ranges::find(others, process) != others.end()) continue;
    environment[formula.bound] = process;
    const std::optional<bool> one = holds(formula.operands.at(0), environment, outlook);
    if (one == decisive) return decisive;
    known = known && one;
  }
  return known ? std::optional(!decisive) : std::nullopt;
}

std::optional<Rational> ArrayEvaluator::value(const Term& term, const Environment& environment,
                                              const Outlook& outlook) const {
  switch (term.kind) {
    case TermKind::kProcess: return whole(process(term.process, environment));
    case TermKind::kConstructor: return whole(term.constructor);
    case TermKind::kAccess: return value(term.access, environment, outlook);
    case TermKind::kSum: break;
  }
  std::optional<Rational> total = term.number;
  for (const Summand& summand : term.summands) {
    const std::optional<Rational> one = value(summand.access, environment, outlook);
    const std::optional<Rational> weighted = one ? product(summand.factor, *one) : std::nullopt;
    total = total && weighted ? sum(*total, *weighted) : std::nullopt;
  }
  return total;
}

std::optional<Rational> ArrayEvaluator::value(const Access& access, const Environment& environment,
                                              const Outlook& outlook) const {
  const std::optional<std::uint32_t> viewer =
      access.viewer ? std::optional(process(*access.viewer, environment)) : std::nullopt;
  return outlook.value(cell(access, environment), viewer);
}

std::uint32_t ArrayEvaluator::process(const Process& named, const Environment& environment) const {
  const std::uint32_t process = named.constant ? named.index : environment.at(named.index);
  WEIR_CHECK(process < processes_, "no such process");
  return process;
}

std::vector<std::uint32_t> ArrayEvaluator::processes(const std::vector<Process>& named,
                                                     const Environment& environment) const {
  std::vector<std::uint32_t> found;
  for (const Process& one : named) found.push_back(process(one, environment));
  return found;
}

std::size_t ArrayEvaluator::cell(const Access& access, const Environment& environment) const {
  return cells_.number(access.symbol, processes(access.arguments, environment));
}

}  // namespace weir::array
