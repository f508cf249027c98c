// Accesses of several sizes to the same bytes: which cells there are then (shared_memory.hpp).
//
// Nothing is known before the search. An access that hits a cell as a whole finds that cell. Any other one splits the
// leaves that it touches only in part, so that leaves begin and end where it does, and gets a cell made of the leaves
// within. A program whose accesses do not overlap never comes here but for the first access to each cell.
//
// A split changes all rows: two columns more, and hashes that are sums over the leaves there are now. It happens a few
// times in a search, when accesses are unfolded, and never again for the same bytes.
#include <algorithm>

#include "base/error.hpp"
#include "memory/shared_memory.hpp"
#include "program/address.hpp"

namespace weir {

namespace {

constexpr unsigned kByte = 8;

Type unsigned_bytes(Value bytes) {
  return {static_cast<std::uint8_t>(kByte * static_cast<unsigned>(bytes)), false};
}

}  // namespace

bool SharedMemory::splits_at(Value address) const {
  if (!splits_ || program_.open_memory) return false;
  const AddressKind kind = address_kind(address);
  return kind == AddressKind::kBlock || (kind == AddressKind::kOrdinary && program_.byte_memory);
}

Value SharedMemory::end(CellId cell) const {
  return first_byte(cell) + static_cast<Value>(bytes_of(type(cell)));
}

Value SharedMemory::part(Value value, CellId cell, CellId leaf) const {
  if (value == kUninitialised || cell == leaf) return value;
  const auto shift = kByte * static_cast<unsigned>(first_byte(leaf) - first_byte(cell));
  return wrap(static_cast<std::uint64_t>(value) >> shift, type(leaf));
}

CellId SharedMemory::cell_on_bytes(Value address, Type access) {
  if (const auto known = by_width_.find({address, access.bits}); known != by_width_.end())
    return known->second;
  const Value last = address + static_cast<Value>(bytes_of(access));
  add_declared_leaves(address, last);
  std::vector<CellId> within = leaves_between(address, last);
  if (within.empty()) return add_leaf(address, access);
  const auto is_whole = [&](CellId leaf) {
    return first_byte(leaf) == address && type(leaf).bits == access.bits;
  };
  if (within.size() == 1 && is_whole(within.front())) return within.front();

  const bool in_bytes = access.bits % kByte == 0 && std::ranges::all_of(within, [&](CellId leaf) {
                          return type(leaf).bits % kByte == 0;
                        });
  if (!in_bytes) {
    mixed_sizes_ = {first_byte(within.front()), address};
    return within.front();
  }
  fill_gaps(address, last);
  split_leaf_at(address);
  split_leaf_at(last);
  within = leaves_between(address, last);
  return within.size() == 1 ? within.front() : add_made(address, access, std::move(within));
}

std::vector<CellId> SharedMemory::leaves_between(Value from, Value to) const {
  std::vector<CellId> found;
  auto leaf = leaf_at_.upper_bound(from);
  if (leaf != leaf_at_.begin() && end(std::prev(leaf)->second) > from) --leaf;
  for (; leaf != leaf_at_.end() && leaf->first < to; ++leaf) found.push_back(leaf->second);
  return found;
}

void SharedMemory::add_declared_leaves(Value from, Value to) {
  if (address_kind(from) != AddressKind::kOrdinary) return;
  for (const SharedObject& object : program_.objects) {
    const auto bytes = static_cast<Value>(bytes_of(object.type));
    const auto count = static_cast<Value>(object.initial.size());
    if (object.base >= to || object.base + (count - 1) * object.stride + bytes <= from) continue;
    const Value reach = std::max<Value>(from - bytes + 1 - object.base, 0);
    for (Value k = (reach + object.stride - 1) / object.stride;
         k < count && object.base + k * object.stride < to; ++k)
      if (const Value address = object.base + k * object.stride;
          !leaf_at_.contains(address) && !cells_.contains(address))
        add_leaf(address, object.type);
  }
}

// Bytes that were not accessed so far; there are none in objects.
void SharedMemory::fill_gaps(Value from, Value to) {
  std::vector<std::pair<Value, Value>> gaps;
  for (const CellId leaf : leaves_between(from, to)) {
    if (from < first_byte(leaf)) gaps.emplace_back(from, first_byte(leaf));
    from = end(leaf);
  }
  if (from < to) gaps.emplace_back(from, to);
  for (const auto& [begin, past] : gaps) {
    WEIR_CHECK(address_kind(begin) == AddressKind::kBlock, "an access to objects touches cells only");
    add_leaf(begin, unsigned_bytes(past - begin));
  }
}

CellId SharedMemory::add_leaf(Value address, Type access) {
  const CellId id = add_cell(address, declared(address, access));
  if (address_kind(address) == AddressKind::kBlock) block_cells_[status_address(address)].push_back(id);
  note_on_bytes(id);
  leaf_at_[address] = id;
  return id;
}

void SharedMemory::split_leaf_at(Value address) {
  const std::vector<CellId> around = leaves_between(address, address + 1);
  if (around.empty() || first_byte(around.front()) == address) return;
  const CellId whole = around.front();
  const Value ends[] = {first_byte(whole), address, end(whole)};
  std::vector<CellId> halves;
  for (const int i : {0, 1}) {
    const CellId half = add_column(ends[i], {unsigned_bytes(ends[i + 1] - ends[i]), 0});
    initial_[half.index()] = part(initial_[whole.index()], whole, half);
    for (std::size_t row = 0; row < size(); ++row)
      rows_[row * stride_ + half.index()] = part(rows_[row * stride_ + whole.index()], whole, half);
    if (address_kind(address) == AddressKind::kBlock) block_cells_[status_address(address)].push_back(half);
    note_on_bytes(half);
    halves.push_back(half);
  }
  cells_.try_emplace(address, halves[1]);
  for (std::vector<CellId>& leaves : leaves_of_)
    if (const auto at = std::ranges::find(leaves, whole); at != leaves.end()) {
      *at = halves[0];
      leaves.insert(at + 1, halves[1]);
    }
  leaves_of_[whole.index()] = halves;
  index_overlaps();
  rehash();
}

CellId SharedMemory::add_made(Value address, Type access, std::vector<CellId> leaves) {
  const CellId id = add_column(address, {{access.bits, false}, 0});
  cells_.try_emplace(address, id);
  note_on_bytes(id);
  leaves_of_[id.index()] = std::move(leaves);
  initial_[id.index()] = together(id, [&](CellId leaf) { return initial_[leaf.index()]; });
  for (std::size_t row = 0; row < size(); ++row)
    rows_[row * stride_ + id.index()] =
        together(id, [&](CellId leaf) { return rows_[row * stride_ + leaf.index()]; });
  index_overlaps();
  return id;
}

void SharedMemory::note_on_bytes(CellId cell) {
  on_bytes_.push_back(cell);
  by_width_[{first_byte(cell), type(cell).bits}] = cell;
  if (leaves_of_.size() <= cell.index()) leaves_of_.resize(cell.index() + 1);
}

void SharedMemory::index_overlaps() {
  leaf_at_.clear();
  shares_.assign(addresses_.size(), false);
  made_with_.assign(addresses_.size(), {});
  for (const CellId cell : on_bytes_) {
    by_width_[{first_byte(cell), type(cell).bits}] = cell;
    if (leaves(cell).empty()) leaf_at_[first_byte(cell)] = cell;
    for (const CellId leaf : leaves(cell)) {
      shares_[cell.index()] = shares_[leaf.index()] = true;
      made_with_[leaf.index()].push_back(cell);
    }
  }
}

// What is made of leaves adds nothing to the hash of a row: it follows from them.
void SharedMemory::rehash() {
  slots_.assign(slots_.size(), kEmpty);
  for (std::uint32_t row = 0; row < size(); ++row) {
    hashes_[row] = 0;
    for (std::size_t c = 1; c < addresses_.size(); ++c)
      if (leaves(CellId(c)).empty()) hashes_[row] += hash_of(c, rows_[row * stride_ + c]);
    hashes_[row] += hash_of(kLockCell.index(), rows_[row * stride_]);
    std::size_t slot = mix(hashes_[row]) & (slots_.size() - 1);
    while (slots_[slot] != kEmpty) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = row;
  }
}

MemoryId SharedMemory::write_overlapping(MemoryId memory, CellId cell, Value value) {
  const auto from = rows_.begin() + static_cast<std::ptrdiff_t>(memory.index() * stride_);
  row_.assign(from, from + static_cast<std::ptrdiff_t>(stride_));
  std::uint64_t hash = hashes_[memory.index()];
  const auto set_leaf = [&](CellId leaf, Value to) {
    hash += hash_of(leaf.index(), to) - hash_of(leaf.index(), row_[leaf.index()]);
    row_[leaf.index()] = to;
    for (const CellId made : made_with_[leaf.index()])
      row_[made.index()] = together(made, [&](CellId other) { return row_[other.index()]; });
  };
  const std::span<const CellId> parts = leaves(cell);
  if (parts.empty()) set_leaf(cell, value);
  for (const CellId leaf : parts) set_leaf(leaf, part(value, cell, leaf));
  if (std::ranges::equal(row_, std::span(rows_).subspan(memory.index() * stride_, stride_))) return memory;

  if ((size() + 1) * 3 > slots_.size() * 2) grow_slots();
  std::size_t slot = mix(hash) & (slots_.size() - 1);
  for (; slots_[slot] != kEmpty; slot = (slot + 1) & (slots_.size() - 1))
    if (hashes_[slots_[slot]] == hash &&
        std::ranges::equal(row_, std::span(rows_).subspan(slots_[slot] * stride_, stride_)))
      return MemoryId(slots_[slot]);
  const MemoryId id(size());
  WEIR_CHECK(id.valid(), "more than four billion memory valuations");
  slots_[slot] = id.index();
  hashes_.push_back(hash);
  rows_.insert(rows_.end(), row_.begin(), row_.end());
  note_value(cell, value);
  return id;
}

}  // namespace weir
