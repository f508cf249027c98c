// A state of the reference machine: plain values, compared member by member. Every state has one
// representation, so two structs are equal exactly when the states are:
//
// - memory lists only the units that differ from their initial values; a unit that is not initialised holds
//   the number kUninitialised, whatever its type. A unit is a byte where memory is made of bytes (in blocks, and in
//   objects of a program with byte memory), and otherwise a cell;
// - private memory lists only the bytes that are initialised;
// - a barrier never stands first in a buffer, nor directly behind another barrier;
// - under PSO, where stores to different addresses are not ordered, the stores between two barriers are
//   sorted by address, those that have a unit in common from old to new.
//
// The functions below keep these rules. Everything is slow and obvious on purpose: the engines are checked
// against this.
#pragma once

#include <compare>
#include <cstddef>
#include <list>
#include <map>
#include <optional>
#include <vector>

#include "program/program.hpp"
#include "trace/witness.hpp"

namespace weir {

using PrivateBytes = std::map<std::uint64_t, std::uint8_t>;  // by their offset in the activation's memory

// One function being executed.
struct Activation {
  FunctionId function;
  LocationId location;  // none: the thread stopped by `return` or `stop`
  EdgeId call;          // the edge that started this activation; none in the outermost one
  std::vector<Value> registers;
  PrivateBytes bytes;

  friend auto operator<=>(const Activation&, const Activation&) = default;
};

struct ThreadState {
  std::vector<Activation> stack;  // outermost first; never empty
  bool dormant = false;           // declared so, and has not executed any instruction yet
  std::uint64_t heap_blocks = 0;  // how many it has allocated
  std::uint64_t stack_blocks = 0;

  friend auto operator<=>(const ThreadState&, const ThreadState&) = default;
};

struct BufferEntry {
  bool barrier = false;  // no store, but a line that later stores do not cross
  Value address = 0;
  Value value = 0;
  Value units = 1;  // how many, from the address on
  EdgeId edge;      // where the store comes from. Only told to the user: no part of the state's identity

  friend std::strong_ordering operator<=>(const BufferEntry& a, const BufferEntry& b);
  friend bool operator==(const BufferEntry& a, const BufferEntry& b) { return (a <=> b) == 0; }
};

using StoreBuffer = std::list<BufferEntry>;    // oldest first
using MemoryChanges = std::map<Value, Value>;  // address to value, where it differs from the initial value

// The addresses of all blocks allocated on the way here, released or not. Only used to recognise them: no
// part of the state's identity.
struct AllocatedBlocks {
  std::vector<Value> starts;

  friend std::strong_ordering operator<=>(const AllocatedBlocks&, const AllocatedBlocks&) {
    return std::strong_ordering::equal;
  }
  friend bool operator==(const AllocatedBlocks&, const AllocatedBlocks&) { return true; }
};

struct ReferenceState {
  std::vector<ThreadState> threads;
  MemoryChanges memory;
  std::vector<StoreBuffer> buffers;  // one per thread
  std::optional<ThreadId> lock;      // who holds the global lock
  AllocatedBlocks blocks;
  bool halted = false;  // nothing happens any more

  friend auto operator<=>(const ReferenceState&, const ReferenceState&) = default;
};

// Is the unit at this address a byte?
bool is_byte(const Program& program, Value address);
// The units of an access of so many bits.
Value units_of(const Program& program, Value address, Type type);
Value read_unit(const Program& program, const MemoryChanges& memory, Value address);
// What the units hold together: kUninitialised if one of them is not. `read(address)` gives what each holds.
template <class Read>
Value put_together(Value address, Value units, Read&& read) {
  if (units == 1) return read(address);
  std::uint64_t word = 0;
  for (Value i = 0; i < units; ++i) {
    const Value byte = read(address + i);
    if (byte == kUninitialised) return kUninitialised;
    word |= static_cast<std::uint64_t>(byte) << (8 * i);
  }
  return static_cast<Value>(word);
}
// What an entry of a buffer puts into one of its units.
Value unit_of(const Program& program, const BufferEntry& store, Value address);

// What shared memory holds in the cell of an object, or at the address of a status.
Value read_memory(const Program& program, const MemoryChanges& memory, Value address);
// Writes one unit, or several.
void write_memory(const Program& program, MemoryChanges& memory, const BufferEntry& store);
void write_memory(const Program& program, MemoryChanges& memory, Value address, Value value);

void push_store(StoreBuffer& buffer, const BufferEntry& store, Model model);
void push_barrier(StoreBuffer& buffer);
// The newest store that holds this unit; null if there is none.
const BufferEntry* newest_store(const StoreBuffer& buffer, Value address);
// Indices of the entries that may go to memory next, as far as the buffer is concerned.
std::vector<std::size_t> oldest_stores(const StoreBuffer& buffer, Model model);
// The one of them that goes to `address`.
std::optional<std::size_t> oldest_store_to(const StoreBuffer& buffer, Value address, Model model);
BufferEntry take_store(StoreBuffer& buffer, std::size_t index);
std::size_t count_stores(const StoreBuffer& buffer);

}  // namespace weir
