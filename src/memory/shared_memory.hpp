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
// When the status of a block is written, the block was released. Its cells go back to their initial values:
// nobody can read them any more, so they need not distinguish valuations.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>
#include <algorithm>
#include <optional>
#include <vector>

#include "base/hash.hpp"
#include "base/ids.hpp"
#include "program/program.hpp"
#include "program/value_limits.hpp"

namespace weir {

using MemoryId = Id<struct MemoryTag>;
using CellId = Id<struct CellTag>;

class SharedMemory {
 public:
  explicit SharedMemory(const Program& program, ValueLimits limits = {});

  static constexpr CellId kLockCell = CellId(0);

  MemoryId initial() const { return MemoryId(0); }
  // `access` gives the width of a cell in a block; that of others is declared.
  CellId cell(Value address, Type access = kInt64);
  Value address(CellId cell) const { return addresses_[cell.index()]; }
  Type type(CellId cell) const { return types_[cell.index()]; }
  std::size_t cell_count() const { return addresses_.size(); }

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

  // Two accesses to a block that overlap without being to the same cell: addresses of both.
  std::optional<std::pair<Value, Value>> mixed_sizes() const { return mixed_sizes_; }

  // What the cell holds according to the program, without touching it: for addresses nobody accessed yet.
  Value read_address(MemoryId memory, Value address) const;

  std::size_t size() const { return hashes_.size(); }

  // See base/archive.hpp. All that was found, with its numbers.
  template <class Archive>
  void transfer(Archive& archive) {
    archive(refusals_, grown_, values_, cells_, addresses_);
    types_.resize(addresses_.size());
    for (Type& type : types_) archive(type.bits, type.is_signed);
    archive(initial_, block_cells_, mixed_sizes_);
    std::uint64_t stride = stride_;
    archive(stride, rows_, hashes_, slots_);
    stride_ = static_cast<std::size_t>(stride);
    if constexpr (Archive::kReads) cache_.assign(cache_size(slots_.size()), {});
  }

 private:
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
  void note_block_cell(Value address, Type access, CellId cell);
  MemoryId release_block(MemoryId memory, Value status);
  void widen();
  MemoryId find_or_add(MemoryId memory, CellId cell, Value value);
  bool differs_only(std::size_t row, std::size_t from, CellId cell, Value value) const;
  void grow_slots();
  static std::size_t cache_size(std::size_t slots) { return std::min(slots * kCachedPerSlot, kMostCached); }
  bool in_range(CellId cell, Value value);

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
};

}  // namespace weir
