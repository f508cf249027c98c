#include "engine/array/vocabulary.hpp"

#include <bit>
#include <cstdlib>
#include <fmt/format.h>
#include <functional>
#include <numeric>

#include "base/error.hpp"

namespace weir::array {

namespace {

// Calls `visit` for every term and every process in a formula.
void walk(const Formula& formula, const std::function<void(const Term&)>& visit,
          const std::function<void(const Process&)>& process) {
  for (const Term& term : formula.terms) visit(term);
  for (const Process& other : formula.others) process(other);
  for (const Formula& operand : formula.operands) walk(operand, visit, process);
}

}  // namespace

std::string obstacle(const ArraySystem& system) {
  constexpr std::size_t kMostConstructors = 63;
  for (const Symbol& symbol : system.symbols)
    if (symbol.dimensions > kMostDimensions)
      return fmt::format("array {} has {} dimensions, and only {} are supported", symbol.name,
                         symbol.dimensions, kMostDimensions);
  for (const Sort& sort : system.sorts)
    if (sort.constructors.size() > kMostConstructors)
      return fmt::format("type {} has {} constructors, and only {} are supported", sort.name,
                         sort.constructors.size(), kMostConstructors);
  if (system.symbols.size() > Node::kMostSymbols) return "there are too many variables";
  return {};
}

Vocabulary::Vocabulary(const ArraySystem& system) : system_(&system) {
  for (const Symbol& symbol : system.symbols) {
    const Sort& sort = system.sort(symbol.sort);
    Domain domain = Domain::kAbstract;
    std::uint64_t mask = ~std::uint64_t{0};
    switch (sort.kind) {
      case SortKind::kProcess: domain = Domain::kProcess; break;
      case SortKind::kBoolean:
      case SortKind::kEnumeration:
        domain = Domain::kFinite;
        WEIR_CHECK(sort.constructors.size() < 64, "an enumeration with more than 63 constructors");
        mask = (std::uint64_t{1} << sort.constructors.size()) - 1;
        break;
      case SortKind::kAbstract: break;
      case SortKind::kInteger: domain = Domain::kInteger; break;
      case SortKind::kReal: domain = Domain::kReal; break;
    }
    domains_.push_back(domain);
    masks_.push_back(mask);
  }
  // What the scale does not fit is told by `scaled`.
  const auto rescale = [&](std::int64_t denominator) {
    std::int64_t larger = 0;
    const std::int64_t factor = denominator / std::gcd(real_scale_, denominator);
    if (!__builtin_mul_overflow(real_scale_, factor, &larger) && larger <= kLargestFactor)
      real_scale_ = larger;
  };
  const auto process = [&](const Process& named) {
    if (named.constant) pinned_ = std::max(pinned_, named.index + 1);
  };
  const auto access = [&](const Access& used) {
    for (const Process& argument : used.arguments) process(argument);
    if (used.viewer) process(*used.viewer);
  };
  const auto term = [&](const Term& used) {
    if (used.kind == TermKind::kProcess) process(used.process);
    if (used.kind == TermKind::kAccess) access(used.access);
    rescale(used.number.denominator);
    for (const Summand& summand : used.summands) access(summand.access);
  };
  const auto formula = [&](const Formula& used) { walk(used, term, process); };
  formula(system.initial.formula);
  for (const auto* cubes : {&system.unsafe, &system.invariants})
    for (const Cube& cube : *cubes)
      for (const Formula& literal : cube.literals) formula(literal);
  for (const Transition& transition : system.transitions) {
    formula(transition.guard);
    for (const Update& update : transition.updates) {
      for (const Process& argument : update.arguments) process(argument);
      for (const UpdateCase& one : update.cases) {
        formula(one.guard);
        if (one.value) term(*one.value);
      }
    }
  }
}

std::optional<std::int64_t> Vocabulary::scaled(Rational number, SortId sort) const {
  const std::int64_t scale = system_->sort(sort).kind == SortKind::kReal ? real_scale_ : 1;
  if (scale % number.denominator != 0) return std::nullopt;
  std::int64_t result = 0;
  if (__builtin_mul_overflow(number.numerator, scale / number.denominator, &result)) return std::nullopt;
  if (result > kLargestConstant || result < -kLargestConstant) return std::nullopt;
  return result;
}

std::uint64_t renamed_processes(std::uint64_t mask, const Renaming& renaming) {
  const bool others = (mask >> 63) != 0;
  std::uint64_t result = others ? ~std::uint64_t{0} : 0;
  for (std::uint32_t i = 0; i < renaming.processes; ++i) {
    const std::uint64_t bit = std::uint64_t{1} << renaming.process[i];
    result = ((mask >> i) & 1) != 0 ? result | bit : result & ~bit;
  }
  return result;
}

namespace {

Constraint renamed_sum(const Constraint& constraint, const Renaming& renaming, const Vocabulary& vocabulary) {
  const LinearSum sum = as_sum(constraint, vocabulary);
  LinearSum there;
  for (const Monomial& one : sum.monomials()) there.add(one.node.renamed(renaming), one.factor);
  there.add_number(sum.number());
  Constraint result;
  const Truth truth = compare_with_zero(there, comparison_of(constraint.kind), vocabulary, result);
  WEIR_CHECK(truth == Truth::kOpen, "a constraint got another meaning by new names");
  return result;
}

}  // namespace

Constraint renamed_nodes(const Constraint& constraint, const Renaming& renaming,
                         const Vocabulary& vocabulary) {
  if (about_sum(constraint)) return renamed_sum(constraint, renaming, vocabulary);
  Constraint result = constraint;
  result.a = constraint.a.renamed(renaming);
  result.b = constraint.b.renamed(renaming);
  return result;
}

Constraint renamed(const Constraint& constraint, const Renaming& renaming, const Vocabulary& vocabulary) {
  Constraint result = renamed_nodes(constraint, renaming, vocabulary);
  if (constraint.kind == ConstraintKind::kIn && vocabulary.domain(constraint.a) == Domain::kProcess)
    result.value = static_cast<std::int64_t>(renamed_processes(constraint.mask(), renaming));
  return result;
}

Constraint negated(const Constraint& constraint, const Vocabulary& vocabulary) {
  Constraint result = constraint;
  switch (constraint.kind) {
    case ConstraintKind::kIn:
      result.value = static_cast<std::int64_t>(vocabulary.everything(constraint.a) & ~constraint.mask());
      break;
    case ConstraintKind::kEqual: result.kind = ConstraintKind::kDifferent; break;
    case ConstraintKind::kDifferent: result.kind = ConstraintKind::kEqual; break;
    case ConstraintKind::kAtMost:  // b - a < -value
      std::swap(result.a, result.b);
      if (vocabulary.integer(constraint.a, constraint.b)) {
        result.value = -constraint.value - 1;
      } else {
        result.kind = ConstraintKind::kBelow;
        result.value = -constraint.value;
      }
      break;
    case ConstraintKind::kBelow:
      std::swap(result.a, result.b);
      result.kind = ConstraintKind::kAtMost;
      result.value = -constraint.value;
      break;
  }
  return result;
}

Comparison comparison_of(ConstraintKind kind) {
  switch (kind) {
    case ConstraintKind::kIn:
    case ConstraintKind::kEqual: break;
    case ConstraintKind::kDifferent: return Comparison::kDifferent;
    case ConstraintKind::kAtMost: return Comparison::kLessEqual;
    case ConstraintKind::kBelow: return Comparison::kLess;
  }
  return Comparison::kEqual;
}

std::array<Constraint, 2> sides(const Constraint& different, const Vocabulary& vocabulary) {
  const bool integer = vocabulary.integer(different.a, different.b);
  const ConstraintKind kind = integer ? ConstraintKind::kAtMost : ConstraintKind::kBelow;
  const std::int64_t step = integer ? 1 : 0;
  return {Constraint{kind, different.a, different.b, different.value - step},
          Constraint{kind, different.b, different.a, -different.value - step}};
}

LinearSum as_sum(const Constraint& constraint, const Vocabulary& vocabulary) {
  LinearSum sum;
  const auto add = [&](Node node, std::int64_t factor) {
    if (!node.is_sum()) return sum.add(node, factor);
    for (const Monomial& one : vocabulary.monomials(node)) sum.add(one.node, factor * one.factor);
  };
  add(constraint.a, 1);
  add(constraint.b, -1);
  sum.add_number(constraint.value, -1);
  return sum;
}

namespace {

Truth truth(bool value) { return value ? Truth::kTrue : Truth::kFalse; }

Truth compare_numbers(std::int64_t left, Comparison comparison, std::int64_t right) {
  switch (comparison) {
    case Comparison::kEqual: return truth(left == right);
    case Comparison::kDifferent: return truth(left != right);
    case Comparison::kLess: return truth(left < right);
    case Comparison::kLessEqual: return truth(left <= right);
  }
  return Truth::kHard;
}

std::int64_t floor_quotient(std::int64_t number, std::int64_t divisor) {
  return number / divisor - (number % divisor < 0 ? 1 : 0);
}

// The two nodes of which the monomials are the difference; a sum and zero if they are not one.
std::pair<Node, Node> as_difference(const std::vector<Monomial>& monomials, const Vocabulary& vocabulary) {
  const Monomial& first = monomials[0];
  if (monomials.size() == 1 && first.factor == 1) return {first.node, Node::zero()};
  if (monomials.size() == 1 && first.factor == -1) return {Node::zero(), first.node};
  if (monomials.size() == 2 && first.factor == 1 && monomials[1].factor == -1)
    return {first.node, monomials[1].node};
  if (monomials.size() == 2 && first.factor == -1 && monomials[1].factor == 1)
    return {monomials[1].node, first.node};
  if (first.factor > 0) return {vocabulary.sum(monomials), Node::zero()};
  std::vector<Monomial> turned = monomials;
  for (Monomial& one : turned) one.factor = -one.factor;
  return {Node::zero(), vocabulary.sum(turned)};
}

}  // namespace

Truth compare_with_zero(const LinearSum& sum, Comparison comparison, const Vocabulary& vocabulary,
                        Constraint& result) {
  if (!sum.fits()) return Truth::kHard;
  std::vector<Monomial> monomials = sum.monomials();
  if (monomials.empty()) return compare_numbers(sum.number(), comparison, 0);
  const bool integer = vocabulary.domain(monomials[0].node) == Domain::kInteger;
  const bool equation = comparison == Comparison::kEqual || comparison == Comparison::kDifferent;
  std::int64_t value = -sum.number();
  if (integer && comparison == Comparison::kLess) --value;
  std::int64_t divisor = integer ? 0 : std::abs(value);
  for (const Monomial& one : monomials) divisor = std::gcd(divisor, one.factor);
  for (Monomial& one : monomials) one.factor /= divisor;
  if (equation && value % divisor != 0) return truth(comparison == Comparison::kDifferent);
  value = floor_quotient(value, divisor);
  const auto [a, b] = as_difference(monomials, vocabulary);
  if (equation && (a.is_zero() || (b < a && !b.is_zero()))) {
    result = {ConstraintKind::kEqual, b, a, -value};
  } else {
    result = {ConstraintKind::kEqual, a, b, value};
  }
  if (comparison == Comparison::kDifferent) result.kind = ConstraintKind::kDifferent;
  if (!equation)
    result.kind =
        integer || comparison == Comparison::kLessEqual ? ConstraintKind::kAtMost : ConstraintKind::kBelow;
  return Truth::kOpen;
}

namespace {

std::string describe_sum(const std::vector<Monomial>& monomials, const Vocabulary& vocabulary) {
  std::string text;
  for (const Monomial& one : monomials) {
    if (!text.empty()) text += one.factor < 0 ? " - " : " + ";
    if (std::abs(one.factor) != 1) text += fmt::format("{} ", std::abs(one.factor));
    text += describe(one.node, vocabulary);
  }
  return text;
}

}  // namespace

std::string describe(Node node, const Vocabulary& vocabulary) {
  if (node.is_zero()) return "0";
  if (node.is_sum()) return describe_sum(vocabulary.monomials(node), vocabulary);
  const std::string& name = vocabulary.system().symbol(node.symbol()).name;
  if (node.is_read()) return fmt::format("{}!{}", name, node.read());
  std::string text = name;
  for (std::uint32_t place = 0; place < node.dimensions(); ++place)
    text += fmt::format("{}#{}", place == 0 ? "[" : ", ", node.process(place) + 1);
  return node.dimensions() == 0 ? text : text + "]";
}

std::string describe(const Constraint& constraint, const Vocabulary& vocabulary) {
  const std::string a = describe(constraint.a, vocabulary);
  const std::string b = describe(constraint.b, vocabulary);
  const auto plus = [&] { return constraint.value == 0 ? b : fmt::format("{} + {}", b, constraint.value); };
  switch (constraint.kind) {
    case ConstraintKind::kIn: {
      const ArraySystem& system = vocabulary.system();
      const Sort& sort = system.sort(system.symbol(constraint.a.symbol()).sort);
      std::string text;
      const std::uint32_t bits =
          sort.kind == SortKind::kProcess ? 31 : static_cast<std::uint32_t>(sort.constructors.size());
      for (std::uint32_t bit = 0; bit < bits; ++bit)
        if (((constraint.mask() >> bit) & 1) != 0)
          text += (text.empty() ? "" : ", ") +
                  (sort.kind == SortKind::kProcess ? fmt::format("#{}", bit + 1) : sort.constructors[bit]);
      return fmt::format("{} in {{{}}}", a, text);
    }
    case ConstraintKind::kEqual: return fmt::format("{} = {}", a, plus());
    case ConstraintKind::kDifferent: return fmt::format("{} <> {}", a, plus());
    case ConstraintKind::kAtMost: return fmt::format("{} <= {}", a, plus());
    case ConstraintKind::kBelow: return fmt::format("{} < {}", a, plus());
  }
  return {};
}

}  // namespace weir::array
