// What a thread wants to do next, with its operands already evaluated. An engine or a memory model decides
// when it happens and, for actions that read, tells the thread what it read.
#pragma once

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
  kFail,  // an instruction that violates a property by being executed
};

enum class FailureKind : std::uint8_t { kAssertion, kDivision, kAddress, kWidth };

struct Action {
  ActionKind kind = ActionKind::kInternal;
  Order order = Order::kRelaxed;
  RmwOp rmw = RmwOp::kExchange;
  FenceKind fence = FenceKind::kFull;
  FailureKind failure = FailureKind::kAssertion;
  Opcode failing =
      Opcode::kNop;    // kFail: the instruction, which says under which conditions it is executable
  Type type = kInt64;  // of the access
  EdgeId edge;
  Value address = 0;
  Value value = 0;     // store: what to write; rmw: the operand; internal choose: the value chosen
  Value expected = 0;  // compare-exchange
};

// Does the thread need to be told a value to go on?
inline bool returns_value(const Action& action) {
  return action.kind == ActionKind::kLoad || action.kind == ActionKind::kRmw;
}

}  // namespace weir
