// Shared memory as interned values: a `MemoryId` stands for one valuation of all cells, so that a global
// state holds it in one small number and a write is a look-up.
//
// Addresses become dense cell numbers when first touched. Valuations are rows of one array; the row hash is
// the sum of independent hashes of the cells that differ from their initial value, so a write updates it in
// constant time, a cell found late changes no hash, and the row itself is copied only when it is new. A small
// direct-mapped cache, which grows with the table up to a bound, answers repeated writes without touching it.
//
// Cell 0 is the global lock: 0 when free, 1 when held (by whom is known to the holder).
//
// Accesses of several sizes may touch the same bytes (`Overlaps::kSplit`). Each byte then belongs to one *leaf*. A cell
// that shares bytes with others of another size is made of leaves: its column in a row holds what they hold together,
// so that reading it is a look-up like any other. A leaf of which an access touches a part is split into two, at any
// time, and remains as a cell made of them: no number changes its meaning, and no two valuations become one.
//
// When the status of a block is written, the block was released. Its cells go back to their initial values:
// nobody can read them any more, so they need not distinguish valuations.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>
#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "base/hash.hpp"
#include "base/ids.hpp"
#include "program/program.hpp"
#include "program/value_limits.hpp"

namespace weir {

using MemoryId = Id<struct MemoryTag>;
using CellId = Id<struct CellTag>;

// What to do about accesses that touch a part of a cell, or several: only notice them, or make cells of that size.
enum class Overlaps : std::uint8_t { kNoticed, kSplit };

class SharedMemory {
 public:
  explicit SharedMemory(const Program& program, ValueLimits limits = {},
                        Overlaps overlaps = Overlaps::kNoticed);

  static constexpr CellId kLockCell = CellId(0);

  MemoryId initial() const { return MemoryId(0); }
  // `access` gives the width of a cell in a block; that of others is declared.
  CellId cell(Value address, Type access = kInt64);
  Value address(CellId cell) const { return addresses_[cell.index()]; }
  Type type(CellId cell) const { return types_[cell.index()]; }
  std::size_t cell_count() const { return addresses_.size(); }
  // The leaves that the cell is made of, by address; empty if it is a leaf itself.
  std::span<const CellId> leaves(CellId cell) const {
    return cell.index() < leaves_of_.size() ? leaves_of_[cell.index()] : std::span<const CellId>();
  }
  // Do the cells share a byte?
  bool overlap(CellId a, CellId b) const {
    return a == b || (shares_bytes(a) && shares_bytes(b) && first_byte(a) < end(b) && first_byte(b) < end(a));
  }
  // Is the address in the cell, or that of a cell that shares a byte with it?
  bool touches(CellId cell, Value address) const {
    const auto found = cells_.find(address);
    return address == first_byte(cell) || (found != cells_.end() && overlap(cell, found->second));
  }
  // What lies in a leaf when the cell around it holds `value`, and what the cell holds whose leaves hold `values`.
  Value part(Value value, CellId cell, CellId leaf) const;
  template <class ValueOf>
  Value together(CellId cell, ValueOf&& value_of) const;

  Value read(MemoryId memory, CellId cell) const { return rows_[memory.index() * stride_ + cell.index()]; }
  bool locked(MemoryId memory) const { return read(memory, kLockCell) != 0; }

  // The valuation that differs from `memory` at most in `cell`. `value` must be wrapped to the cell's type.
  MemoryId write(MemoryId memory, CellId cell, Value value) {
    const std::uint64_t hash = mix(memory.index(), value ^ (Value{cell.index()} << 32));
    const CachedWrite& cached = cache_[hash & (cache_.size() - 1)];
    if (cached.from == memory && cached.cell == cell && cached.value == value) return cached.to;
    const MemoryId to = find_or_add(memory, cell, value);
    cache_[hash & (cache_.size() - 1)] = {value, memory, cell, to};  // it may have grown
    return to;
  }

  // Does the program release blocks? If not, nobody need look at their status.
  bool releases() const { return releases_; }

  // May the cell take this value? To be asked before a write if there are ranges.
  bool admits(CellId cell, Value value) { return limits_.ranges.empty() || in_range(cell, value); }
  // Was it ever asked about a value outside?
  bool left_range() const { return refusals_ > 0; }
  std::uint64_t range_refusals() const { return refusals_; }
  // A cell that has taken more values than it should.
  std::optional<CellId> grown() const { return grown_; }
  // Counts a value that the cell takes elsewhere than in a valuation: in a buffer.
  void note_value(CellId cell, Value value);
  const ValueLimits& limits() const { return limits_; }

  // Two accesses that overlap without being to the same cell, where cells are not split, or something else about such
  // accesses that is not followed: addresses of both.
  std::optional<std::pair<Value, Value>> mixed_sizes() const { return mixed_sizes_; }
  // A load that copies has found this in a cell: that its leaves are initialised or not, each as it is, cannot be told
  // by one number.
  template <class ValueOf>
  void note_copied(CellId cell, Value value, ValueOf&& value_of);

  // What the cell holds according to the program, without touching it: for addresses nobody accessed yet.
  Value read_address(MemoryId memory, Value address) const;

  std::size_t size() const { return hashes_.size(); }

