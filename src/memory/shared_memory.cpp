#include "memory/shared_memory.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "program/address.hpp"

namespace weir {

SharedMemory::SharedMemory(const Program& program, ValueLimits limits, Overlaps overlaps)
    : program_(program),
      limits_(std::move(limits)),
      cache_(kFirstSlots * kCachedPerSlot),
      splits_(overlaps == Overlaps::kSplit && limits_.ranges.empty()) {
  rows_.assign(stride_, 0);
  hashes_.push_back(0);
  addresses_.push_back(0);  // the lock has no address: it is not in `cells_`
  types_.push_back(kInt64);
  initial_.push_back(0);
  releases_ =
      std::ranges::any_of(program.edges, [](const Edge& e) { return e.instruction.op == Opcode::kFree; });
  slots_.assign(kFirstSlots, kEmpty);
  slots_[mix(hashes_[0]) & (kFirstSlots - 1)] = 0;
}

CellId SharedMemory::cell(Value address, Type access) {
  const bool in_block = !program_.open_memory && address_kind(address) == AddressKind::kBlock;
  const auto found = cells_.find(address);
  if (splits_at(address)) {
    const bool known = found != cells_.end() && type(found->second).bits == access.bits;
    return known ? found->second : cell_on_bytes(address, access);
  }
  if (found == cells_.end()) {
    const CellId id = add_cell(address, declared(address, access));
    if (in_block) note_block_cell(address, access, id);
    return id;
  }
  if (in_block && type(found->second).bits != access.bits) mixed_sizes_ = {address, address};
  return found->second;
}

Value SharedMemory::read_address(MemoryId memory, Value address) const {
  const auto found = cells_.find(address);
  return found == cells_.end() ? declared(address, kInt64).initial : read(memory, found->second);
}

// The type and the initial value of a cell.
SharedMemory::Cell SharedMemory::declared(Value address, Type access) const {
  if (const std::optional<ObjectId> id = program_.object_at(address)) {
    const SharedObject& object = program_.object(*id);
    const Value initial = object.initial[static_cast<std::size_t>((address - object.base) / object.stride)];
    return {object.type,
            initial == kUninitialised ? initial : wrap(static_cast<std::uint64_t>(initial), object.type)};
  }
  if (program_.open_memory) return {};
  switch (address_kind(address)) {
    case AddressKind::kBlock: {
      const bool zeroed = decode_block(address).kind == BlockKind::kZeroed;
      return {{access.bits, false}, zeroed ? 0 : kUninitialised};
    }
    case AddressKind::kStatus: return {kStatusType, 0};
    default: return {};
  }
}

CellId SharedMemory::add_cell(Value address, Cell cell) {
  const CellId id = add_column(address, cell);
  cells_.emplace(address, id);
  return id;
}

// In every row known so far the cell holds its initial value, which adds nothing to a hash.
CellId SharedMemory::add_column(Value address, Cell cell) {
  const CellId id(addresses_.size());
  if (id.index() >= stride_) widen();
  addresses_.push_back(address);
  types_.push_back(cell.type);
  initial_.push_back(cell.initial);
  if (cell.initial != 0)
    for (std::size_t row = 0; row < size(); ++row) rows_[row * stride_ + id.index()] = cell.initial;
  return id;
}

void SharedMemory::note_block_cell(Value address, Type access, CellId cell) {
  std::vector<CellId>& others = block_cells_[status_address(address)];
  for (const CellId other : others) {
    const Value start = addresses_[other.index()];
    const auto end = start + static_cast<Value>(bytes_of(type(other)));
    if (start < address + static_cast<Value>(bytes_of(access)) && address < end)
      mixed_sizes_ = {start, address};
  }
  others.push_back(cell);
}

MemoryId SharedMemory::release_block(MemoryId memory, Value status) {
  for (const CellId cell : block_cells_[status]) memory = find_or_add(memory, cell, initial_[cell.index()]);
  return memory;
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
  const Value status = addresses_[cell.index()];
  if (!program_.open_memory && address_kind(status) == AddressKind::kStatus && value != 0)
    memory = release_block(memory, status);
  if (shares_bytes(cell)) return write_overlapping(memory, cell, value);
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
    ++refusals_;
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
  if (cache_.size() < kMostCached) cache_.assign(cache_size(slots_.size()), {});
}

}  // namespace weir
