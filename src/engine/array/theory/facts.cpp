#include "engine/array/theory/facts.hpp"

#include <algorithm>
#include <bit>

#include "base/error.hpp"

namespace weir::array {

namespace {

bool single(std::uint64_t mask) { return std::has_single_bit(mask); }

}  // namespace

Facts::Bound Facts::sum(Bound x, Bound y) {
  if (x >= kNoBound || y >= kNoBound) return kNoBound;
  return ((x >> 1) + (y >> 1)) * 2 + (x & y & 1);
}

Facts::Index Facts::find(Node node) const {
  for (Index i = 0; i < entries_.size(); ++i)
    if (entries_[i].node == node) return i;
  return kNowhere;
}

Facts::Index Facts::add(Node node) {
  const Index found = find(node);
  if (found != kNowhere) return found;
  const Index index = static_cast<Index>(entries_.size());
  Entry entry{node, index, ~std::uint64_t{0}, kNowhere};
  if (vocabulary_->numeric(node)) {
    entry.numeric = numerics_;
    widen(numerics_ + 1);
    for (Index i = 0; i < numerics_; ++i) bound(i, numerics_) = bound(numerics_, i) = kNoBound;
    bound(numerics_, numerics_) = at_most(0);
    ++numerics_;
  } else {
    entry.mask = vocabulary_->everything(node);
  }
  entries_.push_back(entry);
  return index;
}

void Facts::widen(Index columns) {
  if (columns <= width_) return;
  const Index wider = std::max<Index>(4, 2 * width_);
  absl::InlinedVector<Bound, 16> bounds(static_cast<std::size_t>(wider) * wider, kNoBound);
  for (Index i = 0; i < numerics_; ++i)
    for (Index j = 0; j < numerics_; ++j) bounds[i * wider + j] = bound(i, j);
  bounds_ = std::move(bounds);
  width_ = wider;
}

Facts::Index Facts::root(Index index) const {
  while (entries_[index].parent != index) index = entries_[index].parent;
  return index;
}

bool Facts::restrict(Index index, std::uint64_t mask) {
  const Index top = root(index);
  const std::uint64_t before = entries_[top].mask;
  const std::uint64_t after = before & mask;
  if (after == 0) return false;
  if (after == before) return true;
  entries_[top].mask = after;
  if (!single(after)) return true;
  for (std::size_t i = 0; i < disequalities_.size(); ++i) {
    const Disequality& one = disequalities_[i];
    if (entries_[one.a].numeric != kNowhere) continue;
    const Index a = root(one.a);
    const Index b = root(one.b);
    if (a == top && !restrict(b, ~after)) return false;
    if (b == top && !restrict(a, ~after)) return false;
  }
  return true;
}

bool Facts::merge(Index a, Index b) {
  a = root(a);
  b = root(b);
  if (a == b) return true;
  for (const Disequality& one : disequalities_) {
    if (entries_[one.a].numeric != kNowhere) continue;
    const Index x = root(one.a);
    const Index y = root(one.b);
    if ((x == a && y == b) || (x == b && y == a)) return false;
  }
  if (entries_[b].node < entries_[a].node) std::swap(a, b);
  entries_[b].parent = a;
  const std::uint64_t common = entries_[b].mask;
  const bool was_single = single(entries_[a].mask);
  if (!restrict(a, common)) return false;
  // A class that was settled tells those that differ from the other one.
  if (was_single || single(common)) {
    const std::uint64_t value = entries_[a].mask;
    for (std::size_t i = 0; i < disequalities_.size(); ++i) {
      const Disequality& one = disequalities_[i];
      if (entries_[one.a].numeric != kNowhere) continue;
      const Index x = root(one.a);
      const Index y = root(one.b);
      if (x == a && !restrict(y, ~value)) return false;
      if (y == a && !restrict(x, ~value)) return false;
    }
  }
  return true;
}

bool Facts::difference_excludes(Index a, Index b, std::int64_t value) const {
  const Index x = entries_[a].numeric;
  const Index y = entries_[b].numeric;
  return bound(x, y) < at_most(value) || bound(y, x) < at_most(-value);
}

bool Facts::separate(Index a, Index b, std::int64_t value) {
  if (entries_[a].numeric != kNowhere) {
    if (difference_excludes(a, b, value)) return true;
    disequalities_.push_back({a, b, value});
    return apply_disequalities();
  }
  const Index x = root(a);
  const Index y = root(b);
  if (x == y) return false;
  const std::uint64_t mask_x = entries_[x].mask;
  const std::uint64_t mask_y = entries_[y].mask;
  const bool masks = vocabulary_->has_masks(entries_[a].node);
  if (masks && (mask_x & mask_y) == 0) return true;
  if (masks && single(mask_x)) return restrict(y, ~mask_x);
  if (masks && single(mask_y)) return restrict(x, ~mask_y);
  disequalities_.push_back({a, b, 0});
  return true;
}

bool Facts::tighten(Index row, Index column, Bound value) {
  if (bound(row, column) <= value) return true;
  for (Index i = 0; i < numerics_; ++i) {
    const Bound to_row = sum(bound(i, row), value);
    if (to_row >= kNoBound) continue;
    for (Index j = 0; j < numerics_; ++j) {
      const Bound candidate = sum(to_row, bound(column, j));
      if (candidate < bound(i, j)) bound(i, j) = candidate;
    }
  }
  for (Index i = 0; i < numerics_; ++i)
    if (bound(i, i) < at_most(0)) return false;
  return true;
}

// Where a - b <= c and a - b <> c, sharpens the bound; until nothing changes.
bool Facts::apply_disequalities() {
  bool changed = true;
  while (changed) {
    changed = false;
    for (std::size_t i = 0; i < disequalities_.size(); ++i) {
      const Disequality one = disequalities_[i];
      const Index a = entries_[one.a].numeric;
      if (a == kNowhere) continue;
      const Index b = entries_[one.b].numeric;
      const bool integer = vocabulary_->integer(entries_[one.a].node, entries_[one.b].node);
      if (bound(a, b) == at_most(one.value)) {
        if (!tighten(a, b, integer ? at_most(one.value - 1) : below(one.value))) return false;
        changed = true;
      }
      if (bound(b, a) == at_most(-one.value)) {
        if (!tighten(b, a, integer ? at_most(-one.value - 1) : below(-one.value))) return false;
        changed = true;
      }
    }
  }
  return true;
}

bool Facts::assume(const Constraint& constraint) {
  if (about_sum(constraint)) return assume_sum(constraint);
  return assume_plain(constraint) && (sums_.empty() || simplify_sums());
}

bool Facts::assume_plain(const Constraint& constraint) {
  const Index a = add(constraint.a);
  if (constraint.kind == ConstraintKind::kIn) return restrict(a, constraint.mask());
  const Index b = add(constraint.b);
  const Index row = entries_[a].numeric;
  const Index column = entries_[b].numeric;
  switch (constraint.kind) {
    case ConstraintKind::kEqual:
      if (row == kNowhere) return merge(a, b);
      return tighten(row, column, at_most(constraint.value)) &&
             tighten(column, row, at_most(-constraint.value)) && apply_disequalities();
    case ConstraintKind::kDifferent: return separate(a, b, constraint.value);
    case ConstraintKind::kAtMost:
      return tighten(row, column, at_most(constraint.value)) && apply_disequalities();
    case ConstraintKind::kBelow:
      return tighten(row, column, below(constraint.value)) && apply_disequalities();
    case ConstraintKind::kIn: break;
  }
  return true;
}

bool Facts::assume_all(const std::vector<Constraint>& constraints) {
  for (const Constraint& constraint : constraints)
    if (!assume(constraint)) return false;
  return sums_.empty() || (possible_with(Domain::kInteger, nullptr) && possible_with(Domain::kReal, nullptr));
}

std::uint64_t Facts::mask(Node node) const {
  const Index index = find(node);
  return index == kNowhere ? vocabulary_->everything(node) : entries_[root(index)].mask;
}

std::vector<std::int64_t> Facts::few_numbers(Node node) const {
  std::vector<std::int64_t> numbers;
  const Index index = find(node);
  const Index zero = find(Node::zero());
  if (index != kNowhere && zero != kNowhere) {
    const Bound high = bound(entries_[index].numeric, entries_[zero].numeric);
    const Bound low = bound(entries_[zero].numeric, entries_[index].numeric);
    if (high < kNoBound) numbers.push_back(high >> 1);
    if (low < kNoBound) numbers.push_back(-(low >> 1));
    if (high < kNoBound && low >= kNoBound) numbers.push_back((high >> 1) - 1);
    if (low < kNoBound && high >= kNoBound) numbers.push_back(1 - (low >> 1));
  }
  if (numbers.empty()) numbers = {0, 1};
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

// Whether the matrix and the disequalities say so.
bool Facts::difference_follows(const Constraint& constraint, Index a, Index b) const {
  const Index row = entries_[a].numeric;
  const Index column = entries_[b].numeric;
  switch (constraint.kind) {
    case ConstraintKind::kEqual:
      return bound(row, column) == at_most(constraint.value) &&
             bound(column, row) == at_most(-constraint.value);
    case ConstraintKind::kDifferent:
      if (difference_excludes(a, b, constraint.value)) return true;
      return std::any_of(disequalities_.begin(), disequalities_.end(), [&](const Disequality& one) {
        return (one.a == a && one.b == b && one.value == constraint.value) ||
               (one.a == b && one.b == a && one.value == -constraint.value);
      });
    case ConstraintKind::kAtMost: return bound(row, column) <= at_most(constraint.value);
    case ConstraintKind::kBelow: return bound(row, column) <= below(constraint.value);
    case ConstraintKind::kIn: break;
  }
  return false;
}

bool Facts::entails(const Constraint& constraint) const {
  if (constraint.kind == ConstraintKind::kIn) return (mask(constraint.a) & ~constraint.mask()) == 0;
  if (about_sum(constraint)) return entails_number(constraint);
  const Index a = find(constraint.a);
  const Index b = find(constraint.b);
  if (a == kNowhere || b == kNowhere)  // zero need not have an entry
    return !sums_.empty() && vocabulary_->numeric(constraint.a) && entails_number(constraint);
  if (entries_[a].numeric != kNowhere) {
    if (difference_follows(constraint, a, b)) return true;
    return !sums_.empty() && entails_number(constraint);
  }
  const Index x = root(a);
  const Index y = root(b);
  const bool masks = vocabulary_->has_masks(constraint.a);
  if (constraint.kind == ConstraintKind::kEqual)
    return x == y || (masks && single(entries_[x].mask) && entries_[x].mask == entries_[y].mask);
  if (x == y) return false;
  if (masks && (entries_[x].mask & entries_[y].mask) == 0) return true;
  for (const Disequality& one : disequalities_) {
    if (entries_[one.a].numeric != kNowhere) continue;
    const Index p = root(one.a);
    const Index q = root(one.b);
    if ((p == x && q == y) || (p == y && q == x)) return true;
  }
  return false;
}

bool Facts::refutes(const Constraint& constraint) const {
  if (constraint.kind == ConstraintKind::kIn) return (mask(constraint.a) & constraint.mask()) == 0;
  return entails(negated(constraint, *vocabulary_));
}

bool Facts::satisfiable() const { return numbers_satisfiable() && classes_satisfiable(); }

bool Facts::classes_satisfiable() const {
  for (const Disequality& one : disequalities_) {
    if (entries_[one.a].numeric != kNowhere || !vocabulary_->has_masks(entries_[one.a].node)) continue;
    const Index x = root(one.a);
    const std::uint64_t open = entries_[x].mask;
    const std::uint64_t other = entries_[root(one.b)].mask;
    if (single(open) || (open & other) == 0) continue;
    if (vocabulary_->domain(entries_[one.a].node) == Domain::kProcess && (open >> 63) != 0) continue;
    for (std::uint64_t rest = open; rest != 0; rest &= rest - 1) {
      Facts side = *this;
      if (side.restrict(x, rest & -rest) && side.classes_satisfiable()) return true;
    }
    return false;
  }
  return true;
}

bool Facts::open_finite(Node node) const {
  const Index index = find(node);
  if (index == kNowhere || !vocabulary_->has_masks(node)) return false;
  const Index top = root(index);
  if (single(entries_[top].mask)) return false;
  for (const Disequality& one : disequalities_) {
    if (entries_[one.a].numeric != kNowhere) continue;
    const Index x = root(one.a);
    const Index y = root(one.b);
    if ((x == top || y == top) && (entries_[x].mask & entries_[y].mask) != 0) return true;
  }
  return false;
}

bool Facts::forget(Node node) {
  const Index index = find(node);
  if (index == kNowhere) return true;
  entries_[index].forgotten = true;
  return sums_.empty() || entries_[index].numeric == kNowhere || eliminate(node);
}

std::vector<Constraint> Facts::differences() const {
  std::vector<Constraint> result;
  for (const Entry& x : entries_)
    for (const Entry& y : entries_) {
      if (x.numeric == kNowhere || y.numeric == kNowhere || x.numeric == y.numeric) continue;
      const Bound direct = bound(x.numeric, y.numeric);
      if (direct >= kNoBound) continue;
      const bool equal = sum(direct, bound(y.numeric, x.numeric)) == at_most(0);
      if (equal && x.numeric < y.numeric)
        result.push_back({ConstraintKind::kEqual, x.node, y.node, direct >> 1});
      if (!equal)
        result.push_back({(direct & 1) != 0 ? ConstraintKind::kAtMost : ConstraintKind::kBelow, x.node,
                          y.node, direct >> 1});
    }
  return result;
}

void Facts::normal_form(std::vector<Constraint>& result) const {
  result.clear();
  classes_in_normal_form(result);
  if (numerics_ > 0) differences_in_normal_form(result);
  if (!sums_.empty()) sums_in_normal_form(result);
  std::sort(result.begin(), result.end());
}

void Facts::classes_in_normal_form(std::vector<Constraint>& result) const {
  // The least node of a class that is not forgotten speaks for it.
  absl::InlinedVector<Index, 16> speaker(entries_.size(), kNowhere);
  for (Index i = 0; i < entries_.size(); ++i) {
    if (entries_[i].numeric != kNowhere || entries_[i].forgotten) continue;
    Index& chosen = speaker[root(i)];
    if (chosen == kNowhere || entries_[i].node < entries_[chosen].node) chosen = i;
  }
  for (Index i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    if (entry.numeric != kNowhere || entry.forgotten) continue;
    const Index top = root(i);
    const std::uint64_t mask = entries_[top].mask;
    const bool masks = vocabulary_->has_masks(entry.node);
    const bool settled = masks && single(mask);
    if (masks && (settled || speaker[top] == i) && mask != vocabulary_->everything(entry.node))
      result.push_back(Constraint::in(entry.node, mask));
    if (!settled && speaker[top] != i)
      result.push_back({ConstraintKind::kEqual, entry.node, entries_[speaker[top]].node, 0});
  }
  const std::size_t first = result.size();
  for (const Disequality& one : disequalities_) {
    if (entries_[one.a].numeric != kNowhere) continue;
    Index x = speaker[root(one.a)];
    Index y = speaker[root(one.b)];
    if (x == kNowhere || y == kNowhere) continue;
    if (vocabulary_->has_masks(entries_[x].node) && (entries_[root(x)].mask & entries_[root(y)].mask) == 0)
      continue;
    if (entries_[y].node < entries_[x].node) std::swap(x, y);
    const Constraint different{ConstraintKind::kDifferent, entries_[x].node, entries_[y].node, 0};
    if (std::find(result.begin() + static_cast<std::ptrdiff_t>(first), result.end(), different) ==
        result.end())
      result.push_back(different);
  }
}

void Facts::differences_in_normal_form(std::vector<Constraint>& result) const {
  absl::InlinedVector<Index, 16> entry_of(numerics_, kNowhere);
  for (Index i = 0; i < entries_.size(); ++i)
    if (entries_[i].numeric != kNowhere && !entries_[i].forgotten) entry_of[entries_[i].numeric] = i;
  const auto node = [&](Index row) { return entries_[entry_of[row]].node; };
  // Zero speaks before all others, then the least node.
  const auto before = [&](Index x, Index y) {
    if (node(x).is_zero() != node(y).is_zero()) return node(x).is_zero();
    return node(x) < node(y);
  };
  absl::InlinedVector<Index, 16> speakers;
  for (Index i = 0; i < numerics_; ++i) {
    if (entry_of[i] == kNowhere) continue;
    Index speaker = i;
    for (Index j = 0; j < numerics_; ++j) {
      if (entry_of[j] == kNowhere || j == i) continue;
      if (bound(i, j) < kNoBound && sum(bound(i, j), bound(j, i)) == at_most(0) && before(j, speaker))
        speaker = j;
    }
    if (speaker == i) {
      speakers.push_back(i);
    } else {
      result.push_back({ConstraintKind::kEqual, node(i), node(speaker), bound(i, speaker) >> 1});
    }
  }
  for (const Index x : speakers)
    for (const Index y : speakers) {
      const Bound direct = bound(x, y);
      if (x == y || direct >= kNoBound) continue;
      const bool implied = std::any_of(speakers.begin(), speakers.end(), [&](Index k) {
        return k != x && k != y && sum(bound(x, k), bound(k, y)) <= direct;
      });
      if (!implied)
        result.push_back({(direct & 1) != 0 ? ConstraintKind::kAtMost : ConstraintKind::kBelow, node(x),
                          node(y), direct >> 1});
    }
  for (const Disequality& one : disequalities_) {
    if (entries_[one.a].numeric == kNowhere || entries_[one.a].forgotten || entries_[one.b].forgotten)
      continue;
    if (difference_excludes(one.a, one.b, one.value)) continue;
    Constraint different{ConstraintKind::kDifferent, entries_[one.a].node, entries_[one.b].node, one.value};
    if (different.b < different.a)
      different = {ConstraintKind::kDifferent, different.b, different.a, -one.value};
    if (std::find(result.begin(), result.end(), different) == result.end()) result.push_back(different);
  }
}

}  // namespace weir::array
