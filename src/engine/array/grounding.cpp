#include "engine/array/grounding.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"

namespace weir::array {

std::vector<Environment> distinct_choices(std::size_t variables, std::uint32_t processes) {
  std::vector<Environment> choices{Environment{}};
  for (std::size_t variable = 0; variable < variables; ++variable) {
    std::vector<Environment> longer;
    for (const Environment& choice : choices)
      for (std::uint32_t p = 0; p < processes; ++p) {
        if (std::find(choice.begin(), choice.end(), p) != choice.end()) continue;
        longer.push_back(choice);
        longer.back().push_back(static_cast<std::uint8_t>(p));
      }
    choices = std::move(longer);
  }
  return choices;
}

Node Grounding::cell(const Access& access, const Environment& environment) const {
  std::uint8_t arguments[kMostDimensions] = {};
  for (std::size_t i = 0; i < access.arguments.size(); ++i)
    arguments[i] = process(access.arguments[i], environment);
  return Node::cell(access.symbol, arguments, static_cast<std::uint32_t>(access.arguments.size()));
}

Node Grounding::value(const Access& access, const Environment& environment) const {
  const Node node = cell(access, environment);
  if (!vocabulary_.system().symbol(access.symbol).weak) return node;
  return read_(node, access.viewer ? process(*access.viewer, environment) : performer_);
}

GroundTerm Grounding::term(const Term& term, const Environment& environment) const {
  GroundTerm result;
  switch (term.kind) {
    case TermKind::kProcess:
      result.kind = GroundTerm::Kind::kValue;
      result.bit = std::uint64_t{1} << process(term.process, environment);
      return result;
    case TermKind::kConstructor:
      result.kind = GroundTerm::Kind::kValue;
      result.bit = std::uint64_t{1} << term.constructor;
      return result;
    case TermKind::kAccess:
      result.kind = GroundTerm::Kind::kNode;
      result.node = value(term.access, environment);
      return result;
    case TermKind::kSum: break;
  }
  return sum(term, environment);
}

GroundTerm Grounding::sum(const Term& term, const Environment& environment) const {
  using Kind = GroundTerm::Kind;
  GroundTerm result;
  LinearSum whole;
  std::int64_t denominator = 1;  // of the factors, which for integers are whole
  bool fits = true;
  for (const Summand& summand : term.summands)
    fits = fits && !__builtin_mul_overflow(denominator / std::gcd(denominator, summand.factor.denominator),
                                           summand.factor.denominator, &denominator);
  fits = fits && denominator <= kLargestFactor;
  const auto number = vocabulary_.scaled(term.number, term.sort);
  for (const Summand& summand : term.summands) {
    const Node node = value(summand.access, environment);  // also if it does not fit: it is read
    std::int64_t factor = 0;
    fits = fits && !__builtin_mul_overflow(summand.factor.numerator, denominator / summand.factor.denominator,
                                           &factor);
    whole.add(node, factor);
  }
  if (!fits || !number || !whole.fits()) return result;
  const std::vector<Monomial>& monomials = whole.monomials();
  result.number = *number;
  if (monomials.empty()) {
    result.kind = Kind::kNumber;
  } else if (monomials.size() == 1 && monomials[0].factor == 1 && denominator == 1) {
    result.kind = Kind::kNode;
    result.node = monomials[0].node;
  } else {
    whole.add_number(*number, denominator);
    result.kind = whole.fits() ? Kind::kSum : Kind::kHard;
    result.number = whole.number();
    result.node = vocabulary_.sum(monomials);
    result.denominator = denominator;
  }
  return result;
}

namespace {

// Adds factor * denominator * term, where the denominator is a multiple of the term's own.
void add_term(LinearSum& sum, const GroundTerm& term, std::int64_t factor, std::int64_t denominator,
              const Vocabulary& vocabulary) {
  const std::int64_t times = factor * (denominator / term.denominator);  // both below 2^32
  if (term.kind == GroundTerm::Kind::kNode) sum.add(term.node, times);
  if (term.kind == GroundTerm::Kind::kSum)
    for (const Monomial& one : vocabulary.monomials(term.node)) sum.add(one.node, one.factor, times);
  sum.add_number(term.number, times);
}

bool fits(std::int64_t number) { return number <= kLargestConstant && number >= -kLargestConstant; }

}  // namespace

Truth Grounding::compare(const GroundTerm& left, Comparison comparison, const GroundTerm& right,
                         Constraint& result) const {
  using Kind = GroundTerm::Kind;
  if (left.kind == Kind::kHard || right.kind == Kind::kHard) return Truth::kHard;
  const bool equal = comparison == Comparison::kEqual;
  if (left.kind == Kind::kValue && right.kind == Kind::kValue)
    return (left.bit == right.bit) == equal ? Truth::kTrue : Truth::kFalse;
  if (left.kind == Kind::kValue || right.kind == Kind::kValue) {
    const Node node = left.kind == Kind::kNode ? left.node : right.node;
    const std::uint64_t bit = left.kind == Kind::kValue ? left.bit : right.bit;
    result = Constraint::in(node, equal ? bit : vocabulary_.everything(node) & ~bit);
    return Truth::kOpen;
  }
  const Node a = left.kind == Kind::kNode ? left.node : Node::zero();
  const Node b = right.kind == Kind::kNode ? right.node : Node::zero();
  if (left.kind == Kind::kSum || right.kind == Kind::kSum || a == b) {
    const std::int64_t denominator = std::lcm(left.denominator, right.denominator);
    if (denominator > kLargestFactor) return Truth::kHard;
    LinearSum sum;
    add_term(sum, left, 1, denominator, vocabulary_);
    add_term(sum, right, -1, denominator, vocabulary_);
    return compare_with_zero(sum, comparison, vocabulary_, result);
  }
  const std::int64_t difference = right.number - left.number;  // a - b ? difference
  if (!fits(difference)) return Truth::kHard;
  switch (comparison) {
    case Comparison::kEqual: result = {ConstraintKind::kEqual, a, b, difference}; break;
    case Comparison::kDifferent: result = {ConstraintKind::kDifferent, a, b, difference}; break;
    case Comparison::kLessEqual: result = {ConstraintKind::kAtMost, a, b, difference}; break;
    case Comparison::kLess:
      result = vocabulary_.integer(a, b) ? Constraint{ConstraintKind::kAtMost, a, b, difference - 1}
                                         : Constraint{ConstraintKind::kBelow, a, b, difference};
      break;
  }
  return Truth::kOpen;
}

Truth Grounding::replaced(const Constraint& constraint, const Replace& replace, Constraint& result) const {
  using Kind = GroundTerm::Kind;
  if (constraint.kind == ConstraintKind::kIn) {
    const GroundTerm a = replace(constraint.a);
    result = Constraint::in(a.node, constraint.mask());
    if (a.kind == Kind::kNode) return Truth::kOpen;
    return (a.bit & constraint.mask()) != 0 ? Truth::kTrue : Truth::kFalse;
  }
  if (!fits(constraint.value)) return Truth::kHard;
  if (about_sum(constraint)) return replaced_sum(constraint, replace, result);
  const auto term = [&](Node node) {
    return node.is_zero() ? GroundTerm{.kind = Kind::kNumber} : replace(node);
  };
  GroundTerm b = term(constraint.b);
  if (b.kind == Kind::kSum) return replaced_sum(constraint, replace, result);
  b.number += constraint.value;
  return compare(term(constraint.a), comparison_of(constraint.kind), b, result);
}

bool Grounding::replaced_all(const std::vector<Constraint>& constraints, const Replace& replace,
                             Conjunction& result) const {
  result.constraints.reserve(constraints.size());
  for (const Constraint& one : constraints) {
    Constraint here;
    switch (replaced(one, replace, here)) {
      case Truth::kFalse: return false;
      case Truth::kTrue: break;
      case Truth::kHard: result.approximate = true; break;
      case Truth::kOpen: result.constraints.push_back(here); break;
    }
  }
  return true;
}

Truth Grounding::replaced_sum(const Constraint& constraint, const Replace& replace,
                              Constraint& result) const {
  const LinearSum before = as_sum(constraint, vocabulary_);
  std::vector<GroundTerm> terms;
  std::int64_t denominator = 1;
  for (const Monomial& one : before.monomials()) {
    terms.push_back(replace(one.node));
    denominator = std::lcm(denominator, terms.back().denominator);
    if (terms.back().kind == GroundTerm::Kind::kHard || denominator > kLargestFactor) return Truth::kHard;
  }
  LinearSum sum;
  for (std::size_t i = 0; i < terms.size(); ++i)
    add_term(sum, terms[i], before.monomials()[i].factor, denominator, vocabulary_);
  sum.add_number(before.number(), denominator);
  return compare_with_zero(sum, comparison_of(constraint.kind), vocabulary_, result);
}

Truth Grounding::literal(const Formula& formula, bool positive, const Environment& environment,
                         Constraint& result) const {
  const Truth truth = compare(term(formula.terms[0], environment), formula.comparison,
                              term(formula.terms[1], environment), result);
  if (positive || truth == Truth::kHard) return truth;
  if (truth == Truth::kOpen) {
    result = negated(result, vocabulary_);
    return truth;
  }
  return truth == Truth::kTrue ? Truth::kFalse : Truth::kTrue;
}

std::vector<Grounding::Goal> Grounding::instances(const Formula& formula, bool positive,
                                                  const Environment& environment) const {
  std::vector<Goal> goals;
  for (std::uint32_t p = 0; p < processes_; ++p) {
    const bool excluded = std::any_of(formula.others.begin(), formula.others.end(),
                                      [&](const Process& other) { return process(other, environment) == p; });
    if (excluded) continue;
    Goal goal{&formula.operands[0], positive, environment};
    if (goal.environment.size() <= formula.bound) goal.environment.resize(formula.bound + 1);
    goal.environment[formula.bound] = static_cast<std::uint8_t>(p);
    goals.push_back(std::move(goal));
  }
  return goals;
}

void Grounding::expand(const Formula& formula, bool positive, const Environment& environment,
                       const Conjunction& context, const Found& found) const {
  Conjunction conjunction = context;
  solve({{&formula, positive, environment}}, conjunction, found);
}

// Adds what holds in any case to the conjunction and the choices to the others. False: there is a
// contradiction.
bool Grounding::collect(std::vector<Goal> goals, Conjunction& conjunction,
                        std::vector<std::vector<Goal>>& choices) const {
  while (!goals.empty()) {
    Goal goal = std::move(goals.back());
    goals.pop_back();
    const Formula& formula = *goal.formula;
    switch (formula.kind) {
      case FormulaKind::kTrue:
      case FormulaKind::kFalse:
        if ((formula.kind == FormulaKind::kTrue) != goal.positive) return false;
        break;
      case FormulaKind::kFence: (goal.positive ? conjunction.fence : conjunction.approximate) = true; break;
      case FormulaKind::kNot:
        goals.push_back({&formula.operands[0], !goal.positive, goal.environment});
        break;
      case FormulaKind::kCompare: {
        Constraint constraint;
        switch (literal(formula, goal.positive, goal.environment, constraint)) {
          case Truth::kFalse: return false;
          case Truth::kTrue: break;
          case Truth::kHard: conjunction.approximate = true; break;
          case Truth::kOpen: conjunction.constraints.push_back(constraint); break;
        }
        break;
      }
      case FormulaKind::kAnd:
      case FormulaKind::kOr: {
        std::vector<Goal> parts;
        for (const Formula& operand : formula.operands)
          parts.push_back({&operand, goal.positive, goal.environment});
        if ((formula.kind == FormulaKind::kAnd) == goal.positive)
          goals.insert(goals.end(), parts.rbegin(), parts.rend());
        else
          choices.push_back(std::move(parts));
        break;
      }
      case FormulaKind::kForAll:
      case FormulaKind::kExists: {
        std::vector<Goal> parts = instances(formula, goal.positive, goal.environment);
        if ((formula.kind == FormulaKind::kForAll) == goal.positive) {
          goals.insert(goals.end(), parts.rbegin(), parts.rend());
        } else {
          parts.push_back({nullptr, true, {}});  // a process that is not named here
          choices.push_back(std::move(parts));
        }
        break;
      }
    }
  }
  return true;
}

void Grounding::solve(std::vector<Goal> goals, Conjunction& conjunction, const Found& found) const {
  const std::size_t before = conjunction.constraints.size();
  const bool fence = conjunction.fence;
  const bool approximate = conjunction.approximate;
  std::vector<std::vector<Goal>> choices;
  if (collect(std::move(goals), conjunction, choices)) choose(choices, 0, conjunction, found);
  conjunction.constraints.resize(before);
  conjunction.fence = fence;
  conjunction.approximate = approximate;
}

Clauses Grounding::clauses(const Formula& formula, const Environment& environment) const {
  Clauses result;
  std::vector<std::vector<Goal>> choices;
  result.impossible = !collect({{&formula, true, environment}}, result.always, choices);
  for (const std::vector<Goal>& choice : choices) {
    Conjunction nothing;
    result.choices.emplace_back();
    alternatives(choice, nothing, [&](const Conjunction& one) { result.choices.back().push_back(one); });
  }
  return result;
}

// One alternative of every choice from number `next` on.
void Grounding::choose(const std::vector<std::vector<Goal>>& choices, std::size_t next,
                       Conjunction& conjunction, const Found& found) const {
  if (next == choices.size()) {
    found(conjunction);
    return;
  }
  alternatives(choices[next], conjunction, [&](const Conjunction& one) {
    Conjunction joined = one;
    choose(choices, next + 1, joined, found);
  });
}

// Every way to make one of the choices true. Choices that restrict the same node of a finite sort become one.
void Grounding::alternatives(const std::vector<Goal>& choices, Conjunction& conjunction,
                             const Found& found) const {
  if (!choices.empty() && choices.back().formula == nullptr) {  // covers the named ones
    Conjunction weaker = conjunction;
    weaker.approximate = true;
    found(weaker);
    return;
  }
  std::vector<Constraint> masks;
  std::vector<const Goal*> others;
  for (const Goal& choice : choices) {
    Constraint constraint;
    if (choice.formula->kind == FormulaKind::kCompare) {
      const Truth truth = literal(*choice.formula, choice.positive, choice.environment, constraint);
      if (truth == Truth::kTrue) {
        found(conjunction);
        return;
      }
      if (truth == Truth::kFalse) continue;
      if (truth == Truth::kOpen && constraint.kind == ConstraintKind::kIn) {
        const auto same = std::find_if(masks.begin(), masks.end(),
                                       [&](const Constraint& one) { return one.a == constraint.a; });
        if (same == masks.end())
          masks.push_back(constraint);
        else
          same->value |= constraint.value;
        continue;
      }
    }
    others.push_back(&choice);
  }
  for (const Constraint& mask : masks) {
    conjunction.constraints.push_back(mask);
    found(conjunction);
    conjunction.constraints.pop_back();
  }
  for (const Goal* choice : others) {
    solve({*choice}, conjunction, found);
  }
}

}  // namespace weir::array
