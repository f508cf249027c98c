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

Value initial_value(const Program& program, Value address) {
  if (const std::optional<ObjectId> id = program.object_at(address))
    return initial_value_in_object(program.object(*id), address);
  const bool in_block = !program.open_memory && address_kind(address) == AddressKind::kBlock;
  return in_block && decode_block(address).kind != BlockKind::kZeroed ? kUninitialised : 0;
}

}  // namespace

std::strong_ordering operator<=>(const BufferEntry& a, const BufferEntry& b) {
  return std::tie(a.barrier, a.address, a.value) <=> std::tie(b.barrier, b.address, b.value);
}

Value read_memory(const Program& program, const MemoryChanges& memory, Value address) {
  const auto found = memory.find(address);
  return found != memory.end() ? found->second : initial_value(program, address);
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
    while (place != buffer.begin() && !std::prev(place)->barrier && std::prev(place)->address > store.address)
      --place;
  buffer.insert(place, store);
}

void push_barrier(StoreBuffer& buffer) {
  if (!buffer.empty() && !buffer.back().barrier) buffer.push_back({.barrier = true});
}

const BufferEntry* newest_store(const StoreBuffer& buffer, Value address) {
  for (auto entry = buffer.rbegin(); entry != buffer.rend(); ++entry)
    if (!entry->barrier && entry->address == address) return &*entry;
  return nullptr;
}

std::vector<std::size_t> oldest_stores(const StoreBuffer& buffer, Model model) {
  if (buffer.empty()) return {};
  if (model != Model::kPso) return {0};
  std::vector<std::size_t> oldest;
  std::size_t index = 0;
  std::optional<Value> address_before;
  for (const BufferEntry& entry : buffer) {
    if (entry.barrier) break;
    if (entry.address != address_before) oldest.push_back(index);
    address_before = entry.address;
    ++index;
  }
  return oldest;
}

std::optional<std::size_t> oldest_store_to(const StoreBuffer& buffer, Value address, Model model) {
  std::size_t index = 0;
  for (const BufferEntry& entry : buffer) {
    if (entry.barrier) break;
    if (entry.address == address) return index;
    if (model != Model::kPso) break;  // only the very oldest store may leave
    ++index;
  }
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
