// The part of the theory solver that deals with sums (see facts.hpp).
#include <algorithm>

#include "base/error.hpp"
#include "engine/array/theory/facts.hpp"
#include "engine/array/theory/linear_system.hpp"

namespace weir::array {

namespace {

Node sum_of(const Constraint& one) { return one.a.is_sum() ? one.a : one.b; }

}  // namespace

bool Facts::assume_sum(const Constraint& constraint) {
  vocabulary_->each_part(constraint, [&](Node node) { add(node); });
  sums_.push_back(constraint);
  return simplify_sums();
}

// Zero, or the least node that is kept, among those with a fixed distance.
Facts::Index Facts::speaker(Index row) const {
  Index best = kNowhere;
  for (Index i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    if (entry.numeric == kNowhere || entry.forgotten) continue;
    const bool same =
        entry.numeric == row || sum(bound(row, entry.numeric), bound(entry.numeric, row)) == at_most(0);
    if (!same || (best != kNowhere && entries_[best].node.is_zero())) continue;
    if (best == kNowhere || entry.node.is_zero() || entry.node < entries_[best].node) best = i;
  }
  return best;
}

// Replaces nodes by those that speak for them. False: there is nothing to replace.
bool Facts::rewrite(LinearSum& sum) const {
  LinearSum result;
  bool changed = false;
  for (const Monomial& one : sum.monomials()) {
    const Index index = find(one.node);
    const Index other = index == kNowhere ? kNowhere : speaker(entries_[index].numeric);
    if (other == kNowhere || other == index) {
      result.add(one.node, one.factor);
      continue;
    }
    changed = true;
    result.add(entries_[other].node, one.factor);
    result.add_number(bound(entries_[index].numeric, entries_[other].numeric) >> 1, one.factor);
  }
  result.add_number(sum.number());
  if (!changed || !result.fits()) return false;
  sum = std::move(result);
  return true;
}

// Until no sum mentions a node for which another one speaks. What is no sum then goes into the matrix.
bool Facts::simplify_sums() {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      LinearSum here = as_sum(sums_[i], *vocabulary_);
      if (!rewrite(here)) continue;
      Constraint result;
      const Truth truth = compare_with_zero(here, comparison_of(sums_[i].kind), *vocabulary_, result);
      if (truth == Truth::kFalse) return false;
      if (truth == Truth::kHard) continue;
      if (truth == Truth::kOpen && about_sum(result)) {
        sums_[i] = result;
        continue;
      }
      sums_.erase(sums_.begin() + static_cast<std::ptrdiff_t>(i--));
      if (truth == Truth::kOpen && !assume_plain(result)) return false;
      changed = changed || truth == Truth::kOpen;
    }
  }
  return combine_sums();
}

