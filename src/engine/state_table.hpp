// The set of visited global states. A state is a fixed number of small ids (one component per thread, and the
// memory), packed into as few 64-bit words as the ids seen so far need; a field that becomes too narrow is
// widened and the table re-packed, which happens a handful of times in a run. States are numbered in the
// order in which they were found, so a breadth-first queue is just an index into the table. The hash set is
// many small ones, told apart by the first bits of the hash: a large one that grows keeps everybody waiting, also
// whoever asks for a stop.
#pragma once

#include <absl/container/flat_hash_set.h>
#include <cstdint>
#include <span>
#include <vector>

#include "base/growing_array.hpp"
#include "base/hash.hpp"

namespace weir {

class StateTable {
 public:
  using Index = std::uint32_t;
  static constexpr Index kNoParent = 0xFFFFFFFF;

  explicit StateTable(std::size_t fields);
  StateTable(const StateTable&) = delete;
  StateTable& operator=(const StateTable&) = delete;

  std::size_t fields() const { return layout_.size(); }
  std::size_t words() const { return words_; }
  std::size_t size() const { return parents_.size(); }

  // Packing. `ids` has one id per field.
  void pack(std::span<const std::uint32_t> ids, std::uint64_t* out) const;
  void unpack(const std::uint64_t* packed, std::uint32_t* ids) const;
  std::uint32_t get(const std::uint64_t* packed, std::size_t field) const {
    const Field& f = layout_[field];
    return static_cast<std::uint32_t>(packed[f.word] >> f.shift & f.mask);
  }
  void set(std::uint64_t* packed, std::size_t field, std::uint32_t id) const {
    const Field& f = layout_[field];
    packed[f.word] = (packed[f.word] & ~(f.mask << f.shift)) | std::uint64_t{id} << f.shift;
  }
  bool fits(std::size_t field, std::uint32_t id) const { return id <= layout_[field].mask; }
  // Makes room for `id`. Words packed before are stale afterwards; indices stay.
  void widen(std::size_t field, std::uint32_t id);

  std::uint64_t hash(const std::uint64_t* packed) const {
    std::uint64_t h = mix(packed[0]);
    for (std::size_t w = 1; w < words_; ++w) h = mix(h, packed[w]);
    return h;
  }

  const std::uint64_t* row(Index index) const { return rows_.data() + std::size_t{index} * words_; }
  Index parent(Index index) const { return parents_[index]; }

  // Hints that `insert` with this hash comes soon.
  void prefetch(std::uint64_t hash) const { part(hash).prefetch(Key{nullptr, hash}); }
  struct Inserted {
    Index index;
    bool added;
  };
  Inserted insert(const std::uint64_t* packed, std::uint64_t hash, Index parent);

  std::size_t bytes() const;
  // At most so many more are asked for at once before `more` states are added.
  std::size_t next_bytes(std::size_t more) const;

  // See base/archive.hpp.
  template <class Archive>
  void transfer(Archive& archive) {
    auto buckets = std::uint64_t{index_capacity()};
    archive(buckets, widths_, rows_, parents_);
    if constexpr (Archive::kReads) restore(static_cast<std::size_t>(buckets));
  }

 private:
  struct Field {
    std::uint32_t word = 0;
    std::uint32_t shift = 0;
    std::uint64_t mask = 0;
  };
  struct Key {
    const std::uint64_t* packed;
    std::uint64_t hash;
  };
  struct Hash {
    using is_transparent = void;
    const StateTable* table;
    std::size_t operator()(const Key& key) const { return key.hash; }
    std::size_t operator()(Index index) const { return table->hash(table->row(index)); }
  };
  struct Equal {
    using is_transparent = void;
    const StateTable* table;
    bool operator()(Index a, Index b) const { return a == b; }
    bool operator()(Index a, const Key& key) const {
      const std::uint64_t* row = table->row(a);
      for (std::size_t w = 0; w < table->words_; ++w)
        if (row[w] != key.packed[w]) return false;
      return true;
    }
    bool operator()(const Key& key, Index a) const { return (*this)(a, key); }
  };

  using Part = absl::flat_hash_set<Index, Hash, Equal>;
  static constexpr unsigned kPartBits = 5;

  Part& part(std::uint64_t hash) { return index_[hash >> (64 - kPartBits)]; }
  const Part& part(std::uint64_t hash) const { return index_[hash >> (64 - kPartBits)]; }
  std::size_t index_capacity() const;

  void lay_out(const std::vector<std::uint32_t>& widths);
  void index_rows(std::size_t buckets);
  void restore(std::size_t buckets);

  std::vector<std::uint32_t> widths_;
  std::vector<Field> layout_;
  std::size_t words_ = 1;
  GrowingArray<std::uint64_t> rows_;
  GrowingArray<Index> parents_;
  std::vector<Part> index_;  // by the first bits of the hash
};

}  // namespace weir
