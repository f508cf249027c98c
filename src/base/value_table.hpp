// For each slot a map from a 64-bit key to a 32-bit number. Slots are many and most hold one or two entries
// (the successors of a load by the value it returned), so an entry list per slot is scanned; a slot that
// grows beyond a few entries (a counter) moves to a hash table.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace weir {

class ValueTable {
 public:
  using Slot = std::uint32_t;

  Slot add_slot() {
    heads_.push_back({kNone, 0});
    return static_cast<Slot>(heads_.size() - 1);
  }

  // The number stored for `key`, or kNone.
  std::uint32_t find(Slot slot, std::int64_t key) const {
    const Head& head = heads_[slot];
    for (std::uint32_t i = head.first; i != kNone; i = entries_[i].next)
      if (entries_[i].key == key) return entries_[i].number;
    if (head.count < kListed) return kNone;
    const auto found = overflow_.find({slot, key});
    return found == overflow_.end() ? kNone : found->second;
  }

  void insert(Slot slot, std::int64_t key, std::uint32_t number) {
    Head& head = heads_[slot];
    if (head.count < kListed) {
      entries_.push_back({key, number, head.first});
      head.first = static_cast<std::uint32_t>(entries_.size() - 1);
      ++head.count;
    } else {
      overflow_.emplace(std::pair{slot, key}, number);
    }
  }

  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  // See base/archive.hpp.
  template <class Archive>
  void transfer(Archive& archive) {
    archive(heads_, entries_, overflow_);
  }

 private:
  static constexpr std::uint32_t kListed = 8;

  struct Head {
    std::uint32_t first;
    std::uint32_t count;

    template <class Archive>
    void transfer(Archive& archive) {
      archive(first, count);
    }
  };
  struct Entry {
    std::int64_t key;
    std::uint32_t number;
    std::uint32_t next;

    template <class Archive>
    void transfer(Archive& archive) {
      archive(key, number, next);
    }
  };

  std::vector<Head> heads_;
  std::vector<Entry> entries_;
  absl::flat_hash_map<std::pair<Slot, std::int64_t>, std::uint32_t> overflow_;
};

}  // namespace weir
