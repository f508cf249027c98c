// Negations are pushed down to the comparisons, where they vanish (a comparison is negated by another one),
// and conjunctions are distributed over disjunctions. The result can be exponentially large, so it is
// bounded.
#include "frontend/array/cubes.hpp"

#include <fmt/format.h>

#include "frontend/array/syntax.hpp"

namespace weir::cub {

namespace {

using array::Formula;
using array::FormulaKind;
using Literals = std::vector<Formula>;
using Cubes = std::vector<Literals>;

constexpr std::size_t kMostLiterals = 10'000;

Formula negated_literal(Formula literal) {
  switch (literal.comparison) {
    case Comparison::kEqual: literal.comparison = Comparison::kDifferent; return literal;
    case Comparison::kDifferent: literal.comparison = Comparison::kEqual; return literal;
    case Comparison::kLess: literal.comparison = Comparison::kLessEqual; break;
    case Comparison::kLessEqual: literal.comparison = Comparison::kLess; break;
  }
  std::swap(literal.terms[0], literal.terms[1]);
  return literal;
}

void check_size(const Cubes& cubes, SourcePosition position) {
  std::size_t literals = cubes.size();
  for (const Literals& cube : cubes) literals += cube.size();
  if (literals > kMostLiterals)
    fail(position, fmt::format("too many cases; the limit is {} comparisons", kMostLiterals),
         "several 'unsafe' or 'invariant' declarations say the same");
}

Cubes both(const Cubes& first, const Cubes& second, SourcePosition position) {
  Cubes result;
  for (const Literals& a : first) {
    for (const Literals& b : second) {
      Literals& cube = result.emplace_back(a);
      cube.insert(cube.end(), b.begin(), b.end());
    }
    check_size(result, position);
  }
  return result;
}

Cubes cubes(const Formula& formula, bool negative) {
  switch (formula.kind) {
    case FormulaKind::kTrue: return negative ? Cubes{} : Cubes{{}};
    case FormulaKind::kFalse: return negative ? Cubes{{}} : Cubes{};
    case FormulaKind::kCompare: return {{negative ? negated_literal(formula) : formula}};
    case FormulaKind::kNot: return cubes(formula.operands[0], !negative);
    case FormulaKind::kAnd:
    case FormulaKind::kOr: break;
    case FormulaKind::kFence:
    case FormulaKind::kForAll:
    case FormulaKind::kExists: WEIR_CHECK(false, "only comparisons in cubes");
  }
  const bool conjunction = (formula.kind == FormulaKind::kAnd) != negative;
  Cubes result = conjunction ? Cubes{{}} : Cubes{};
  for (const Formula& operand : formula.operands) {
    Cubes added = cubes(operand, negative);
    if (conjunction) {
      result = both(result, added, formula.position);
    } else {
      std::move(added.begin(), added.end(), std::back_inserter(result));
      check_size(result, formula.position);
    }
  }
  return result;
}

}  // namespace

std::vector<std::vector<Formula>> cubes_of(const Formula& formula) { return cubes(formula, false); }

}  // namespace weir::cub
