// Negations are pushed down to the comparisons, where they vanish (a comparison is negated by another one),
// and conjunctions are distributed over disjunctions. `exists q. …` is one case for each process that the cube names already and
// that q may be, and one with a parameter more. The result can be exponentially large, so it is bounded.
#include "frontend/array/cubes.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "frontend/array/rational.hpp"
#include "frontend/array/syntax.hpp"

namespace weir::cub {

namespace {

using array::Access;
using array::Formula;
using array::FormulaKind;
using array::Process;
using array::Summand;
using array::Term;
using Cases = std::vector<CubeCase>;
using Meaning = std::vector<std::uint32_t>;  // the parameter that a bound variable stands for, by its number

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

void check_size(const Cases& cases, SourcePosition position) {
  std::size_t literals = cases.size();
  for (const CubeCase& one : cases) literals += one.literals.size();
  if (literals > kMostLiterals)
    fail(position, fmt::format("too many cases; the limit is {} comparisons", kMostLiterals),
         "several 'unsafe' or 'invariant' declarations say the same");
}

void rename(Process& process, const Meaning& meaning) {
  if (!process.constant) process.index = meaning.at(process.index);
}

void rename(Access& access, const Meaning& meaning) {
  for (Process& argument : access.arguments) rename(argument, meaning);
  if (access.viewer) rename(*access.viewer, meaning);
}

// Two cells of a sum may become one.
void rename_sum(Term& term, const Meaning& meaning) {
  std::vector<Summand> sum;
  for (Summand& summand : term.summands) {
    rename(summand.access, meaning);
    const auto same = std::ranges::find(sum, summand.access,
                                        [](const Summand& one) -> const Access& { return one.access; });
    if (same == sum.end()) {
      sum.push_back(std::move(summand));
      continue;
    }
    const auto factor = cub::sum(same->factor, summand.factor);
    if (!factor) fail(term.position, "the numbers in this term do not fit into 64 bits");
    same->factor = *factor;
  }
  std::erase_if(sum, [](const Summand& one) { return one.factor.numerator == 0; });
  term.summands = std::move(sum);
}

Formula renamed(Formula literal, const Meaning& meaning) {
  for (Term& term : literal.terms) {
    switch (term.kind) {
      case array::TermKind::kProcess: rename(term.process, meaning); break;
      case array::TermKind::kAccess: rename(term.access, meaning); break;
      case array::TermKind::kSum: rename_sum(term, meaning); break;
      case array::TermKind::kConstructor: break;
    }
  }
  return literal;
}

Cases cases(const Formula& formula, bool negative, const CubeCase& given, Meaning meaning);

Cases with_quantifier(const Formula& formula, bool negative, const CubeCase& given, Meaning meaning) {
  if ((formula.kind == FormulaKind::kForAll) != negative)
    fail(formula.position, "something about all processes in a cube",
         "cubes are existential: name the processes as parameters, as in unsafe (p q) { … }");
  if (meaning.size() <= formula.bound) meaning.resize(formula.bound + 1);
  const auto excluded = [&](std::uint32_t process) {
    return std::ranges::any_of(formula.others, [&](const Process& other) {
      return !other.constant && meaning.at(other.index) == process;
    });
  };
  Cases result;
  for (std::uint32_t process = 0; process <= given.processes; ++process) {
    if (process < given.processes && excluded(process)) continue;
    CubeCase next = given;
    next.processes = std::max(given.processes, process + 1);
    meaning[formula.bound] = process;
    std::ranges::move(cases(formula.operands[0], negative, next, meaning), std::back_inserter(result));
    check_size(result, formula.position);
  }
  return result;
}

// `given`, and the formula or its negation besides, as cases.
Cases cases(const Formula& formula, bool negative, const CubeCase& given, Meaning meaning) {
  switch (formula.kind) {
    case FormulaKind::kTrue: return negative ? Cases{} : Cases{given};
    case FormulaKind::kFalse: return negative ? Cases{given} : Cases{};
    case FormulaKind::kCompare: {
      CubeCase longer = given;
      longer.literals.push_back(renamed(negative ? negated_literal(formula) : formula, meaning));
      return {std::move(longer)};
    }
    case FormulaKind::kNot: return cases(formula.operands[0], !negative, given, std::move(meaning));
    case FormulaKind::kForAll:
    case FormulaKind::kExists: return with_quantifier(formula, negative, given, std::move(meaning));
    case FormulaKind::kFence: WEIR_CHECK(false, "no fence() in cubes"); break;
    case FormulaKind::kAnd:
    case FormulaKind::kOr: break;
  }
  const bool conjunction = (formula.kind == FormulaKind::kAnd) != negative;
  Cases result = conjunction ? Cases{given} : Cases{};
  for (const Formula& operand : formula.operands) {
    Cases longer;
    for (const CubeCase& before : conjunction ? std::exchange(result, {}) : Cases{given}) {
      std::ranges::move(cases(operand, negative, before, meaning), std::back_inserter(longer));
      check_size(longer, formula.position);
    }
    std::ranges::move(longer, std::back_inserter(result));
    check_size(result, formula.position);
  }
  return result;
}

}  // namespace

std::vector<CubeCase> cubes_of(const Formula& formula, std::uint32_t parameters) {
  Meaning meaning;
  for (std::uint32_t parameter = 0; parameter < parameters; ++parameter) meaning.push_back(parameter);
  return cases(formula, false, {.processes = parameters}, std::move(meaning));
}

}  // namespace weir::cub
