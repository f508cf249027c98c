// How the theory solver forgets a number (see facts.hpp): by an equation that gives its value, or by Fourier
// and Motzkin's method.
#include <algorithm>
#include <cstdlib>

#include "engine/array/theory/facts.hpp"
#include "engine/array/theory/linear_system.hpp"

namespace weir::array {

namespace {

bool mentions(const LinearSum& sum, Node node) {
  return std::any_of(sum.monomials().begin(), sum.monomials().end(),
                     [&](const Monomial& one) { return one.node == node; });
}

}  // namespace

std::optional<Constraint> Facts::open_number(Node node) const {
  const Index index = find(node);
  if (index == kNowhere || entries_[index].numeric == kNowhere || !bounded_on_both_sides(node))
    return std::nullopt;
  for (const Disequality& one : disequalities_)
    if ((one.a == index || one.b == index) && !difference_excludes(one.a, one.b, one.value))
      return Constraint{ConstraintKind::kDifferent, entries_[one.a].node, entries_[one.b].node, one.value};
  for (const Constraint& one : sums_)
    if (one.kind == ConstraintKind::kDifferent && mentions(as_sum(one, *vocabulary_), node)) return one;
  return std::nullopt;
}

// A node that can grow without end avoids finitely many values, whatever the others are.
bool Facts::bounded_on_both_sides(Node node) const {
  bool above = false, below = false;
  const Index row = entries_[find(node)].numeric;
  for (Index i = 0; i < numerics_; ++i) {
    if (i == row) continue;
    above = above || bound(row, i) < kNoBound;
    below = below || bound(i, row) < kNoBound;
  }
  for (const Constraint& one : sums_) {
    if (one.kind == ConstraintKind::kDifferent) continue;
    const LinearSum sum = as_sum(one, *vocabulary_);
    for (const Monomial& monomial : sum.monomials()) {
      if (monomial.node != node) continue;
      above = above || monomial.factor > 0 || one.kind == ConstraintKind::kEqual;
      below = below || monomial.factor < 0 || one.kind == ConstraintKind::kEqual;
    }
  }
  return above && below;
}

// A constraint about numbers with a factor for every row of the matrix.
struct Facts::Relation {
  LinearSystem::Row row;
  Comparison comparison = Comparison::kLessEqual;
  bool difference = false;  // from the matrix

  Relation turned() const {
    Relation result = *this;
    for (std::int64_t& factor : result.row.factors) factor = -factor;
    result.row.bound = -result.row.bound;
    return result;
  }
};

// What two relations, in which the column has factors of opposite signs, say about the other nodes. False: it
// was not kept, because it does not fit.
bool Facts::assume_shadow(const Relation& one, const Relation& other, Index column, Comparison comparison) {
  const bool first_above = one.row.factors[column] > 0;
  const auto row = shadow(first_above ? one.row : other.row, first_above ? other.row : one.row, column);
  if (!row) return false;
  LinearSum sum;
  for (const Entry& entry : entries_)
    if (entry.numeric < row->factors.size())
      sum.add(entry.node, row->factors[entry.numeric]);  // zero may be new
  sum.add_number(row->bound, -1);
  Constraint result;
  switch (compare_with_zero(sum, comparison, *vocabulary_, result)) {
    case Truth::kFalse:
    case Truth::kHard: return false;
    case Truth::kTrue: return true;
    case Truth::kOpen: break;
  }
  return assume(result);
}

// Takes the sums that mention the node out of the list, and adds the differences with nodes that are kept.
std::vector<Facts::Relation> Facts::take_relations(Node node) {
  std::vector<Relation> relations;
  std::erase_if(sums_, [&](const Constraint& one) {
    const LinearSum sum = as_sum(one, *vocabulary_);
    if (!mentions(sum, node)) return false;
    Relation relation;
    relation.row.factors.resize(numerics_);
    for (const Monomial& monomial : sum.monomials())
      relation.row.factors[entries_[find(monomial.node)].numeric] = monomial.factor;
    relation.row.bound = -sum.number();
    relation.comparison = comparison_of(one.kind);
    relation.row.strict = relation.comparison == Comparison::kLess;
    relations.push_back(std::move(relation));
    return true;
  });
  if (relations.empty()) return relations;
  const Index column = entries_[find(node)].numeric;
  for (const Entry& entry : entries_) {
    if (entry.numeric == kNowhere || entry.numeric == column || entry.forgotten) continue;
    for (const std::int64_t sign : {1, -1}) {
      const Bound here = sign > 0 ? bound(column, entry.numeric) : bound(entry.numeric, column);
      if (here >= kNoBound) continue;
      Relation relation;
      relation.difference = true;
      relation.row.factors.resize(numerics_);
      relation.row.factors[column] = sign;
      if (!entry.node.is_zero()) relation.row.factors[entry.numeric] = -sign;
      relation.row.bound = here >> 1;
      relation.row.strict = (here & 1) == 0;
      relation.comparison = relation.row.strict ? Comparison::kLess : Comparison::kLessEqual;
      relations.push_back(std::move(relation));
    }
  }
  return relations;
}

// Takes a forgotten node out of the sums. By an equation in which its factor is 1, or of reals, if there is
// one; otherwise by all pairs of an upper and a lower bound, which for integers is exact where one of the two
// has factor 1. False: something was lost.
bool Facts::eliminate(Node node) {
  if (!simplify_sums()) return false;
  const bool bounded = bounded_on_both_sides(node);
  const bool integer = vocabulary_->domain(node) == Domain::kInteger;
  const Index column = entries_[find(node)].numeric;
  const std::vector<Relation> relations = take_relations(node);
  const auto factor = [&](const Relation& one) { return one.row.factors[column]; };
  bool exact = true;

  const auto solution = std::find_if(relations.begin(), relations.end(), [&](const Relation& one) {
    return one.comparison == Comparison::kEqual && (!integer || std::abs(factor(one)) == 1);
  });
  if (solution != relations.end()) {
    for (auto one = relations.begin(); one != relations.end(); ++one) {
      if (one == solution) continue;
      const bool same_sign = (factor(*one) > 0) == (factor(*solution) > 0);
      exact =
          assume_shadow(*one, same_sign ? solution->turned() : *solution, column, one->comparison) && exact;
    }
    return exact;
  }

  std::vector<Relation> above, below;
  for (const Relation& one : relations) {
    const bool equation = one.comparison == Comparison::kEqual;
    if (one.comparison == Comparison::kDifferent) {
      exact = exact && !bounded;
      continue;
    }
    exact = exact && !equation;  // that the rest is divisible by the factor is lost
    if (equation || factor(one) > 0) above.push_back(factor(one) > 0 ? one : one.turned());
    if (equation || factor(one) < 0) below.push_back(factor(one) < 0 ? one : one.turned());
  }
  for (const Relation& upper : above)
    for (const Relation& lower : below) {
      if (upper.difference && lower.difference) continue;  // the matrix is closed
      const bool strict = upper.row.strict || lower.row.strict;
      exact = exact && (!integer || factor(upper) == 1 || factor(lower) == -1);
      exact =
          assume_shadow(upper, lower, column, strict ? Comparison::kLess : Comparison::kLessEqual) && exact;
    }
  return exact;
}

}  // namespace weir::array
