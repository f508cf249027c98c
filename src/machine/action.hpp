// What a thread wants to do next, with its operands already evaluated. An engine or a memory model decides
// when it happens and, for actions that read, tells the thread what it read.
#pragma once

#include "program/ordering.hpp"
#include "program/program.hpp"

namespace weir {

enum class ActionKind : std::uint8_t {
  kInternal,  // a step that touches neither memory nor lock: a nondeterministic or observed local instruction
  kLoad,
  kStore,
  kRmw,
  kFence,
  kLock,
  kUnlock,
  kAtomicBegin,
  kAtomicEnd,
  kFree,  // releases the block at `address` (its status becomes `value`); order sequential: at once
  kHalt,  // ends the execution of all threads, or cannot be followed any further (see Monitor::gave_up)
  kFail,  // an instruction that violates a property by being executed
};

enum class FailureKind : std::uint8_t {
  kAssertion,
  kDivision,
  kAddress,   // belongs to no object
  kBounds,    // leaves its block or private object
  kConstant,  // writes what cannot be written
  kWidth,
  kFreed,  // the block was released before
  kNotInitialised,
  kMark,     // stores the number that stands for uninitialised
  kBadFree,  // releases what is no block, or no longer
};

// Violations of these kinds are errors of memory; the others are failed assertions.
inline bool is_memory_failure(FailureKind kind) { return kind >= FailureKind::kAddress; }

struct Action {
  ActionKind kind = ActionKind::kInternal;
  Order order = Order::kRelaxed;
  RmwOp rmw = RmwOp::kExchange;
  FenceKind fence = FenceKind::kFull;
  FailureKind failure = FailureKind::kAssertion;
  // kFail: the instruction, which says under which conditions it is executable; kNop if it always is, kFence
  // if it only waits for an empty buffer.
  Opcode failing = Opcode::kNop;
  bool waits = false;   // load: only when the value is not `expected`
  bool until = false;   // load that waits: only when the value is `expected`
  bool plain = false;   // load, store
  bool copies = false;  // load: may return kUninitialised
  Type type = kInt64;   // of the access
  EdgeId edge;
  Value address = 0;
  Value value = 0;     // store: what to write; rmw: the operand; internal choose: the value chosen
  Value expected = 0;  // compare-exchange, load that waits

  template <class Archive>
  void transfer(Archive& archive) {
    archive(kind, order, rmw, fence, failure, failing, waits, until, plain, copies, type.bits, type.is_signed,
            edge, address, value, expected);
  }
};

// Is it a locked instruction, which waits for an empty buffer wherever it goes?
inline bool is_locked(const Instruction& instruction) {
  return instruction.op == Opcode::kRmw ||
         (instruction.op == Opcode::kStore && waits_for_empty_buffer(instruction.order));
}

// Does the failing instruction wait for an empty buffer, also where ordinary stores go to the buffer?
inline bool drains_to_fail(const Action& action) {
  return action.failing == Opcode::kRmw || action.failing == Opcode::kFence ||
         (action.failing == Opcode::kStore && waits_for_empty_buffer(action.order));
}

// Does the thread need to be told a value to go on?
inline bool returns_value(const Action& action) {
  return action.kind == ActionKind::kLoad || action.kind == ActionKind::kRmw;
}

// What a load or read-modify-write of a cell that holds `value` returns.
inline Value returned_value(const Action& action, Value value) {
  return value == kUninitialised ? value : wrap(static_cast<std::uint64_t>(value), action.type);
}

// Can a load or read-modify-write be executed when it would return this?
inline bool can_return(const Action& action, Value returned) {
  if (returned == kUninitialised && !action.copies) return false;
  return !action.waits || (returned == action.expected) == action.until;
}

}  // namespace weir
