// The source of all choices of one round: the same seed and round give the same input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

namespace weir::fuzz {

class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t round) : bits_(seed * 0x9e3779b97f4a7c15u + round) {}

  std::uint64_t bits() { return bits_(); }
  std::size_t below(std::size_t count) { return count == 0 ? 0 : bits_() % count; }
  bool one_in(std::size_t count) { return below(count) == 0; }

  template <class List>
  decltype(auto) any(List&& list) {
    return list[below(std::size(list))];
  }

 private:
  std::mt19937_64 bits_;
};

}  // namespace weir::fuzz
