// Sums of nodes with whole factors, beyond differences: 2 X + Y - Z.
//
// A constraint speaks of nodes, and a sum is made one: equal sums get the same node, once, and everything
// that handles constraints handles those about sums. In a constraint the nodes of a sum are sorted, its first
// factor is positive, and its factors have no common factor (that the bound has, too, if they are reals); X
// and X - Y are no sums there. What does not fit into the numbers used here is never cut off: the sum says
// that it does not fit.
#pragma once

#include <absl/container/node_hash_map.h>
#include <cstdint>
#include <vector>

#include "base/archive.hpp"
#include "engine/array/node.hpp"

namespace weir::array {

// Numbers up to this size may stand in constraints: a path through hundreds of them stays far from overflow.
inline constexpr std::int64_t kLargestConstant = std::int64_t{1} << 52;
inline constexpr std::int64_t kLargestFactor = std::int64_t{1} << 31;

struct Monomial {
  Node node;
  std::int64_t factor = 0;

  template <class Archive>
  void transfer(Archive& archive) {
    archive(node, factor);
  }

  friend bool operator==(const Monomial&, const Monomial&) = default;
  template <class H>
  friend H AbslHashValue(H state, const Monomial& one) {
    return H::combine(std::move(state), one.node.bits(), one.factor);
  }
};

// A sum that is being put together: monomials plus a number.
class LinearSum {
 public:
  void add(Node node, std::int64_t factor, std::int64_t times = 1);
  void add_number(std::int64_t number, std::int64_t times = 1);

  // Sorted by node, no node twice, no factor 0.
  const std::vector<Monomial>& monomials() const { return monomials_; }
  std::int64_t number() const { return number_; }
  // Whether all numbers are within the limits above.
  bool fits() const { return fits_; }

 private:
  std::vector<Monomial> monomials_;
  std::int64_t number_ = 0;
  bool fits_ = true;
};

// The sums that have nodes.
class SumTable {
 public:
  Node node_of(const std::vector<Monomial>& monomials);
  const std::vector<Monomial>& monomials(Node sum) const { return *sums_[sum.sum()]; }

  // See base/archive.hpp. Reading gives them the numbers that they had, if those that are there have theirs.
  template <class Archive>
  void transfer(Archive& archive) {
    auto count = std::uint64_t{sums_.size()};
    archive(count);
    for (std::uint64_t number = 0; number < count; ++number) {
      if constexpr (Archive::kReads) {
        std::vector<Monomial> monomials;
        archive(monomials);
        if (node_of(monomials).sum() != number) throw ArchiveError("a sum has another number");
      } else {
        archive(*sums_[number]);
      }
    }
  }

 private:
  absl::node_hash_map<std::vector<Monomial>, std::uint32_t> numbers_;
  std::vector<const std::vector<Monomial>*> sums_;  // the keys above, by number
};

}  // namespace weir::array
