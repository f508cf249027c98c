// The code of the threads of an instance: one transition, or the check of one unsafe cube, for given
// processes, from the head of the thread's loop back to it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "program/array/instance_plan.hpp"
#include "program/array/instance_terms.hpp"
#include "program/array/system.hpp"
#include "program/program.hpp"

namespace weir::array {

struct InstanceThread {
  ThreadId thread;
  FunctionId function;
  LocationId head;                       // where it chooses what to do next
  std::optional<std::uint32_t> process;  // none: the thread that belongs to no process
  std::vector<RegisterId> privates;      // by symbol
  RegisterId busy;                       // 0 when the private registers belong together
  std::vector<RegisterId> temporaries;
};

// Where everything is.
struct InstanceLayout {
  const ArraySystem& system;
  std::uint32_t processes;
  InstancePlan plan;
  std::vector<Value> bases;  // by symbol: the address of the first cell, if it is not private
  std::vector<InstanceThread> threads;

  bool is_private(SymbolId symbol) const { return plan.is_private[symbol.index()]; }
  Value address(SymbolId symbol, const InstanceTerms::Processes& arguments) const;
};

// How many values a sort has here: numbers 0, 1, …; none if there are infinitely many.
std::optional<Value> count_values(const Sort& sort, std::uint32_t processes);

// Each adds what the thread does, or says why no program can do it.
std::optional<Diagnostic> add_transition(Program& program, const InstanceLayout& layout,
                                         InstanceThread& thread, std::size_t transition,
                                         const InstanceTerms::Processes& parameters);
// The thread looks whether the cube holds, and fails if it does.
std::optional<Diagnostic> add_observation(Program& program, const InstanceLayout& layout,
                                          InstanceThread& thread, const Cube& cube,
                                          const InstanceTerms::Processes& parameters);

// A path of edges that is being built.
class InstancePath {
 public:
  InstancePath(Program& program, InstanceThread& thread, LocationId start, SourcePosition position)
      : program_(program), thread_(thread), here_(start), position_(position) {}

  void add(Instruction instruction);
  void assume(ExprId condition) { add({.op = Opcode::kAssume, .a = condition}); }
  void assign(RegisterId target, ExprId value) { add({.op = Opcode::kAssign, .result = target, .a = value}); }
  void load(RegisterId target, Value address);
  void store(Value address, ExprId value);
  // The path goes on after the store, and without it where the condition does not hold.
  void store_if(ExprId condition, ExprId negation, Value address, ExprId value);
  // The path goes on where the condition does not hold.
  void end_execution_if(ExprId condition, ExprId negation, std::string reason);
  void finish(LocationId target);

  RegisterId temporary();  // another one with each call

 private:
  void branch(ExprId condition, LocationId target);

  Program& program_;
  InstanceThread& thread_;
  LocationId here_;
  SourcePosition position_;
  std::size_t temporaries_ = 0;
};

}  // namespace weir::array
