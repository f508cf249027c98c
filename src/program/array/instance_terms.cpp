// Comparisons whose sides are constants are decided, and connectives drop what is decided.
#include "program/array/instance_terms.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace weir::array {

namespace {

bool is_constant(const Program& program, ExprId id) { return program.expression(id).op == ExprOp::kConstant; }

bool decided(Comparison comparison, Value left, Value right) {
  switch (comparison) {
    case Comparison::kEqual: return left == right;
    case Comparison::kDifferent: return left != right;
    case Comparison::kLess: return left < right;
    case Comparison::kLessEqual: return left <= right;
  }
  WEIR_CHECK(false, "no such comparison");
  return false;
}

ExprOp operator_of(Comparison comparison) {
  switch (comparison) {
    case Comparison::kEqual: return ExprOp::kEq;
    case Comparison::kDifferent: return ExprOp::kNe;
    case Comparison::kLess: return ExprOp::kLt;
    case Comparison::kLessEqual: return ExprOp::kLe;
  }
  WEIR_CHECK(false, "no such comparison");
  return ExprOp::kEq;
}

void extend_choice(std::uint32_t processes, std::size_t count, InstanceTerms::Processes& chosen,
                   const std::function<void(const InstanceTerms::Processes&)>& visit) {
  if (chosen.size() == count) {
    visit(chosen);
    return;
  }
  for (std::uint32_t process = 0; process < processes; ++process) {
    if (std::ranges::find(chosen, process) != chosen.end()) continue;
    chosen.push_back(process);
    extend_choice(processes, count, chosen, visit);
    chosen.pop_back();
  }
}

}  // namespace

void for_each_choice(std::uint32_t processes, std::size_t count,
                     const std::function<void(const InstanceTerms::Processes&)>& visit) {
  InstanceTerms::Processes chosen;
  extend_choice(processes, count, chosen, visit);
}

InstanceTerms::Processes InstanceTerms::resolve(const std::vector<Process>& named,
                                                const Processes& bound) const {
  Processes found;
  for (const Process& one : named) found.push_back(one.constant ? one.index : bound.at(one.index));
  for (const std::uint32_t process : found) WEIR_CHECK(process < processes_, "no such process");
  return found;
}

InstanceTerms::Processes InstanceTerms::extended(Processes bound, std::uint32_t variable,
                                                 std::uint32_t process) {
  if (bound.size() <= variable) bound.resize(variable + 1);
  bound[variable] = process;
  return bound;
}

ExprId InstanceTerms::value(const Term& term, const Processes& bound, const Leaf& leaf) const {
  const auto cell = [&](const Access& access) {
    const std::optional<std::uint32_t> viewer =
        access.viewer ? std::optional(resolve({*access.viewer}, bound)[0]) : std::nullopt;
    return leaf(access.symbol, resolve(access.arguments, bound), viewer);
  };
  switch (term.kind) {
    case TermKind::kProcess: return program_.constant(resolve({term.process}, bound)[0]);
    case TermKind::kConstructor: return program_.constant(term.constructor);
    case TermKind::kAccess: return cell(term.access);
    case TermKind::kSum: break;
  }
  std::optional<ExprId> total;
  const auto add = [&](ExprId part) { total = total ? program_.binary(ExprOp::kAdd, *total, part) : part; };
  for (const Summand& summand : term.summands) {
    const ExprId factor = program_.constant(summand.factor.numerator);
    const ExprId one = cell(summand.access);
    add(summand.factor.numerator == 1 ? one : program_.binary(ExprOp::kMul, factor, one));
  }
  if (!total || term.number.numerator != 0) add(program_.constant(term.number.numerator));
  return *total;
}

Condition InstanceTerms::comparison(const Formula& formula, const Processes& bound, const Leaf& leaf) const {
  const ExprId left = value(formula.terms.at(0), bound, leaf);
  const ExprId right = value(formula.terms.at(1), bound, leaf);
  if (is_constant(program_, left) && is_constant(program_, right))
    return {.known = decided(formula.comparison, program_.expression(left).constant,
                             program_.expression(right).constant)};
  return {.expression = program_.binary(operator_of(formula.comparison), left, right)};
}

Condition InstanceTerms::condition(const Formula& formula, const Processes& bound, const Leaf& leaf,
                                   bool fence) const {
  const bool conjunction = formula.kind == FormulaKind::kAnd || formula.kind == FormulaKind::kForAll;
  Condition result{.known = conjunction};
  const auto add = [&](const Condition& one) {
    result = conjunction ? both(result, one) : either(result, one);
  };
  switch (formula.kind) {
    case FormulaKind::kTrue: return {.known = true};
    case FormulaKind::kFalse: return {.known = false};
    case FormulaKind::kCompare: return comparison(formula, bound, leaf);
    case FormulaKind::kFence: return {.known = fence};
    case FormulaKind::kNot: return negation(condition(formula.operands.at(0), bound, leaf, fence));
    case FormulaKind::kAnd:
    case FormulaKind::kOr:
      for (const Formula& operand : formula.operands) add(condition(operand, bound, leaf, fence));
      return result;
    case FormulaKind::kForAll:
    case FormulaKind::kExists: break;
  }
  const Processes others = resolve(formula.others, bound);
  for (std::uint32_t process = 0; process < processes_; ++process)
    if (std::ranges::find(others, process) == others.end())
      add(condition(formula.operands.at(0), extended(bound, formula.bound, process), leaf, fence));
  return result;
}

Condition InstanceTerms::negation(const Condition& condition) const {
  if (condition.known) return {.known = !*condition.known};
  return {.expression = program_.unary(ExprOp::kLogicalNot, condition.expression)};
}

Condition InstanceTerms::both(const Condition& one, const Condition& other) const {
  if (one.never() || other.never()) return {.known = false};
  if (one.always()) return other;
  if (other.always()) return one;
  return {.expression = program_.binary(ExprOp::kLogicalAnd, one.expression, other.expression)};
}

Condition InstanceTerms::either(const Condition& one, const Condition& other) const {
  if (one.always() || other.always()) return {.known = true};
  if (one.never()) return other;
  if (other.never()) return one;
  return {.expression = program_.binary(ExprOp::kLogicalOr, one.expression, other.expression)};
}

ExprId InstanceTerms::expression(const Condition& condition) const {
  return condition.known ? program_.constant(*condition.known ? 1 : 0) : condition.expression;
}

}  // namespace weir::array
