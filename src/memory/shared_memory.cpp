#include "memory/shared_memory.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace weir {

namespace {
constexpr std::uint32_t kEmpty = 0xFFFFFFFF;
}

SharedMemory::SharedMemory(const Program& program, ValueLimits limits)
    : limits_(std::move(limits)), cache_(kCacheSize) {
  rows_.assign(stride_, 0);
  hashes_.push_back(0);
  addresses_.push_back(0);  // the lock has no address: it is not in `cells_`
  types_.push_back(kInt64);
  for (const SharedObject& object : program.objects)
    for (std::size_t k = 0; k < object.initial.size(); ++k) {
      const Value initial = wrap(static_cast<std::uint64_t>(object.initial[k]), object.type);
      add_cell(object.base + static_cast<Value>(k), object.type, initial);
    }
  slots_.assign(64, kEmpty);
  slots_[mix(hashes_[0]) & 63] = 0;
}

CellId SharedMemory::cell(Value address) {
  const auto found = cells_.find(address);
  return found == cells_.end() ? add_cell(address, kInt64, 0) : found->second;
}

Value SharedMemory::read_address(MemoryId memory, Value address) const {
  const auto found = cells_.find(address);
  return found == cells_.end() ? 0 : read(memory, found->second);
}

// A cell found later (only in open memory) holds 0 in every row known so far, and 0 adds nothing to a hash,
// so rows and hashes stay as they are.
CellId SharedMemory::add_cell(Value address, Type type, Value initial) {
  const CellId id(addresses_.size());
  if (id.index() >= stride_) widen();
  cells_.emplace(address, id);
  addresses_.push_back(address);
  types_.push_back(type);
  if (initial != 0) {
    WEIR_CHECK(size() == 1, "only declared cells start with a value other than 0");
    rows_[id.index()] = initial;
    hashes_[0] += hash_of(id.index(), initial);
  }
  return id;
}

void SharedMemory::widen() {
  const std::size_t wider = stride_ * 2;
  std::vector<Value> rows(size() * wider, 0);
  for (std::size_t row = 0; row < size(); ++row)
    std::copy_n(rows_.begin() + static_cast<std::ptrdiff_t>(row * stride_), stride_,
                rows.begin() + static_cast<std::ptrdiff_t>(row * wider));
  rows_ = std::move(rows);
  stride_ = wider;
}

bool SharedMemory::differs_only(std::size_t row, std::size_t from, CellId cell, Value value) const {
  const Value* a = rows_.data() + row * stride_;
  const Value* b = rows_.data() + from * stride_;
  return a[cell.index()] == value && std::equal(a, a + cell.index(), b) &&
         std::equal(a + cell.index() + 1, a + addresses_.size(), b + cell.index() + 1);
}

MemoryId SharedMemory::find_or_add(MemoryId memory, CellId cell, Value value) {
  const Value old = read(memory, cell);
  if (old == value) return memory;
  const std::uint64_t hash =
      hashes_[memory.index()] - hash_of(cell.index(), old) + hash_of(cell.index(), value);
  if ((size() + 1) * 3 > slots_.size() * 2) grow_slots();
  std::size_t slot = mix(hash) & (slots_.size() - 1);
  for (; slots_[slot] != kEmpty; slot = (slot + 1) & (slots_.size() - 1))
    if (hashes_[slots_[slot]] == hash && differs_only(slots_[slot], memory.index(), cell, value))
      return MemoryId(slots_[slot]);

  const MemoryId id(size());
  WEIR_CHECK(id.valid(), "more than four billion memory valuations");
  slots_[slot] = id.index();
  hashes_.push_back(hash);
  const std::size_t from = memory.index() * stride_;
  rows_.resize(rows_.size() + stride_);
  std::copy_n(rows_.begin() + static_cast<std::ptrdiff_t>(from), stride_,
              rows_.end() - static_cast<std::ptrdiff_t>(stride_));
  rows_[id.index() * stride_ + cell.index()] = value;
  note_value(cell, value);
  return id;
}

void SharedMemory::note_value(CellId cell, Value value) {
  if (values_.size() <= cell.index()) values_.resize(addresses_.size());
  absl::flat_hash_set<Value>& values = values_[cell.index()];
  if (values.insert(value).second && values.size() > limits_.most_values && !grown_) grown_ = cell;
}

bool SharedMemory::in_range(CellId cell, Value value) {
  for (const ValueRange& range : limits_.ranges) {
    if (range.address != address(cell) || (range.low <= value && value <= range.high)) continue;
    left_range_ = true;
    return false;
  }
  return true;
}

void SharedMemory::grow_slots() {
  slots_.assign(slots_.size() * 2, kEmpty);
  for (std::uint32_t id = 0; id < size(); ++id) {
    std::size_t slot = mix(hashes_[id]) & (slots_.size() - 1);
    while (slots_[slot] != kEmpty) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = id;
  }
}

}  // namespace weir
