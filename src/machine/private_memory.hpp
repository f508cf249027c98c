// The private memory of one activation: bytes packed into words, little endian, and one bit for each byte
// that says whether it is initialised. Both are part of the thread's local state.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>

#include "program/address.hpp"

namespace weir {

static_assert(std::endian::native == std::endian::little, "private memory is read as the program would");

class PrivateMemory {
 public:
  PrivateMemory(Value* bytes, Value* mask) : bytes_(reinterpret_cast<unsigned char*>(bytes)), mask_(mask) {}

  // Nothing if one of the bytes is not initialised.
  std::optional<Value> read(std::uint64_t offset, Type type) const {
    const std::uint64_t count = bytes_of(type);
    if (!initialised(offset, count)) return std::nullopt;
    std::uint64_t word = 0;
    std::memcpy(&word, bytes_ + offset, count);
    return wrap(word, type);
  }

  void write(std::uint64_t offset, Type type, Value value) {
    const std::uint64_t count = bytes_of(type);
    const auto word = static_cast<std::uint64_t>(value);
    std::memcpy(bytes_ + offset, &word, count);
    if (within_word(offset, count))
      mask_[offset / 64] |= bits(offset, count);
    else
      for (std::uint64_t i = offset; i < offset + count; ++i) mask_[i / 64] |= bits(i, 1);
  }

  // The bytes are cleared too: equal contents must be equal words.
  void forget(std::uint64_t offset, Type type) {
    const std::uint64_t count = bytes_of(type);
    std::memset(bytes_ + offset, 0, count);
    for (std::uint64_t i = offset; i < offset + count; ++i) mask_[i / 64] &= ~bits(i, 1);
  }

 private:
  // Do the bits of these bytes stand in one word? Those of a variable at its natural place do.
  static bool within_word(std::uint64_t byte, std::uint64_t count) { return byte % 64 + count <= 64; }
  static Value bits(std::uint64_t byte, std::uint64_t count) {
    return static_cast<Value>(((std::uint64_t{1} << count) - 1) << (byte % 64));
  }
  bool initialised(std::uint64_t byte, std::uint64_t count) const {
    if (within_word(byte, count)) return (~mask_[byte / 64] & bits(byte, count)) == 0;
    for (std::uint64_t i = byte; i < byte + count; ++i)
      if ((mask_[i / 64] & bits(i, 1)) == 0) return false;
    return true;
  }

  unsigned char* bytes_;
  Value* mask_;
};

}  // namespace weir
