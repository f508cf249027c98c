// The rules that give every state of the reference machine one representation.
#include "check/reference/state.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "base/error.hpp"
#include "program/address.hpp"

namespace weir {

namespace {

Value initial_value_in_object(const SharedObject& object, Value address) {
  const Value initial = object.initial.at(static_cast<std::size_t>((address - object.base) / object.stride));
  if (initial == kUninitialised) return initial;
  return wrap(static_cast<std::uint64_t>(initial), object.type);
}

// The byte of the cell that it belongs to.
std::optional<Value> initial_byte_in_object(const Program& program, Value address) {
  for (Value distance = 0; distance < 8; ++distance) {
    const Value start =
        static_cast<Value>(static_cast<std::uint64_t>(address) - static_cast<std::uint64_t>(distance));
    const std::optional<ObjectId> id = program.object_at(start);
    if (!id) continue;
    const SharedObject& object = program.object(*id);
    if (distance >= static_cast<Value>(bytes_of(object.type))) return std::nullopt;
    const Value initial = initial_value_in_object(object, start);
    if (initial == kUninitialised) return initial;
    return static_cast<Value>(static_cast<std::uint64_t>(initial) >> (8 * distance) & 0xFF);
  }
  return std::nullopt;
}

Value initial_value(const Program& program, Value address) {
  if (is_byte(program, address))
    if (const std::optional<Value> byte = initial_byte_in_object(program, address)) return *byte;
  if (const std::optional<ObjectId> id = program.object_at(address))
    return initial_value_in_object(program.object(*id), address);
  const bool in_block = !program.open_memory && address_kind(address) == AddressKind::kBlock;
  return in_block && decode_block(address).kind != BlockKind::kZeroed ? kUninitialised : 0;
}

Value end_of(const BufferEntry& store) { return store.address + store.units; }

}  // namespace

std::strong_ordering operator<=>(const BufferEntry& a, const BufferEntry& b) {
  return std::tie(a.barrier, a.address, a.units, a.value) <=>
         std::tie(b.barrier, b.address, b.units, b.value);
}

bool is_byte(const Program& program, Value address) {
  if (program.open_memory) return false;
  const AddressKind kind = address_kind(address);
  return kind == AddressKind::kBlock || (kind == AddressKind::kOrdinary && program.byte_memory);
}

Value units_of(const Program& program, Value address, Type type) {
  return is_byte(program, address) ? static_cast<Value>(bytes_of(type)) : 1;
}

Value read_unit(const Program& program, const MemoryChanges& memory, Value address) {
  const auto found = memory.find(address);
  return found != memory.end() ? found->second : initial_value(program, address);
}

Value unit_of(const Program& program, const BufferEntry& store, Value address) {
  if (!is_byte(program, address) || store.value == kUninitialised) return store.value;
  return static_cast<Value>(static_cast<std::uint64_t>(store.value) >> (8 * (address - store.address)) &
                            0xFF);
}

Value read_memory(const Program& program, const MemoryChanges& memory, Value address) {
  const std::optional<ObjectId> id = program.object_at(address);
  const Type type = id ? program.object(*id).type : kInt64;
  const Value units = id ? units_of(program, address, type) : 1;
  const Value held =
      put_together(address, units, [&](Value unit) { return read_unit(program, memory, unit); });
  return held == kUninitialised || !id ? held : wrap(static_cast<std::uint64_t>(held), type);
}

void write_memory(const Program& program, MemoryChanges& memory, const BufferEntry& store) {
  for (Value unit = store.address; unit < store.address + store.units; ++unit)
    write_memory(program, memory, unit, unit_of(program, store, unit));
}

void write_memory(const Program& program, MemoryChanges& memory, Value address, Value value) {
  if (value == initial_value(program, address))
    memory.erase(address);
  else
    memory[address] = value;
}

void push_store(StoreBuffer& buffer, const BufferEntry& store, Model model) {
  auto place = buffer.end();
  if (model == Model::kPso)
    while (place != buffer.begin() && !std::prev(place)->barrier &&
           std::prev(place)->address >= end_of(store))
      --place;
  buffer.insert(place, store);
}

void push_barrier(StoreBuffer& buffer) {
  if (!buffer.empty() && !buffer.back().barrier) buffer.push_back({.barrier = true});
}

const BufferEntry* newest_store(const StoreBuffer& buffer, Value address) {
  for (auto entry = buffer.rbegin(); entry != buffer.rend(); ++entry)
    if (!entry->barrier && entry->address <= address && address < end_of(*entry)) return &*entry;
  return nullptr;
}

std::vector<std::size_t> oldest_stores(const StoreBuffer& buffer, Model model) {
  if (buffer.empty()) return {};
  if (model != Model::kPso) return {0};
  std::vector<std::size_t> oldest;
  std::size_t index = 0;
  for (auto entry = buffer.begin(); entry != buffer.end() && !entry->barrier; ++entry, ++index) {
    const auto in_common = [&](const BufferEntry& older) {
      return older.address < end_of(*entry) && entry->address < end_of(older);
    };
    if (std::none_of(buffer.begin(), entry, in_common)) oldest.push_back(index);
  }
  return oldest;
}

std::optional<std::size_t> oldest_store_to(const StoreBuffer& buffer, Value address, Model model) {
  for (const std::size_t index : oldest_stores(buffer, model))
    if (std::next(buffer.begin(), static_cast<std::ptrdiff_t>(index))->address == address) return index;
  return std::nullopt;
}

BufferEntry take_store(StoreBuffer& buffer, std::size_t index) {
  WEIR_CHECK(index < buffer.size(), "there is such an entry");
  const auto entry = std::next(buffer.begin(), static_cast<std::ptrdiff_t>(index));
  const BufferEntry store = *entry;
  WEIR_CHECK(!store.barrier, "only stores are flushed");
  buffer.erase(entry);
  if (!buffer.empty() && buffer.front().barrier) buffer.pop_front();
  return store;
}

std::size_t count_stores(const StoreBuffer& buffer) {
  return static_cast<std::size_t>(std::ranges::count(buffer, false, &BufferEntry::barrier));
}

}  // namespace weir