// Makes one range with holes of all that is said of a sum.
bool Facts::combine_sums() {
  if (sums_.size() < 2) return true;
  struct Range {
    Node sum;
    Bound high = kNoBound;  // of the sum
    Bound low = kNoBound;   // of its opposite
    absl::InlinedVector<std::int64_t, 2> holes;
  };
  std::vector<Range> ranges;
  for (const Constraint& one : sums_) {
    const Node sum = sum_of(one);
    auto range =
        std::find_if(ranges.begin(), ranges.end(), [&](const Range& other) { return other.sum == sum; });
    if (range == ranges.end()) range = ranges.insert(range, Range{.sum = sum, .holes = {}});
    const Bound bound = one.kind == ConstraintKind::kBelow ? below(one.value) : at_most(one.value);
    if (one.kind == ConstraintKind::kDifferent) {
      range->holes.push_back(one.value);
      continue;
    }
    if (one.kind == ConstraintKind::kEqual || one.a == sum) range->high = std::min(range->high, bound);
    if (one.kind == ConstraintKind::kEqual) range->low = std::min(range->low, at_most(-one.value));
    if (one.kind != ConstraintKind::kEqual && one.b == sum) range->low = std::min(range->low, bound);
  }
  sums_.clear();
  for (Range& range : ranges) {
    std::sort(range.holes.begin(), range.holes.end());
    range.holes.erase(std::unique(range.holes.begin(), range.holes.end()), range.holes.end());
    const bool integer = vocabulary_->domain(range.sum) == Domain::kInteger;
    const auto sharpen = [&](Bound& end, std::int64_t hole) {
      if (end == at_most(hole)) end = integer ? at_most(hole - 1) : below(hole);
    };
    for (std::size_t i = range.holes.size(); i-- > 0;) sharpen(range.high, range.holes[i]);
    for (const std::int64_t hole : range.holes) sharpen(range.low, -hole);
    const Bound room = this->sum(range.high, range.low);
    if (room < at_most(0)) return false;
    const auto emit = [&](ConstraintKind kind, Node a, Node b, std::int64_t value) {
      sums_.push_back({kind, a, b, value});
    };
    const auto kind = [](Bound end) {
      return (end & 1) != 0 ? ConstraintKind::kAtMost : ConstraintKind::kBelow;
    };
    if (room == at_most(0)) {
      emit(ConstraintKind::kEqual, range.sum, Node::zero(), range.high >> 1);
      continue;
    }
    if (range.high < kNoBound) emit(kind(range.high), range.sum, Node::zero(), range.high >> 1);
    if (range.low < kNoBound) emit(kind(range.low), Node::zero(), range.sum, range.low >> 1);
    for (const std::int64_t hole : range.holes)
      if (range.high >= at_most(hole) && range.low >= at_most(-hole))
        emit(ConstraintKind::kDifferent, range.sum, Node::zero(), hole);
  }
  return true;
}

// Whether the sums over the domain, the differences between the nodes in them and `extra` have a solution;
// also if that is not known. Disequalities are left out.
bool Facts::possible_with(Domain domain, const Constraint* extra) const {
  std::vector<LinearSum> sums;
  std::vector<ConstraintKind> kinds;
  absl::InlinedVector<Node, 8> nodes;
  const auto take = [&](const Constraint& one) {
    sums.push_back(as_sum(one, *vocabulary_));
    kinds.push_back(one.kind);
    for (const Monomial& monomial : sums.back().monomials())
      if (std::find(nodes.begin(), nodes.end(), monomial.node) == nodes.end()) nodes.push_back(monomial.node);
  };
  for (const Constraint& one : sums_)
    if (one.kind != ConstraintKind::kDifferent && vocabulary_->domain(sum_of(one)) == domain) take(one);
  if (extra != nullptr) take(*extra);
  if (sums.empty()) return true;
  LinearSystem system(nodes.size(), domain == Domain::kInteger);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    LinearSystem::Row row;
    row.factors.resize(nodes.size());
    for (const Monomial& one : sums[i].monomials())
      row.factors[static_cast<std::size_t>(std::find(nodes.begin(), nodes.end(), one.node) - nodes.begin())] =
          one.factor;
    row.bound = -sums[i].number();
    row.strict = kinds[i] == ConstraintKind::kBelow;
    row.equation = kinds[i] == ConstraintKind::kEqual;
    system.add(std::move(row));
  }
  const std::size_t variables = nodes.size();
  nodes.push_back(Node::zero());
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (std::size_t j = 0; j < nodes.size(); ++j) {
      const Index x = find(nodes[i]);
      const Index y = find(nodes[j]);
      if (i == j || x == kNowhere || y == kNowhere) continue;
      const Bound here = bound(entries_[x].numeric, entries_[y].numeric);
      if (here >= kNoBound) continue;
      LinearSystem::Row row;
      row.factors.resize(variables);
      if (i < variables) row.factors[i] = 1;
      if (j < variables) row.factors[j] = -1;
      row.bound = here >> 1;
      row.strict = (here & 1) == 0;
      system.add(std::move(row));
    }
  return system.solvable() != LinearSystem::Answer::kNo;
}

