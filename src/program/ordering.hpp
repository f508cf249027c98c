// What a memory model is, for everything but `check`: which accesses may overtake which, and what keeps them
// from it. Engines ask these questions instead of comparing with models by name, so that a further model is
// answered for here first: every `switch` is without a default, and the compiler tells of one that forgets
// it. An engine that answers under some models only lists those.
//
// `check` knows the models by itself and must not ask here: tests/program/ordering_test.cpp compares these
// answers with what its machine does.
#pragma once

#include <optional>

#include "program/model.hpp"
#include "program/program.hpp"

namespace weir {

// Which accesses may take effect before an earlier one, of the same thread, to another cell.
struct Overtaking {
  bool loads_overtake_loads = false;
  bool stores_overtake_loads = false;
  bool loads_overtake_stores = false;
  bool stores_overtake_stores = false;
};

constexpr Overtaking overtaking(Model model) {
  switch (model) {
    case Model::kSc: return {};
    case Model::kTso: return {.loads_overtake_stores = true};
    case Model::kPso: return {.loads_overtake_stores = true, .stores_overtake_stores = true};
  }
  return {};
}

// Is every execution an interleaving of what the threads do?
constexpr bool keeps_program_order(Model model) {
  const Overtaking allowed = overtaking(model);
  return !allowed.loads_overtake_loads && !allowed.stores_overtake_loads && !allowed.loads_overtake_stores &&
         !allowed.stores_overtake_stores;
}

// A store that later loads overtake waits in a buffer, where its own thread already reads it.
constexpr bool buffers_stores(Model model) { return overtaking(model).loads_overtake_stores; }

// Is a buffer a queue for each cell, and not one for all of them?
constexpr bool reorders_stores(Model model) { return overtaking(model).stores_overtake_stores; }

// The strongest of the models that allow more.
constexpr std::optional<Model> next_weaker(Model model) {
  switch (model) {
    case Model::kSc: return Model::kTso;
    case Model::kTso: return Model::kPso;
    case Model::kPso: return std::nullopt;
  }
  return std::nullopt;
}

// What is said to the buffer, by fences and by the orders of stores. The same under every model: where there
// are no buffers nobody waits, and a barrier parts nothing where stores are flushed in program order anyway.

constexpr bool waits_for_empty_buffer(FenceKind fence) {
  switch (fence) {
    case FenceKind::kFull: return true;
    case FenceKind::kStoreStore: return false;
  }
  return true;
}

// Must earlier stores be flushed before later ones?
constexpr bool puts_barrier(FenceKind fence) {
  switch (fence) {
    case FenceKind::kFull: return false;  // nothing is left to be parted
    case FenceKind::kStoreStore: return true;
  }
  return false;
}

// Does a store with this order write memory past the buffer, which must be empty then?
constexpr bool waits_for_empty_buffer(Order store) {
  switch (store) {
    case Order::kRelaxed:
    case Order::kAcquire:
    case Order::kRelease:
    case Order::kAcquireRelease: return false;
    case Order::kSequential: return true;
  }
  return true;
}

// Must earlier stores be flushed before one with this order, and those after it?
constexpr bool puts_barrier(Order store) {
  switch (store) {
    case Order::kRelaxed:
    case Order::kAcquire: return false;
    case Order::kRelease:
    case Order::kAcquireRelease: return true;
    case Order::kSequential: return false;  // nothing is left to be parted
  }
  return false;
}

// Does a store with this order change memory when it is executed?
constexpr bool writes_at_once(Model model, Order store) {
  return !buffers_stores(model) || waits_for_empty_buffer(store);
}

// Is it executable with an empty buffer only? Read-modify-writes are, whatever their order.
inline bool waits_for_empty_buffer(const Instruction& instruction) {
  switch (instruction.op) {
    case Opcode::kStore: return waits_for_empty_buffer(instruction.order);
    case Opcode::kFence: return waits_for_empty_buffer(instruction.fence);
    case Opcode::kRmw:
    case Opcode::kLock:
    case Opcode::kUnlock:
    case Opcode::kAtomicBegin: return true;
    case Opcode::kNop:
    case Opcode::kAssign:
    case Opcode::kAssume:
    case Opcode::kAssert:
    case Opcode::kLoad:
    case Opcode::kAtomicEnd:
    case Opcode::kChoose:
    case Opcode::kCall:
    case Opcode::kReturn:
    case Opcode::kStop:
    case Opcode::kAllocate:
    case Opcode::kFree:
    case Opcode::kHalt: return false;
  }
  return true;
}

}  // namespace weir
