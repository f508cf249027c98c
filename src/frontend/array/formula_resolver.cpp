// Rewriting `<=>` and `if` mentions operands twice, and a predicate may mention others several times: so the
// size of a formula is bounded here, and its depth again.
#include "frontend/array/formula_resolver.hpp"

#include <fmt/format.h>

namespace weir::cub {

namespace {

using array::FormulaKind;
using Kind = FormulaSyntax::Kind;

constexpr std::size_t kMaximalSize = 20'000;

Formula joined(FormulaKind kind, SourcePosition position, std::vector<Formula> operands) {
  return {.kind = kind, .operands = std::move(operands), .position = position};
}

std::vector<Formula> pair(Formula first, Formula second) {
  std::vector<Formula> result;
  result.push_back(std::move(first));
  result.push_back(std::move(second));
  return result;
}

Formula negated(Formula formula) {
  const SourcePosition position = formula.position;
  std::vector<Formula> operands;
  operands.push_back(std::move(formula));
  return joined(FormulaKind::kNot, position, std::move(operands));
}

Formula either(Formula first, Formula second) {
  const SourcePosition position = first.position;
  return joined(FormulaKind::kOr, position, pair(std::move(first), std::move(second)));
}

std::size_t size(const Formula& formula) {
  std::size_t result = 1;
  for (const Formula& operand : formula.operands) result += size(operand);
  return result;
}

}  // namespace

Formula FormulaResolver::formula(const FormulaSyntax& syntax, bool fences) {
  fences_ = fences;
  size_ = 0;
  return resolved(syntax);
}

void FormulaResolver::charge(std::size_t added, SourcePosition position) {
  size_ += added;
  if (size_ > kMaximalSize)
    fail(position, fmt::format("this formula grows too large without predicates, <=> and if; the limit is {}",
                               kMaximalSize));
}

Formula FormulaResolver::copied(const Formula& formula) {
  charge(size(formula), formula.position);
  return formula;
}

std::vector<Formula> FormulaResolver::operands(const FormulaSyntax& syntax) {
  std::vector<Formula> result;
  for (const FormulaSyntax& operand : syntax.operands) result.push_back(resolved(operand));
  return result;
}

Formula FormulaResolver::resolved(const FormulaSyntax& syntax) {
  charge(1, syntax.position);
  const auto level = nesting_.enter(syntax.position);
  Formula result{.position = syntax.position};
  switch (syntax.kind) {
    case Kind::kTrue: result.kind = FormulaKind::kTrue; break;
    case Kind::kFalse: result.kind = FormulaKind::kFalse; break;
    case Kind::kCompare: result = compare(syntax); break;
    case Kind::kFence: result = fence(syntax); break;
    case Kind::kCall: result = call(syntax); break;
    case Kind::kNot: result = joined(FormulaKind::kNot, syntax.position, operands(syntax)); break;
    case Kind::kAnd: result = joined(FormulaKind::kAnd, syntax.position, operands(syntax)); break;
    case Kind::kOr: result = joined(FormulaKind::kOr, syntax.position, operands(syntax)); break;
    case Kind::kForAll:
    case Kind::kExists: result = quantified(syntax); break;
    case Kind::kImplies: {
      std::vector<Formula> sides = operands(syntax);
      result = either(negated(std::move(sides[0])), std::move(sides[1]));
      break;
    }
    case Kind::kEquivalent: {
      std::vector<Formula> sides = operands(syntax);
      Formula forth = either(negated(copied(sides[0])), copied(sides[1]));
      Formula back = either(std::move(sides[0]), negated(std::move(sides[1])));
      result = joined(FormulaKind::kAnd, syntax.position, pair(std::move(forth), std::move(back)));
      break;
    }
    case Kind::kIf: {
      std::vector<Formula> parts = operands(syntax);
      Formula if_so = either(negated(copied(parts[0])), std::move(parts[1]));
      Formula if_not = either(std::move(parts[0]), std::move(parts[2]));
      result = joined(FormulaKind::kAnd, syntax.position, pair(std::move(if_so), std::move(if_not)));
      break;
    }
  }
  return result;
}

Formula FormulaResolver::compare(const FormulaSyntax& syntax) {
  Formula result{.kind = FormulaKind::kCompare, .comparison = syntax.comparison, .position = syntax.position};
  Term left = terms_.term(syntax.terms[0]), right = terms_.term(syntax.terms[1]);
  terms_.unify(left, right);
  const bool ordered = syntax.comparison == Comparison::kLess || syntax.comparison == Comparison::kLessEqual;
  if (ordered && left.kind == array::TermKind::kProcess && right.kind == array::TermKind::kProcess)
    return order_.compare(left.process, syntax.comparison, right.process, syntax.position);
  if (ordered && left.sort != kIntegerSort && left.sort != kRealSort)
    fail(syntax.position, "only numbers can be compared by < and <=",
         left.sort == kProcessSort
             ? "and processes, but only where both have a name: add a parameter p with X = p"
             : "use = or <>");
  result.terms.push_back(std::move(left));
  result.terms.push_back(std::move(right));
  return result;
}

Formula FormulaResolver::fence(const FormulaSyntax& syntax) {
  if (!fences_)
    fail(syntax.position, "fence() outside of the guard of a transition",
         "it waits for the buffer of the performing process to be empty");
  if (!syntax.names.empty()) terms_.need_performer_is(syntax.names[0]);
  terms_.need_performer(syntax.position, "fence()");
  return {.kind = FormulaKind::kFence, .position = syntax.position};
}

Formula FormulaResolver::call(const FormulaSyntax& syntax) {
  const auto [predicate, number] = terms_.names().predicate(syntax.names[0], visible_predicates_);
  if (predicate->parameters.size() != syntax.terms.size())
    fail(syntax.position,
         fmt::format("predicate '{}' has {} parameter{}, but {} given here", shortened(predicate->name.text),
                     predicate->parameters.size(), predicate->parameters.size() == 1 ? "" : "s",
                     syntax.terms.size() == 1 ? "1 argument is"
                                              : fmt::format("{} arguments are", syntax.terms.size())));
  std::vector<Term> arguments;
  for (const TermSyntax& argument : syntax.terms) arguments.push_back(terms_.term(argument));
  const TermResolver::Mark mark = terms_.mark();
  const std::size_t visible = std::exchange(visible_predicates_, number);
  terms_.hide();
  for (std::size_t i = 0; i < arguments.size(); ++i)
    terms_.bind(predicate->parameters[i], std::move(arguments[i]));
  Formula result = resolved(predicate->body);
  terms_.release(mark);
  visible_predicates_ = visible;
  return result;
}

Formula FormulaResolver::quantified(const FormulaSyntax& syntax) {
  std::vector<Process> others;
  for (std::uint32_t i = 0; syntax.others && i < terms_.parameters(); ++i) others.push_back({.index = i});
  const TermResolver::Mark mark = terms_.mark();
  Formula result = quantified_from(syntax, 0, std::move(others));
  terms_.release(mark);
  return result;
}

// `forall p <> q <> r` is three quantifiers, each over what differs from those before it.
Formula FormulaResolver::quantified_from(const FormulaSyntax& syntax, std::size_t first,
                                         std::vector<Process> others) {
  const auto level = nesting_.enter(syntax.position);
  Formula result{.kind = syntax.kind == Kind::kForAll ? FormulaKind::kForAll : FormulaKind::kExists,
                 .bound = terms_.bind_process(syntax.names[first]),
                 .others = others,
                 .position = syntax.position};
  others.push_back({.index = result.bound});
  charge(1, syntax.position);
  result.operands.push_back(first + 1 < syntax.names.size()
                                ? quantified_from(syntax, first + 1, std::move(others))
                                : resolved(syntax.operands[0]));
  return result;
}

}  // namespace weir::cub
