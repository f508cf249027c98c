// Which stored elements may be below, or above, a given one? Comparing with all of them is what backward
// searches spend their time on, so elements carry a signature: a set of 64 features and a size, both of which
// can only grow along the order. What remains is to find the stored sets that are subsets, or supersets, of a
// given one. They are kept in a binary tree whose inner nodes test one feature, like the feature vector
// indices of theorem provers [Schulz13], but with the feature chosen when a leaf overflows: the one that
// splits it most evenly. Looking for subsets, the branch with the feature is entered only if the query has
// it; looking for supersets, the branch without it only if the query has it not. That alone prunes little for
// queries with few features, so nodes also know which features all, and which some, of their entries have.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace weir {

// If a is below b, then the features of a are among those of b, and the size of a is at most that of b.
struct Signature {
  std::uint64_t features = 0;
  std::uint32_t size = 0;

  friend bool operator==(const Signature&, const Signature&) = default;
};

inline bool may_be_below(const Signature& a, const Signature& b) {
  return (a.features & ~b.features) == 0 && a.size <= b.size;
}

class SubsumptionIndex {
 public:
  using Element = std::uint32_t;

  void insert(const Signature& signature, Element element) {
    std::uint32_t at = 0;
    for (;; at = nodes_[at].child[nodes_[at].branch(signature)]) {
      nodes_[at].summary.include(signature);
      if (nodes_[at].leaf != kInner) break;
    }
    std::vector<Entry>& entries = leaves_[nodes_[at].leaf].entries;
    entries.push_back({signature, element});
    if (entries.size() > leaves_[nodes_[at].leaf].capacity) split(at);
  }

  void erase(const Signature& signature, Element element) {
    std::vector<Entry>& entries = leaves_[nodes_[leaf_for(signature)].leaf].entries;
    for (Entry& entry : entries)
      if (entry.element == element) {
        entry = entries.back();
        entries.pop_back();
        return;
      }
    WEIR_CHECK(false, "only what is stored is erased");
  }

  // Is there an element that may be below the query and satisfies the test?
  template <class Test>
  bool any_below(const Signature& query, const Test& test) const {
    return any_below(0, query, test);
  }

  // Visits every element that may be above the query.
  template <class Visit>
  void for_each_above(const Signature& query, const Visit& visit) const {
    for_each_above(0, query, visit);
  }

 private:
  static constexpr std::size_t kLeafCapacity = 24;
  static constexpr std::uint32_t kInner = 0xFFFFFFFF;

  struct Entry {
    Signature signature;
    Element element;
  };
  struct Leaf {
    std::vector<Entry> entries;
    std::size_t capacity = kLeafCapacity;  // grows where all signatures have the same features
  };
  // Of the entries below a node, erased ones included.
  struct Summary {
    std::uint64_t common = ~std::uint64_t{0}, some = 0;
    std::uint32_t least_size = 0xFFFFFFFF, most_size = 0;

    void include(const Signature& s) {
      common &= s.features;
      some |= s.features;
      least_size = std::min(least_size, s.size);
      most_size = std::max(most_size, s.size);
    }
    bool may_hold_below(const Signature& query) const {
      return (common & ~query.features) == 0 && least_size <= query.size;
    }
    bool may_hold_above(const Signature& query) const {
      return (query.features & ~some) == 0 && query.size <= most_size;
    }
  };
  struct Node {
    Summary summary;
    std::uint32_t leaf = kInner;
    std::uint32_t feature = 0;
    std::array<std::uint32_t, 2> child{};  // without and with the feature

    std::size_t branch(const Signature& s) const { return s.features >> feature & 1; }
  };

  std::uint32_t leaf_for(const Signature& signature) const {
    std::uint32_t at = 0;
    while (nodes_[at].leaf == kInner) at = nodes_[at].child[nodes_[at].branch(signature)];
    return at;
  }

  // The tree is at most 64 deep, so recursion is harmless.
  template <class Test>
  bool any_below(std::uint32_t at, const Signature& query, const Test& test) const {
    const Node& node = nodes_[at];
    if (!node.summary.may_hold_below(query)) return false;
    if (node.leaf == kInner) {
      return any_below(node.child[0], query, test) ||
             (node.branch(query) == 1 && any_below(node.child[1], query, test));
    }
    for (const Entry& entry : leaves_[node.leaf].entries)
      if (may_be_below(entry.signature, query) && test(entry.element)) return true;
    return false;
  }

  template <class Visit>
  void for_each_above(std::uint32_t at, const Signature& query, const Visit& visit) const {
    const Node& node = nodes_[at];
    if (!node.summary.may_hold_above(query)) return;
    if (node.leaf == kInner) {
      if (node.branch(query) == 0) for_each_above(node.child[0], query, visit);
      return for_each_above(node.child[1], query, visit);
    }
    for (const Entry& entry : leaves_[node.leaf].entries)
      if (may_be_below(query, entry.signature)) visit(entry.element);
  }

  // The feature that splits the entries most evenly; 64 if all have the same.
  static std::uint32_t best_feature(const std::vector<Entry>& entries) {
    std::array<std::size_t, 64> with{};
    for (const Entry& entry : entries)
      for (std::uint64_t rest = entry.signature.features; rest != 0; rest &= rest - 1)
        ++with[static_cast<std::size_t>(std::countr_zero(rest))];
    std::uint32_t best = 64;
    std::size_t best_smaller_half = 0;
    for (std::uint32_t f = 0; f < 64; ++f) {
      const std::size_t smaller_half = std::min(with[f], entries.size() - with[f]);
      if (smaller_half <= best_smaller_half) continue;
      best = f;
      best_smaller_half = smaller_half;
    }
    return best;
  }

  void split(std::uint32_t at) {
    const std::uint32_t old = nodes_[at].leaf;
    const std::uint32_t feature = best_feature(leaves_[old].entries);
    if (feature == 64) {
      leaves_[old].capacity *= 2;
      return;
    }
    const std::vector<Entry> entries = std::move(leaves_[old].entries);
    leaves_[old] = {};
    leaves_.emplace_back();
    const auto child = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back({.leaf = old});
    nodes_.push_back({.leaf = static_cast<std::uint32_t>(leaves_.size() - 1)});
    nodes_[at] = {.summary = nodes_[at].summary, .feature = feature, .child = {child, child + 1}};
    for (const Entry& entry : entries) {
      Node& half = nodes_[child + nodes_[at].branch(entry.signature)];
      half.summary.include(entry.signature);
      leaves_[half.leaf].entries.push_back(entry);
    }
  }

  std::vector<Node> nodes_{{.leaf = 0}};
  std::vector<Leaf> leaves_{1};
};

}  // namespace weir
