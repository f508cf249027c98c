// Gives equal sequences of words equal 32-bit numbers, counted from 0, and keeps each sequence once.
// Used for whatever has a variable size and is compared often: local states, store buffers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/error.hpp"
#include "base/hash.hpp"

namespace weir {

template <class Word>
class SequenceInterner {
 public:
  std::uint32_t intern(std::span<const Word> sequence) {
    if ((offsets_.size() + 1) * 3 > slots_.size() * 2) grow();
    const std::uint64_t hash = hash_of(sequence);
    std::size_t slot = hash & (slots_.size() - 1);
    while (slots_[slot] != kEmpty) {
      const std::uint32_t id = slots_[slot];
      if (hashes_[id] == static_cast<std::uint32_t>(hash >> 32) && std::ranges::equal((*this)[id], sequence))
        return id;
      slot = (slot + 1) & (slots_.size() - 1);
    }
    const auto id = static_cast<std::uint32_t>(size());
    WEIR_CHECK(id != kEmpty, "more than four billion interned sequences");
    words_.insert(words_.end(), sequence.begin(), sequence.end());
    offsets_.push_back(words_.size());
    hashes_.push_back(static_cast<std::uint32_t>(hash >> 32));
    slots_[slot] = id;
    return id;
  }

  // Valid until the next `intern`.
  std::span<const Word> operator[](std::uint32_t id) const {
    return {words_.data() + offsets_[id], words_.data() + offsets_[id + 1]};
  }

  std::size_t size() const { return hashes_.size(); }

  // See base/archive.hpp.
  template <class Archive>
  void transfer(Archive& archive) {
    archive(words_, offsets_, hashes_, slots_);
  }

 private:
  static constexpr std::uint32_t kEmpty = 0xFFFFFFFF;

  static std::uint64_t hash_of(std::span<const Word> sequence) {
    std::uint64_t hash = sequence.size();
    for (const Word word : sequence) hash = mix(hash, static_cast<std::uint64_t>(word));
    return hash;
  }

  void grow() {
    slots_.assign(std::max<std::size_t>(64, slots_.size() * 2), kEmpty);
    for (std::uint32_t id = 0; id < size(); ++id) {
      std::size_t slot = hash_of((*this)[id]) & (slots_.size() - 1);
      while (slots_[slot] != kEmpty) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = id;
    }
  }

  std::vector<Word> words_;
  std::vector<std::size_t> offsets_{0};
  std::vector<std::uint32_t> hashes_;
  std::vector<std::uint32_t> slots_;
};

}  // namespace weir