  // See base/archive.hpp. All that was found, with its numbers.
  template <class Archive>
  void transfer(Archive& archive) {
    archive(refusals_, grown_, values_, cells_, addresses_);
    types_.resize(addresses_.size());
    for (Type& type : types_) archive(type.bits, type.is_signed);
    archive(initial_, block_cells_, mixed_sizes_, leaves_of_, on_bytes_);
    std::uint64_t stride = stride_;
    archive(stride, rows_, hashes_, slots_);
    stride_ = static_cast<std::size_t>(stride);
    if constexpr (Archive::kReads) {
      cache_.assign(cache_size(slots_.size()), {});
      index_overlaps();
    }
  }

 private:
  static constexpr std::uint32_t kEmpty = 0xFFFFFFFF;  // slot
  static constexpr std::size_t kFirstSlots = 64;
  static constexpr std::size_t kCachedPerSlot = 4;
  static constexpr std::size_t kMostCached = std::size_t{1} << 14;

  struct CachedWrite {
    Value value = 0;
    MemoryId from;
    CellId cell;
    MemoryId to;
  };

  std::uint64_t hash_of(std::size_t cell, Value value) const {
    return value == initial_[cell] ? 0 : mix(cell + 1, static_cast<std::uint64_t>(value));
  }
  struct Cell {
    Type type = kInt64;
    Value initial = 0;
  };
  Cell declared(Value address, Type access) const;
  CellId add_cell(Value address, Cell cell);
  CellId add_column(Value address, Cell cell);
  void note_block_cell(Value address, Type access, CellId cell);
  MemoryId release_block(MemoryId memory, Value status);
  void widen();
  MemoryId find_or_add(MemoryId memory, CellId cell, Value value);
  bool differs_only(std::size_t row, std::size_t from, CellId cell, Value value) const;
  void grow_slots();
  static std::size_t cache_size(std::size_t slots) { return std::min(slots * kCachedPerSlot, kMostCached); }
  bool in_range(CellId cell, Value value);

  // Where accesses overlap (overlapping_cells.cpp).
  bool splits_at(Value address) const;
  bool shares_bytes(CellId cell) const { return cell.index() < shares_.size() && shares_[cell.index()]; }
  Value first_byte(CellId cell) const { return addresses_[cell.index()]; }
  Value end(CellId cell) const;
  CellId cell_on_bytes(Value address, Type access);
  void add_declared_leaves(Value from, Value to);
  void fill_gaps(Value from, Value to);
  CellId add_leaf(Value address, Type access);
  void split_leaf_at(Value address);
  CellId add_made(Value address, Type access, std::vector<CellId> leaves);
  void note_on_bytes(CellId cell);
  void index_overlaps();
  void rehash();
  std::vector<CellId> leaves_between(Value from, Value to) const;
  MemoryId write_overlapping(MemoryId memory, CellId cell, Value value);

  const Program& program_;
  ValueLimits limits_;
  bool releases_ = false;
  std::uint64_t refusals_ = 0;  // of values that leave their range
  std::optional<CellId> grown_;
  std::vector<absl::flat_hash_set<Value>> values_;  // per cell: those it has taken, while these are few
  absl::flat_hash_map<Value, CellId> cells_;
  std::vector<Value> addresses_;
  std::vector<Type> types_;
  std::vector<Value> initial_;                                   // per cell
  absl::flat_hash_map<Value, std::vector<CellId>> block_cells_;  // by the address of the block's status
  std::optional<std::pair<Value, Value>> mixed_sizes_;
  std::size_t stride_ = 8;
  std::vector<Value> rows_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint32_t> slots_;
  std::vector<CachedWrite> cache_;

  bool splits_ = false;
  std::vector<std::vector<CellId>> leaves_of_;  // per cell: see `leaves`
  std::vector<CellId> on_bytes_;                // all cells in memory that can be split
  // What follows from these:
  std::vector<bool> shares_;                    // per cell: does another cell share bytes with it?
  std::vector<std::vector<CellId>> made_with_;  // per leaf: the cells made of it and others
  std::map<Value, CellId> leaf_at_;
  absl::flat_hash_map<std::pair<Value, std::uint8_t>, CellId> by_width_;  // address and bits
  std::vector<Value> row_;                                                // in the making
};

template <class ValueOf>
void SharedMemory::note_copied(CellId cell, Value value, ValueOf&& value_of) {
  if (value != kUninitialised) return;
  for (const CellId leaf : leaves(cell))
    if (value_of(leaf) != kUninitialised) mixed_sizes_ = {first_byte(cell), first_byte(leaf)};
}

template <class ValueOf>
Value SharedMemory::together(CellId cell, ValueOf&& value_of) const {
  std::uint64_t word = 0;
  for (const CellId leaf : leaves(cell)) {
    const Value value = value_of(leaf);
    if (value == kUninitialised) return kUninitialised;
    const auto shift = static_cast<unsigned>(8 * (first_byte(leaf) - first_byte(cell)));
    word |= static_cast<std::uint64_t>(wrap(static_cast<std::uint64_t>(value), {type(leaf).bits, false}))
            << shift;
  }
  return wrap(word, type(cell));
}

}  // namespace weir
