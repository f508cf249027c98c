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

// The object with a cell that the byte belongs to.
std::optional<ObjectId> object_around(const Program& program, Value byte) {
  for (std::uint64_t distance = 0; distance < 8; ++distance) {
    // Any number can be an address, also the smallest: the difference wraps.
    const std::optional<ObjectId> id =
        program.object_at(static_cast<Value>(static_cast<std::uint64_t>(byte) - distance));
    if (id) return distance < bytes_of(program.object(*id).type) ? id : std::nullopt;
  }
  return std::nullopt;
}

// An access that does not hit one cell as a whole.
Problem problem_on_several_cells(const Program& program, const Access& access) {
  std::uint64_t known = 0, constant = 0;
  const std::uint64_t bytes = bytes_of(access.type);
  for (std::uint64_t i = 0; i < bytes; ++i) {
    const std::optional<ObjectId> id =
        object_around(program, static_cast<Value>(static_cast<std::uint64_t>(access.address) + i));
    known += id.has_value();
    constant += id && program.object(*id).constant;
  }
  if (known == 0) return outside_every_object(program, access.address);
  const std::string name = program.address_name(access.address);
  if (constant == bytes)
    return access.writes ? Problem(AccessProblem{fmt::format("{} is constant", name)}) : std::nullopt;
  if (known == bytes && constant == 0) return std::nullopt;
  return AccessProblem{
      fmt::format("{} bytes at {} are not all bytes of variables, or not all of them constant; such "
                  "programs are not supported",
                  bytes, name),
      /*by_content=*/false, /*unsupported=*/true};
}

Problem object_problem(const Program& program, const Access& access) {
  const std::optional<ObjectId> id = program.object_at(access.address);
  if (!program.open_memory && is_cut_address(access.address))
    return AccessProblem{kCutAddress,
                         /*by_content=*/false, /*unsupported=*/true};
  const Type cell = id ? program.object(*id).type : kInt64;
  if (program.byte_memory && (!id || cell.bits != access.type.bits))
    return problem_on_several_cells(program, access);
  if (!id && !program.open_memory) return outside_every_object(program, access.address);
  if (id && program.object(*id).constant && access.writes)
    return AccessProblem{fmt::format("{} is constant", program.address_name(access.address))};
  if (cell.bits == access.type.bits) return std::nullopt;
  return AccessProblem{fmt::format("{} is {} bits wide but accessed with {} bits",
                                   program.address_name(access.address), cell.bits, access.type.bits)};
}

// Blocks.

Problem block_problem(const Program& program, const ReferenceState& state, const Access& access) {
  const BlockAddress block = decode_block(access.address);
  const std::string name = program.address_name(access.address);
  if (block.kind > kLastBlockKind) return outside_every_object(program, access.address);
  if (!inside_block(block, bytes_of(access.type)))
    return AccessProblem{fmt::format("{} bytes at {} are outside its block, which has {} bytes",
                                     bytes_of(access.type), name, block.size)};
  if (!is_allocated(state, access.address)) return outside_every_object(program, access.address);
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

// Each unit from the newest store that holds it.
Value shared_value(const Program& program, const ReferenceState& state, ThreadId thread, Value address,
                   Value units) {
  return put_together(address, units, [&](Value unit) {
    const BufferEntry* buffered = newest_store(state.buffers.at(thread.index()), unit);
    return buffered != nullptr ? unit_of(program, *buffered, unit) : read_unit(program, state.memory, unit);
  });
}

}  // namespace

Region region_of(const Program& program, Value address) {
  if (kind_of(program, address) == AddressKind::kPrivate) return Region::kPrivate;
  const std::optional<ObjectId> id =
      is_byte(program, address) ? object_around(program, address) : program.object_at(address);
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
  WEIR_CHECK(id || program.open_memory || program.byte_memory, "the access was checked");
  if (program.byte_memory && (!id || program.object(*id).type.bits != access.type.bits))
    return {access.type.bits, false};
  return id ? program.object(*id).type : kInt64;
}

std::optional<Value> visible_value(const Program& program, const ReferenceState& state,
                                   const Access& access) {
  if (region_of(program, access.address) == Region::kPrivate) return private_value(state, access);
  const Value value = shared_value(program, state, access.thread, access.address,
                                   units_of(program, access.address, access.type));
  if (value == kUninitialised) return std::nullopt;
  return wrap(static_cast<std::uint64_t>(value), access.type);
}

bool partly_initialised(const Program& program, const ReferenceState& state, const Access& access) {
  if (region_of(program, access.address) == Region::kPrivate) return false;
  Value initialised = 0;
  const Value units = units_of(program, access.address, access.type);
  for (Value unit = access.address; unit < access.address + units; ++unit)
    initialised += shared_value(program, state, access.thread, unit, 1) != kUninitialised;
  return initialised > 0 && initialised < units;
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
  return shared_value(program, state, thread, status_address(address), 1) != 0;
}

}  // namespace weir
