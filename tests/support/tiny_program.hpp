// Programs of a few lines, written by hand in tests:
//
//   TinyProgram tiny({"x", "y"});
//   tiny.thread("P").store("x", 1).load("r", "y");
//   tiny.thread("Q").store("y", 1).load("s", "x");
//   EXPECT_EQ(outcomes(tiny.program(), Model::kSc, {"P.r", "Q.s"}), …);
//
// Variables and registers are 64 bits wide unless said otherwise. Each call adds one instruction and goes on
// behind it.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "check/explore.hpp"
#include "program/program.hpp"

namespace weir::test {

class TinyThread {
 public:
  TinyThread(Program& program, FunctionId function, ThreadId thread);

  TinyThread& load(std::string_view reg, std::string_view variable);
  TinyThread& store(std::string_view variable, Value value, Order order = Order::kRelaxed);
  TinyThread& store_register(std::string_view variable, std::string_view reg);
  TinyThread& exchange(std::string_view reg, std::string_view variable, Value value);
  TinyThread& fetch_add(std::string_view reg, std::string_view variable, Value value);
  TinyThread& compare_exchange(std::string_view reg, std::string_view variable, Value expected,
                               Value desired);
  TinyThread& fence() { return add({.op = Opcode::kFence, .fence = FenceKind::kFull}); }
  TinyThread& store_fence() { return add({.op = Opcode::kFence, .fence = FenceKind::kStoreStore}); }
  TinyThread& lock() { return add({.op = Opcode::kLock}); }
  TinyThread& unlock() { return add({.op = Opcode::kUnlock}); }
  TinyThread& atomic_begin() { return add({.op = Opcode::kAtomicBegin}); }
  TinyThread& atomic_end() { return add({.op = Opcode::kAtomicEnd}); }
  TinyThread& nop() { return add({}); }
  TinyThread& assign(std::string_view reg, ExprId value);
  TinyThread& choose(std::string_view reg, Value low, Value high);
  TinyThread& assume_equal(std::string_view reg, Value value);
  TinyThread& assert_equal(std::string_view reg, Value value);
  TinyThread& leave(ExprId value = ExprId::none());
  TinyThread& add(Instruction instruction);
  TinyThread& jump_to(LocationId target,
                      Instruction instruction = {});  // an edge to there; goes on where it was

  // For instructions that have no shorthand. A register is declared by its first use.
  RegisterId reg(std::string_view name, Type type = kInt64);
  ExprId value(std::string_view reg);
  ExprId equal(std::string_view reg, Value value);
  LocationId here() const { return here_; }
  TinyThread& continue_at(LocationId location);
  FunctionId function() const { return function_; }
  ThreadId id() const { return thread_; }

 private:
  ExprId address(std::string_view variable);

  Program* program_;
  FunctionId function_;
  ThreadId thread_;  // none for a function that is only called
  LocationId here_;
};

class TinyProgram {
 public:
  explicit TinyProgram(const std::vector<std::string>& variables);

  TinyThread thread(std::string_view name);
  TinyThread function(std::string_view name, const std::vector<std::string>& parameters);
  void variable(std::string_view name, Type type,
                std::vector<Value> initial = {0});  // at the next free address
  Program& program() { return program_; }

 private:
  Program program_;
  Value next_address_ = 0;
};

// Store buffering where P's store is to two bytes at once, and Q's load of the second one.
TinyProgram buffering_of_two_bytes();

// What the named things hold when all threads have stopped and no step is possible: a variable "x", or a
// register of a thread's outermost function "P.r".
std::set<std::vector<Value>> outcomes(const Program& program, Model model,
                                      const std::vector<std::string>& observed);

// The value of one such thing in a state.
Value observe(const Program& program, const ReferenceState& state, std::string_view what);

// Can the thread execute an instruction (or flush a store) now?
bool can_move(const ReferenceMachine& machine, const ReferenceState& state, ThreadId thread,
              WitnessStep::Kind kind = WitnessStep::Kind::kInstruction);
// The state after the first instruction that the thread can execute, which must exist.
ReferenceState after_instruction(const ReferenceMachine& machine, const ReferenceState& state,
                                 ThreadId thread);

}  // namespace weir::test
