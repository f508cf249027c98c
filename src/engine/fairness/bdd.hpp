// Binary decision diagrams, as much of them as the fairness algorithms need. This is the only header that
// knows there is a package behind them, and bdd.cpp the only file that includes BuDDy: another package takes
// its place here.
//
// BuDDy keeps its nodes in one table of the process. So there is one `BddPackage` at a time, it must outlive
// every `Bdd`, and all of it belongs to one thread. BuDDy reports mistakes and a full table through a hook;
// here they become `std::bad_alloc` and `InternalError` at the operation that caused them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace weir::fairness {

// A Boolean function. The empty function after default construction is `false`.
class Bdd {
 public:
  Bdd() = default;
  Bdd(const Bdd& other);
  Bdd(Bdd&& other) noexcept : node_(other.node_) { other.node_ = 0; }
  Bdd& operator=(const Bdd& other);
  Bdd& operator=(Bdd&& other) noexcept;
  ~Bdd();

  bool empty() const { return node_ == 0; }
  friend bool operator==(const Bdd& a, const Bdd& b) { return a.node_ == b.node_; }

  friend Bdd operator&(const Bdd& a, const Bdd& b);
  friend Bdd operator|(const Bdd& a, const Bdd& b);
  friend Bdd operator-(const Bdd& a, const Bdd& b);
  Bdd& operator&=(const Bdd& other) { return *this = *this & other; }
  Bdd& operator|=(const Bdd& other) { return *this = *this | other; }
  Bdd& operator-=(const Bdd& other) { return *this = *this - other; }

 private:
  friend class BddPackage;
  explicit Bdd(int node);  // takes a result of BuDDy, or reports why there is none

  int node_ = 0;
};

// Functions over two banks of `bits` variables, upper and lower: every upper variable is above every lower
// one. An element of a bank is a number whose highest bit belongs to the bank's topmost variable.
class BddPackage {
 public:
  using Pair = std::pair<std::uint32_t, std::uint32_t>;

  // `nodes`: about how many nodes there will be; the table grows beyond that, more slowly.
  BddPackage(unsigned bits, std::size_t nodes);
  ~BddPackage();
  BddPackage(const BddPackage&) = delete;
  BddPackage& operator=(const BddPackage&) = delete;

  unsigned bits() const { return bits_; }

  // The set of these elements of the upper bank; ascending.
  Bdd set(std::span<const std::uint32_t> elements);
  // The relation of these pairs (upper, lower); ascending.
  Bdd relation(std::span<const Pair> pairs);

  // Both take a set in the upper bank and give one there.
  // { lower | some upper in `set` is related to it }, moved to the upper bank.
  Bdd image(const Bdd& relation, const Bdd& set) const;
  // { upper in `among` | it is related to some lower whose twin in the upper bank is in `set` }.
  Bdd preimage(const Bdd& relation, const Bdd& set, const Bdd& among) const;

  // Of sets in the upper bank. Exact up to 2^53.
  std::uint64_t count(const Bdd& set) const;
  std::uint32_t least(const Bdd& set) const;
  std::vector<std::uint32_t> elements(const Bdd& set) const;  // ascending

  std::size_t nodes_in_use() const;
  void collect_garbage();  // and empties the cache

 private:
  Bdd node(unsigned variable, const Bdd& low, const Bdd& high) const;
  Bdd upper_set(std::span<const std::uint32_t> elements, unsigned depth) const;
  Bdd upper_part(std::span<const Pair> pairs, unsigned depth);
  bool meets(int lower, int upper) const;
  Bdd preimage_part(int relation, int set, const Bdd& among) const;
  Bdd lower_part(std::span<const Pair> pairs, unsigned depth);
  const Bdd& lower_singleton(std::uint32_t element, unsigned depth);

  unsigned bits_;
  Bdd upper_variables_;
  void* to_upper_ = nullptr;  // BuDDy's renaming
  // By depth and the remaining bits: the set of one element in the variables of the lower bank from there on.
  // Successor sets are sparse, so nearly all of their nodes are these.
  std::vector<std::vector<Bdd>> singletons_;
};

}  // namespace weir::fairness
