// The set of prefixes already explored. A prefix is named by a few small numbers, each below a bound that
// is known beforehand; `Packing` puts them into as few 64-bit words as possible, and `PrefixTable` is a
// flat hash set of rows of that many words. Both keep their memory from one instance to the next.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/error.hpp"
#include "base/hash.hpp"

namespace weir::consistency {

class Packing {
 public:
  void clear() {
    places_.clear();
    words_ = 0;
    room_ = 0;
  }
  // A digit takes the values 0 … bound - 1.
  void add_digit(std::uint64_t bound) {
    if (words_ == 0 || room_ < bound) {
      ++words_;
      room_ = ~std::uint64_t{0};
      stride_ = 1;
    }
    places_.push_back({words_ - 1, stride_});
    stride_ *= bound;
    room_ /= bound;
  }
  std::uint32_t words() const { return std::max<std::uint32_t>(words_, 1); }
  std::size_t digits() const { return places_.size(); }

  void put(std::size_t digit, std::uint64_t value, std::uint64_t* row) const {
    row[places_[digit].word] += value * places_[digit].stride;
  }

 private:
  struct Place {
    std::uint32_t word;
    std::uint64_t stride;
  };
  std::vector<Place> places_;
  std::uint32_t words_ = 0;
  std::uint64_t room_ = 0, stride_ = 1;
};

class PrefixTable {
 public:
  // Empties the set; rows have `words` words from now on.
  void start(std::uint32_t words) {
    if (slots_.empty()) slots_.assign(kLeast, kFree);
    for (const std::uint32_t slot : used_) slots_[slot] = kFree;
    size_ = kLeast;
    used_.clear();
    rows_.clear();
    words_ = words;
    staged_.assign(words, 0);
  }

  // A zeroed row to fill before `insert`.
  std::uint64_t* stage() {
    std::fill(staged_.begin(), staged_.end(), 0);
    return staged_.data();
  }
  // Adds the staged row; false if it was there.
  bool insert() {
    if ((used_.size() + 1) * 2 > size_) grow();
    std::size_t slot = hash(staged_.data()) & (size_ - 1);
    while (slots_[slot] != kFree) {
      if (std::equal(staged_.begin(), staged_.end(), row(slots_[slot]))) return false;
      slot = (slot + 1) & (size_ - 1);
    }
    slots_[slot] = static_cast<std::uint32_t>(used_.size());
    used_.push_back(static_cast<std::uint32_t>(slot));
    rows_.insert(rows_.end(), staged_.begin(), staged_.end());
    return true;
  }
  std::size_t size() const { return used_.size(); }

 private:
  static constexpr std::uint32_t kFree = 0xFFFFFFFFu;
  static constexpr std::size_t kLeast = 256;

  const std::uint64_t* row(std::uint32_t number) const { return rows_.data() + std::size_t{number} * words_; }
  std::uint64_t hash(const std::uint64_t* row) const {
    std::uint64_t h = mix(row[0]);
    for (std::uint32_t i = 1; i < words_; ++i) h = mix(h, row[i]);
    return h;
  }
  void grow() {
    WEIR_CHECK(used_.size() < kFree / 2, "fewer than two thousand million prefixes");
    for (const std::uint32_t slot : used_) slots_[slot] = kFree;
    size_ *= 2;
    if (slots_.size() < size_) slots_.resize(size_, kFree);
    for (std::uint32_t number = 0; number < used_.size(); ++number) {
      std::size_t slot = hash(row(number)) & (size_ - 1);
      while (slots_[slot] != kFree) slot = (slot + 1) & (size_ - 1);
      slots_[slot] = number;
      used_[number] = static_cast<std::uint32_t>(slot);
    }
  }

  // Numbers of rows. Only the first `size_` slots, a power of two, are in use, so that a small instance after
  // a large one works in little memory; the others are free.
  std::vector<std::uint32_t> slots_;
  std::size_t size_ = kLeast;
  std::vector<std::uint32_t> used_;  // per row: its slot
  std::vector<std::uint64_t> rows_;
  std::vector<std::uint64_t> staged_;
  std::uint32_t words_ = 1;
};

}  // namespace weir::consistency
