#include "engine/fairness/bdd.hpp"

#include <algorithm>
#include <bdd.h>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <new>

#include "base/error.hpp"

// BuDDy's header gives C++ its own handles under the names of these functions; here the handle is Bdd.
#undef bdd_ithvar
#undef bdd_makeset

namespace weir::fairness {

namespace {

// BuDDy's hook gets no argument of ours, and BuDDy is one per process: so is what it said last.
int last_error = 0;

void note_error(int code) { last_error = std::abs(code); }

[[noreturn]] void report_error() {
  const int code = std::exchange(last_error, 0);
  bdd_clear_error();
  if (code == -BDD_MEMORY || code == -BDD_NODENUM) throw std::bad_alloc();
  throw InternalError(fmt::format("the BDD package failed: {}", bdd_errstring(-code)));
}

bool bit(std::uint32_t element, unsigned bits, unsigned depth) {
  return (element >> (bits - 1 - depth) & 1) != 0;
}

bddPair* renaming(void* pointer) { return static_cast<bddPair*>(pointer); }

}  // namespace

Bdd::Bdd(int node) : node_(bdd_addref(node)) {
  if (last_error != 0) report_error();
}

Bdd::Bdd(const Bdd& other) : node_(bdd_addref(other.node_)) {}

Bdd& Bdd::operator=(const Bdd& other) {
  const int old = std::exchange(node_, bdd_addref(other.node_));
  bdd_delref(old);
  return *this;
}

Bdd& Bdd::operator=(Bdd&& other) noexcept {
  std::swap(node_, other.node_);
  return *this;
}

Bdd::~Bdd() {
  if (node_ > 1) bdd_delref(node_);
}

Bdd operator&(const Bdd& a, const Bdd& b) { return Bdd(bdd_apply(a.node_, b.node_, bddop_and)); }
Bdd operator|(const Bdd& a, const Bdd& b) { return Bdd(bdd_apply(a.node_, b.node_, bddop_or)); }
Bdd operator-(const Bdd& a, const Bdd& b) { return Bdd(bdd_apply(a.node_, b.node_, bddop_diff)); }

BddPackage::BddPackage(unsigned bits, std::size_t nodes) : bits_(bits), singletons_(bits + 1) {
  WEIR_CHECK(bdd_isrunning() == 0, "one BDD package at a time");
  WEIR_CHECK(bits >= 1 && bits <= 30, "an element of a bank is a number of up to 30 bits");
  constexpr std::size_t kLeastNodes = 20'000, kMostNodes = 200'000'000;
  nodes = std::clamp(nodes, kLeastNodes, kMostNodes);
  // Not more: products over an explicit graph find little in the cache, and one that leaves the processor's
  // own caches makes them twice as slow.
  const std::size_t cache = std::clamp<std::size_t>(nodes / 12, 5'000, 150'000);
  last_error = 0;
  if (bdd_init(static_cast<int>(nodes), static_cast<int>(cache)) < 0) throw std::bad_alloc();
  bdd_error_hook(note_error);
  bdd_gbc_hook(nullptr);
  bdd_resize_hook(nullptr);
  bdd_setmaxincrease(static_cast<int>(std::max<std::size_t>(nodes / 2, 100'000)));
  bdd_setvarnum(static_cast<int>(2 * bits));
  std::vector<int> upper(bits), lower(bits);
  for (unsigned b = 0; b < bits; ++b) {
    upper[b] = static_cast<int>(b);
    lower[b] = static_cast<int>(bits + b);
  }
  const int size = static_cast<int>(bits);
  upper_variables_ = Bdd(bdd_makeset(upper.data(), size));
  bddPair* to_upper = bdd_newpair();
  bdd_setpairs(to_upper, lower.data(), upper.data(), size);
  to_upper_ = to_upper;
  for (unsigned depth = 0; depth <= bits; ++depth)
    singletons_[depth].resize(std::size_t{1} << (bits - depth));
  singletons_[bits][0] = Bdd(1);
}

BddPackage::~BddPackage() {
  singletons_.clear();
  upper_variables_ = Bdd();
  bdd_done();
}

Bdd BddPackage::node(unsigned variable, const Bdd& low, const Bdd& high) const {
  if (low == high) return low;
  return Bdd(bdd_ite(bdd_ithvar(static_cast<int>(variable)), high.node_, low.node_));
}

Bdd BddPackage::set(std::span<const std::uint32_t> elements) { return upper_set(elements, 0); }

Bdd BddPackage::upper_set(std::span<const std::uint32_t> elements, unsigned depth) const {
  if (elements.empty()) return Bdd();
  if (depth == bits_) return Bdd(1);
  const auto middle = std::partition_point(elements.begin(), elements.end(),
                                           [&](std::uint32_t e) { return !bit(e, bits_, depth); });
  const auto low = static_cast<std::size_t>(middle - elements.begin());
  return node(depth, upper_set(elements.first(low), depth + 1), upper_set(elements.subspan(low), depth + 1));
}

Bdd BddPackage::relation(std::span<const Pair> pairs) { return upper_part(pairs, 0); }

Bdd BddPackage::upper_part(std::span<const Pair> pairs, unsigned depth) {
  if (pairs.empty()) return Bdd();
  if (depth == bits_) return lower_part(pairs, 0);
  const auto middle = std::partition_point(pairs.begin(), pairs.end(),
                                           [&](const Pair& pair) { return !bit(pair.first, bits_, depth); });
  const auto low = static_cast<std::size_t>(middle - pairs.begin());
  return node(depth, upper_part(pairs.first(low), depth + 1), upper_part(pairs.subspan(low), depth + 1));
}

Bdd BddPackage::lower_part(std::span<const Pair> pairs, unsigned depth) {
  if (pairs.empty()) return Bdd();
  if (pairs.size() == 1) return lower_singleton(pairs.front().second, depth);
  WEIR_ASSERT(depth < bits_, "pairs are given once");
  const auto middle = std::partition_point(pairs.begin(), pairs.end(),
                                           [&](const Pair& pair) { return !bit(pair.second, bits_, depth); });
  const auto low = static_cast<std::size_t>(middle - pairs.begin());
  return node(bits_ + depth, lower_part(pairs.first(low), depth + 1),
              lower_part(pairs.subspan(low), depth + 1));
}

const Bdd& BddPackage::lower_singleton(std::uint32_t element, unsigned depth) {
  Bdd& known = singletons_[depth][element & ((std::uint32_t{1} << (bits_ - depth)) - 1)];
  if (!known.empty()) return known;
  const Bdd& rest = lower_singleton(element, depth + 1);
  const bool high = bit(element, bits_, depth);
  known = node(bits_ + depth, high ? Bdd() : rest, high ? rest : Bdd());
  return known;
}

Bdd BddPackage::image(const Bdd& relation, const Bdd& set) const {
  const Bdd lower(bdd_appex(relation.node_, set.node_, bddop_and, upper_variables_.node_));
  return Bdd(bdd_replace(lower.node_, renaming(to_upper_)));
}

// Has a set in the lower bank an element whose twin is in a set in the upper one? At most the elements of the
// first are looked at, and mostly few of them.
bool BddPackage::meets(int lower, int upper) const {
  if (lower == 0 || upper == 0) return false;
  if (lower == 1 || upper == 1) return true;
  const int below = bdd_var(lower) - static_cast<int>(bits_), above = bdd_var(upper);
  const auto next = [](int node, bool tested, bool high) {
    return !tested ? node : high ? bdd_high(node) : bdd_low(node);
  };
  for (const bool high : {false, true})
    if (meets(next(lower, below <= above, high), next(upper, above <= below, high))) return true;
  return false;
}

// The upper part of a relation is walked like a tree, source by source: an explicit graph shares next to
// nothing there. At its end is the set of targets of a source, of which one in `set` is enough. No node is
// made but those of the result, where a product would make the relation restricted to `among`.
Bdd BddPackage::preimage_part(int relation, int set, const Bdd& among) const {
  if (relation == 0 || among.empty()) return {};
  const int tested = relation == 1 ? 2 * static_cast<int>(bits_) : bdd_var(relation);
  if (tested >= static_cast<int>(bits_)) return meets(relation, set) ? among : Bdd();
  const int asked = among.node_ == 1 ? tested : std::min(tested, bdd_var(among.node_));
  const bool splits = tested == asked, narrows = among.node_ != 1 && bdd_var(among.node_) == asked;
  const auto half = [&](bool high) {
    const Bdd rest = narrows ? Bdd(high ? bdd_high(among.node_) : bdd_low(among.node_)) : among;
    return preimage_part(!splits ? relation : high ? bdd_high(relation) : bdd_low(relation), set, rest);
  };
  const Bdd low = half(false), high = half(true);
  return node(static_cast<unsigned>(asked), low, high);
}

Bdd BddPackage::preimage(const Bdd& relation, const Bdd& set, const Bdd& among) const {
  return preimage_part(relation.node_, set.node_, among);
}

std::uint64_t BddPackage::count(const Bdd& set) const {
  if (set.empty()) return 0;
  return static_cast<std::uint64_t>(std::llround(bdd_satcountset(set.node_, upper_variables_.node_)));
}

std::uint32_t BddPackage::least(const Bdd& set) const {
  WEIR_CHECK(!set.empty(), "an element of the empty set");
  std::uint32_t element = 0;
  for (int node = set.node_; node > 1;) {
    const bool high = bdd_low(node) == 0;
    if (high) element |= std::uint32_t{1} << (bits_ - 1 - static_cast<unsigned>(bdd_var(node)));
    node = high ? bdd_high(node) : bdd_low(node);
  }
  return element;
}

std::vector<std::uint32_t> BddPackage::elements(const Bdd& set) const {
  std::vector<std::uint32_t> result;
  const auto visit = [&](auto&& self, int node, unsigned depth, std::uint32_t prefix) -> void {
    if (node == 0) return;
    if (depth == bits_) return result.push_back(prefix);
    const bool tested = node > 1 && static_cast<unsigned>(bdd_var(node)) == depth;
    self(self, tested ? bdd_low(node) : node, depth + 1, prefix << 1);
    self(self, tested ? bdd_high(node) : node, depth + 1, prefix << 1 | 1);
  };
  visit(visit, set.node_, 0, 0);
  return result;
}

void BddPackage::collect_garbage() { bdd_gbc(); }

std::size_t BddPackage::nodes_in_use() const { return static_cast<std::size_t>(bdd_getnodenum()); }

}  // namespace weir::fairness
