// One function for each kind of memory, and each check as the text has it.
#include "check/reference/access.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "base/error.hpp"
#include "program/address.hpp"

namespace weir {

namespace {

using Problem = std::optional<AccessProblem>;

AddressKind kind_of(const Program& program, Value address) {
  return program.open_memory ? AddressKind::kOrdinary : address_kind(address);
}

Problem outside_every_object(const Program& program, Value address) {
  if (kind_of(program, address) == AddressKind::kOrdinary)
    return AccessProblem{fmt::format("address {} is outside every object", address)};
  return AccessProblem{fmt::format("{} is outside every object", program.address_name(address))};
}

// Declared objects.

// Does the access touch a byte of a cell that begins elsewhere?
bool hits_part_of_a_cell(const Program& program, const Access& access) {
  const auto bytes = static_cast<std::int64_t>(bytes_of(access.type));
  for (std::int64_t distance = -7; distance < bytes; ++distance) {
    // Any number can be an address, also the largest: the sum wraps.
    const std::optional<ObjectId> id = program.object_at(static_cast<Value>(
        static_cast<std::uint64_t>(access.address) + static_cast<std::uint64_t>(distance)));
    if (distance == 0 || !id) continue;
    if (distance > 0 || distance + static_cast<std::int64_t>(bytes_of(program.object(*id).type)) > 0)
      return true;
  }
  return false;
}

Problem object_problem(const Program& program, const Access& access) {
  const std::optional<ObjectId> id = program.object_at(access.address);
  if (!program.open_memory && is_cut_address(access.address))
    return AccessProblem{kCutAddress,
                         /*by_content=*/false, /*unsupported=*/true};
  if (!id && program.byte_memory && hits_part_of_a_cell(program, access))
    return AccessProblem{
        fmt::format("{} bytes at address {} are parts of cells; such programs are not supported",
                    bytes_of(access.type), access.address),
        /*by_content=*/false, /*unsupported=*/true};
  if (!id && !program.open_memory) return outside_every_object(program, access.address);
  const Type cell = id ? program.object(*id).type : kInt64;
  if (id && program.object(*id).constant && access.writes)
    return AccessProblem{fmt::format("{} is constant", program.address_name(access.address))};
  if (cell.bits == access.type.bits) return std::nullopt;
  return AccessProblem{fmt::format("{} is {} bits wide but accessed with {} bits",
                                   program.address_name(access.address), cell.bits, access.type.bits),
                       /*by_content=*/false, /*unsupported=*/program.byte_memory};
}

// Blocks.

// A cell has at most 8 bytes, so one that begins 8 or more bytes before the access is not reached by it.
std::optional<CellWidths::value_type> mixed_with(const CellWidths& widths, const Access& access) {
  const Value end = access.address + static_cast<Value>(bytes_of(access.type));
  for (auto cell = widths.lower_bound(access.address - 7); cell != widths.end() && cell->first < end;
       ++cell) {
    const auto [address, bits] = *cell;
    const bool the_same = address == access.address && bits == access.type.bits;
    const bool overlaps = access.address < address + static_cast<Value>(bytes_of({bits, false}));
    if (overlaps && !the_same) return *cell;
  }
  return std::nullopt;
}

Problem block_problem(const Program& program, const ReferenceState& state, const Access& access) {
  const BlockAddress block = decode_block(access.address);
  const std::string name = program.address_name(access.address);
  if (block.kind > kLastBlockKind) return outside_every_object(program, access.address);
  if (!inside_block(block, bytes_of(access.type)))
    return AccessProblem{fmt::format("{} bytes at {} are outside its block, which has {} bytes",
                                     bytes_of(access.type), name, block.size)};
  if (!is_allocated(state, access.address)) return outside_every_object(program, access.address);
  if (const auto other = mixed_with(state.widths, access))
    return AccessProblem{
        fmt::format("{} is accessed with {} bits, and before {} with {} bits; such programs are "
                    "not supported",
                    name, access.type.bits, program.address_name(other->first), other->second),
        /*by_content=*/false, /*unsupported=*/true};
  if (released(program, state, access.thread, access.address))
    return AccessProblem{fmt::format("{} is accessed after its block was released", name),
                         /*by_content=*/true};
  return std::nullopt;
}

// Private memory.

Problem private_problem(const Program& program, const ReferenceState& state, const Access& access) {
  const PrivateAddress place = decode_private(access.address);
  const std::vector<Activation>& stack = state.threads.at(access.thread.index()).stack;
  if (place.activation >= stack.size())
    return AccessProblem{
        fmt::format("{} belongs to a function that has returned", program.address_name(access.address))};
  const auto holds_it = [&](const PrivateObject& object) {
    return place.offset >= object.offset &&
           place.offset + bytes_of(access.type) <= object.offset + object.size;
  };
  const Function& function = program.function(stack[place.activation].function);
  if (std::ranges::any_of(function.privates, holds_it)) return std::nullopt;
  return AccessProblem{fmt::format("{} bytes at {} are not within one object", bytes_of(access.type),
                                   program.address_name(access.address))};
}

std::optional<Value> private_value(const ReferenceState& state, const Access& access) {
  const PrivateAddress place = decode_private(access.address);
  const PrivateBytes& bytes = state.threads.at(access.thread.index()).stack.at(place.activation).bytes;
  std::uint64_t word = 0;
  for (std::uint64_t i = 0; i < bytes_of(access.type); ++i) {
    const auto byte = bytes.find(place.offset + i);
    if (byte == bytes.end()) return std::nullopt;
    word |= std::uint64_t{byte->second} << (8 * i);
  }
  return wrap(word, access.type);
}

Value shared_value(const Program& program, const ReferenceState& state, ThreadId thread, Value address) {
  const BufferEntry* buffered = newest_store(state.buffers.at(thread.index()), address);
  return buffered != nullptr ? buffered->value : read_memory(program, state.memory, address);
}

}  // namespace

Region region_of(const Program& program, Value address) {
  if (kind_of(program, address) == AddressKind::kPrivate) return Region::kPrivate;
  const std::optional<ObjectId> id = program.object_at(address);
  return id && program.object(*id).constant ? Region::kConstant : Region::kShared;
}

std::optional<AccessProblem> find_problem(const Program& program, const ReferenceState& state,
                                          const Access& access) {
  switch (kind_of(program, access.address)) {
    case AddressKind::kPrivate: return private_problem(program, state, access);
    case AddressKind::kBlock: return block_problem(program, state, access);
    case AddressKind::kStatus: return outside_every_object(program, access.address);
    case AddressKind::kOrdinary: return object_problem(program, access);
  }
  return outside_every_object(program, access.address);
}

Type cell_type(const Program& program, const Access& access) {
  const AddressKind kind = kind_of(program, access.address);
  if (kind == AddressKind::kBlock) return {access.type.bits, false};
  if (kind != AddressKind::kOrdinary) return access.type;
  const std::optional<ObjectId> id = program.object_at(access.address);
  WEIR_CHECK(id || program.open_memory, "the access was checked");
  return id ? program.object(*id).type : kInt64;
}

std::optional<Value> visible_value(const Program& program, const ReferenceState& state,
                                   const Access& access) {
  if (region_of(program, access.address) == Region::kPrivate) return private_value(state, access);
  const Value value = shared_value(program, state, access.thread, access.address);
  if (value == kUninitialised) return std::nullopt;
  return wrap(static_cast<std::uint64_t>(value), access.type);
}

void remember_width(const Program& program, CellWidths& widths, const Access& access) {
  if (kind_of(program, access.address) == AddressKind::kBlock) widths[access.address] = access.type.bits;
}

void write_private(ReferenceState& state, const Access& access, std::optional<Value> value) {
  const PrivateAddress place = decode_private(access.address);
  PrivateBytes& bytes = state.threads.at(access.thread.index()).stack.at(place.activation).bytes;
  for (std::uint64_t i = 0; i < bytes_of(access.type); ++i)
    if (value)
      bytes[place.offset + i] = static_cast<std::uint8_t>(static_cast<std::uint64_t>(*value) >> (8 * i));
    else
      bytes.erase(place.offset + i);
}

bool is_allocated(const ReferenceState& state, Value address) {
  BlockAddress start = decode_block(address);
  start.offset = 0;
  return std::ranges::find(state.blocks.starts, encode(start)) != state.blocks.starts.end();
}

bool released(const Program& program, const ReferenceState& state, ThreadId thread, Value address) {
  return shared_value(program, state, thread, status_address(address)) != 0;
}

}  // namespace weir