// What the matrix alone does not say.
bool Facts::entails_number(const Constraint& constraint) const {
  bool known = true;
  vocabulary_->each_part(constraint, [&](Node node) { known = known && find(node) != kNowhere; });
  if (!known) return false;
  Constraint here = constraint;
  LinearSum sum = as_sum(constraint, *vocabulary_);
  if (rewrite(sum)) {
    switch (compare_with_zero(sum, comparison_of(constraint.kind), *vocabulary_, here)) {
      case Truth::kTrue: return true;
      case Truth::kFalse: return false;
      case Truth::kHard: here = constraint; break;
      case Truth::kOpen: break;
    }
  }
  if (std::find(sums_.begin(), sums_.end(), here) != sums_.end()) return true;
  if (!about_sum(here)) {
    const Index a = find(here.a);
    const Index b = find(here.b);
    if (a != kNowhere && b != kNowhere && difference_follows(here, a, b)) return true;
    if (sums_.empty()) return false;
  }
  const Domain domain = vocabulary_->domain(here.a.is_zero() ? here.b : here.a);
  if (here.kind == ConstraintKind::kEqual) {
    const auto outside = sides(here, *vocabulary_);
    return !possible_with(domain, &outside[0]) && !possible_with(domain, &outside[1]);
  }
  const Constraint opposite = negated(here, *vocabulary_);
  return !possible_with(domain, &opposite);
}

std::optional<Constraint> Facts::open_disequality() const {
  for (const Constraint& one : sums_)
    if (one.kind == ConstraintKind::kDifferent) return one;
  for (const Disequality& one : disequalities_) {
    if (entries_[one.a].numeric == kNowhere || difference_excludes(one.a, one.b, one.value)) continue;
    const Index a = entries_[one.a].numeric;
    const Index b = entries_[one.b].numeric;
    // Where nothing but differences counts, one that can grow without end can avoid finitely many values.
    if (sums_.empty() && (bound(a, b) >= kNoBound || bound(b, a) >= kNoBound)) continue;
    return Constraint{ConstraintKind::kDifferent, entries_[one.a].node, entries_[one.b].node, one.value};
  }
  return std::nullopt;
}

bool Facts::numbers_satisfiable() const {
  if (!sums_.empty() && !(possible_with(Domain::kInteger, nullptr) && possible_with(Domain::kReal, nullptr)))
    return false;
  const auto different = open_disequality();
  if (!different) return true;
  const auto both = sides(*different, *vocabulary_);
  return std::any_of(both.begin(), both.end(), [&](const Constraint& side) {
    Facts there = *this;
    return there.assume(side) && there.numbers_satisfiable();
  });
}

// One node after the other gets a value with which the others can still have theirs.
std::vector<std::int64_t> Facts::some_numbers() const {
  std::vector<std::int64_t> numbers;
  Facts rest = *this;
  for (const Entry& entry : entries_) {
    if (entry.numeric == kNowhere || entry.node.is_zero()) continue;
    std::vector<std::int64_t> candidates = rest.few_numbers(entry.node);
    candidates.insert(candidates.end(), {0, 1, 2, 3, -1});
    for (const std::int64_t value : candidates) {
      Facts next = rest;
      if (!next.assume({ConstraintKind::kEqual, entry.node, Node::zero(), value})) continue;
      if (!next.numbers_satisfiable()) continue;
      numbers.push_back(value);
      rest = std::move(next);
      break;
    }
  }
  return numbers;
}

// Those that follow from the rest are left out, the later ones first.
void Facts::sums_in_normal_form(std::vector<Constraint>& result) const {
  Facts rest = *this;
  for (std::size_t i = rest.sums_.size(); i-- > 0;) {
    const auto place = rest.sums_.begin() + static_cast<std::ptrdiff_t>(i);
    const Constraint one = *place;
    rest.sums_.erase(place);
    if (!rest.entails_number(one))
      rest.sums_.insert(rest.sums_.begin() + static_cast<std::ptrdiff_t>(i), one);
  }
  result.insert(result.end(), rest.sums_.begin(), rest.sums_.end());
}

}  // namespace weir::array
