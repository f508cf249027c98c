// Values and their types. A value is 64 bits wide whatever its type; a value of a narrower type is kept
// extended (by sign or by zero) to 64 bits, so equal values are equal words.
#pragma once

#include <cstdint>

namespace weir {

using Value = std::int64_t;

struct Type {
  std::uint8_t bits = 64;  // 1 to 64
  bool is_signed = true;

  friend bool operator==(const Type&, const Type&) = default;
};

inline constexpr Type kInt64{64, true};

// What a cell holds that was never written. Only `copies` loads return it; a program that computes this very
// number and stores it in a cell of 64 bits is stopped there, so the two are never confused.
inline constexpr Value kUninitialised = 0x5EED'BA5E'0FF1'CE51;

// The value of type `type` that has the same low bits.
constexpr Value wrap(std::uint64_t word, Type type) {
  const unsigned unused = 64u - type.bits;
  if (type.is_signed) return static_cast<Value>(word << unused) >> unused;
  return static_cast<Value>(word << unused >> unused);
}

constexpr bool fits(Value value, Type type) { return wrap(static_cast<std::uint64_t>(value), type) == value; }

}  // namespace weir
