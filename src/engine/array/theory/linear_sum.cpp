#include "engine/array/theory/linear_sum.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace weir::array {

namespace {

// a + b * c, if it is at most `largest` in size.
bool add_product(std::int64_t& a, std::int64_t b, std::int64_t c, std::int64_t largest) {
  std::int64_t product = 0;
  return !__builtin_mul_overflow(b, c, &product) && !__builtin_add_overflow(a, product, &a) && a <= largest &&
         a >= -largest;
}

}  // namespace

void LinearSum::add(Node node, std::int64_t factor, std::int64_t times) {
  if (node.is_zero()) return;
  auto place = std::lower_bound(monomials_.begin(), monomials_.end(), node,
                                [](const Monomial& one, Node other) { return one.node < other; });
  if (place == monomials_.end() || place->node != node) place = monomials_.insert(place, {node, 0});
  if (!add_product(place->factor, factor, times, kLargestFactor)) fits_ = false;
  if (place->factor == 0) monomials_.erase(place);
}

void LinearSum::add_number(std::int64_t number, std::int64_t times) {
  if (!add_product(number_, number, times, kLargestConstant)) fits_ = false;
}

Node SumTable::node_of(const std::vector<Monomial>& monomials) {
  const auto [place, fresh] = numbers_.try_emplace(monomials, static_cast<std::uint32_t>(sums_.size()));
  if (fresh) {
    WEIR_CHECK(sums_.size() < Node::kMostSums, "too many different sums");
    sums_.push_back(&place->first);
  }
  return Node::sum(place->second);
}

}  // namespace weir::array
