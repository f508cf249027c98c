// A set of small numbers, as wide as the execution graphs that are made of such sets.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace weir {

template <std::size_t Words>
class Bits {
 public:
  static constexpr std::size_t kCapacity = Words * 64;

  bool test(std::size_t i) const { return (words_[i / 64] >> (i % 64) & 1) != 0; }
  void set(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  void reset(std::size_t i) { words_[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }

  Bits& operator|=(const Bits& other) {
    for (std::size_t w = 0; w < Words; ++w) words_[w] |= other.words_[w];
    return *this;
  }
  Bits& operator&=(const Bits& other) {
    for (std::size_t w = 0; w < Words; ++w) words_[w] &= other.words_[w];
    return *this;
  }
  Bits& operator-=(const Bits& other) {
    for (std::size_t w = 0; w < Words; ++w) words_[w] &= ~other.words_[w];
    return *this;
  }
  friend Bits operator|(Bits a, const Bits& b) { return a |= b; }
  friend Bits operator&(Bits a, const Bits& b) { return a &= b; }
  friend Bits operator-(Bits a, const Bits& b) { return a -= b; }
  friend bool operator==(const Bits&, const Bits&) = default;

  // See base/archive.hpp.
  template <class Archive>
  void transfer(Archive& archive) {
    for (std::uint64_t& word : words_) archive(word);
  }

  bool empty() const {
    for (const std::uint64_t word : words_)
      if (word != 0) return false;
    return true;
  }

  bool contains(const Bits& other) const {
    for (std::size_t w = 0; w < Words; ++w)
      if ((other.words_[w] & ~words_[w]) != 0) return false;
    return true;
  }

  std::size_t count() const {
    std::size_t total = 0;
    for (const std::uint64_t word : words_) total += static_cast<std::size_t>(std::popcount(word));
    return total;
  }

  // The least number that is not in the set; kCapacity if all are.
  std::size_t first_free() const {
    for (std::size_t w = 0; w < Words; ++w)
      if (~words_[w] != 0) return w * 64 + static_cast<std::size_t>(std::countr_one(words_[w]));
    return kCapacity;
  }

  // Is there one for which `holds`? They are asked in ascending order.
  template <class Holds>
  bool any(Holds&& holds) const {
    for (std::size_t w = 0; w < Words; ++w)
      for (std::uint64_t rest = words_[w]; rest != 0; rest &= rest - 1)
        if (holds(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)))) return true;
    return false;
  }

  // In ascending order.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t w = 0; w < Words; ++w)
      for (std::uint64_t rest = words_[w]; rest != 0; rest &= rest - 1)
        visit(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
  }

  const std::array<std::uint64_t, Words>& words() const { return words_; }

 private:
  std::array<std::uint64_t, Words> words_{};
};

}  // namespace weir
