// Mixing of 64-bit words, for hash tables whose keys are small integers.
#pragma once

#include <cstdint>

namespace weir {

// The finaliser of splitmix64: every input bit affects every output bit.
constexpr std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xBF58476D1CE4E5B9ull;
  x ^= x >> 27;
  x *= 0x94D049BB133111EBull;
  x ^= x >> 31;
  return x;
}

constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b) { return mix(a * 0x9E3779B97F4A7C15ull + b); }

}  // namespace weir
