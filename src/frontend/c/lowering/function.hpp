// One function of the module becomes one function of the program.
//
// Values become expressions where they are used, if that is once, soon, and nothing happens in between
// (lowering_plan); otherwise registers. A value that consists of several scalars (a structure in registers)
// is several of these. A phi is a register that is written on the edges that lead to it, all phis of a block
// at once.
//
// Variables that may be uninitialised have a second register, one bit that says so. It is checked where the
// value is used for something; passing it on through phis and selections is no use.
//
// The members are what the files that lower one kind of instruction each (lowering_access, _copy, _call, …)
// share.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <optional>
#include <string>
#include <vector>

#include "frontend/c/layout/lifetimes.hpp"
#include "frontend/c/lowering/emitter.hpp"
#include "frontend/c/lowering/module.hpp"
#include "frontend/c/lowering/plan.hpp"

namespace weir::c {

using Scalars = llvm::SmallVector<ExprId, 1>;

// A load of a structure that goes on to memory as it is: the parts that are in registers, or (deferred) the
// address from which they are still to be copied.
struct CopiedValue {
  struct Part {
    std::uint64_t offset = 0, bytes = 0;
    RegisterId reg;
  };
  std::vector<Part> parts;
  std::optional<ExprId> deferred_from;
};

class FunctionLowering {
 public:
  FunctionLowering(ModuleLowering& lowering, const llvm::Function& source, FunctionId id, bool inside_block);
  void run();

  ModuleLowering& module;
  Emitter emitter;
  Expressions& build;
  const llvm::Function& source;
  const Plan plan;

  // Values. `value` does not look whether they are initialised, `use` does.
  Scalars value(const llvm::Value& operand);
  Scalars use_all(const llvm::Value& operand);
  ExprId use(const llvm::Value& operand);  // of a scalar type
  void check_initialised(const llvm::Value& value);
  // What an instruction computed, or that it computed nothing useful.
  void define(const llvm::Instruction& instruction, ExprId scalar) { define(instruction, Scalars{scalar}); }
  void define(const llvm::Instruction& instruction, Scalars scalars);
  void define_nothing(const llvm::Instruction& instruction);
  // A new register that holds the value of an instruction of a scalar type.
  RegisterId result_register(const llvm::Instruction& instruction);

  // Is it one of these numbers, which are sorted?
  ExprId any_of(ExprId value, const std::vector<Value>& constants);

  std::optional<std::vector<Leaf>> leaves(llvm::Type* type) const { return leaves_of(type, data()); }
  const llvm::DataLayout& data() const { return module.layouts.data(); }
  SourcePosition position_of(const llvm::Instruction& instruction);

  // The current instruction is not supported: an execution that reaches it is followed no further, and the
  // answer names it. With COptions::strict it is an error.
  void complain(std::string message, std::string hint = {});
  // The same; the value that the instruction would have had is 0.
  void unsupported(const llvm::Instruction& instruction, std::string message, std::string hint = {});

  // Atomic blocks. Inner ones are part of the outer one.
  bool inside_block() const { return open_blocks_ > 0; }
  void begin_block(std::string what);
  void end_block();
  // The body as one step, whether a block is open or not.
  template <class Body>
  void atomically(std::string what, Body body) {
    begin_block(std::move(what));
    body();
    end_block();
  }

  // The entry point of threads enters when the thread has been created; other functions do at once.
  void enter() {
    if (!entered_) lower_entry();
  }

  // instructions/pointers.cpp
  ExprId word_of_pointer(ExprId address);  // gives up where there is none
  ExprId pointer_of_word(ExprId word);
  // A scalar as memory holds it, and as registers do.
  ExprId as_stored(ExprId value, const llvm::Type& type);
  ExprId as_loaded(ExprId cell, const llvm::Type& type);
  // What becomes of it where another scalar type is expected: pointers and numbers may be mixed.
  ExprId as_if_of_type(ExprId value, const llvm::Type& from, const llvm::Type& to);

  // stack.cpp
  // Private memory of this activation.
  std::uint64_t reserve(std::string name, std::uint64_t bytes, std::uint64_t alignment);
  // Blocks that the function releases when it returns; 0 as long as there is none.
  RegisterId add_stack_block(std::string name);
  void release_stack_blocks();  // also when the thread ends inside the function
  // Thread-local variables that others may reach end when the thread does.
  void release_thread_blocks();
  // The scope of a variable is entered, or left.
  void begin_variable(const llvm::AllocaInst& variable);
  void end_variable(const llvm::AllocaInst& variable);
  // Those that a dynamic alloca made after the stack was saved.
  void release_blocks_since(const llvm::Value& saved);

  llvm::DenseMap<const llvm::Instruction*, CopiedValue> copied_values;

 private:
  // function.cpp
  void prepare_parameters();
  void prepare_blocks();
  void lower_entry();
  void initialise_thread_locals();
  void initialise(const Global& global, ExprId address);
  void allocate_thread_blocks();
  void lower_block(const llvm::BasicBlock& block);
  void lower_instruction(const llvm::Instruction& instruction);
  void lower_computation(const llvm::Instruction& instruction);
  bool lower_aggregate(const llvm::Instruction& instruction);
  void report_plan_problems();
  llvm::DenseSet<const llvm::BasicBlock*> reachable_blocks() const;

  // A variable that others may reach is one object each time its scope is entered.
  struct StackVariable {
    std::vector<RegisterId> objects;  // addresses of all that are told apart
    RegisterId live;                  // address of the object, 0 if there is none
    RegisterId newest;                // if there can be several: address of the one that began last,
    RegisterId begun;                 // and how many have begun
    Beginnings beginnings;
  };

  // stack.cpp
  void allocate_variables();
  void begin_next_object(const StackVariable& placed);
  void place_on_stack(const llvm::AllocaInst& variable, std::uint64_t bytes);
  std::vector<RegisterId> allocate_stack_blocks(const std::string& name, std::uint64_t bytes, unsigned count);
  void copy_parameters();
  void lower_alloca(const llvm::AllocaInst& variable);
  void release(RegisterId block);

  // instructions/control.cpp
  void lower_terminator(const llvm::Instruction& terminator);
  void lower_branch(const llvm::BranchInst& branch);
  void lower_switch(const llvm::SwitchInst& choice);
  void lower_indirect_branch(const llvm::IndirectBrInst& branch);
  void lower_return(const llvm::ReturnInst& result);
  void follow(const llvm::BasicBlock& from, const llvm::BasicBlock& to);

  // instructions/values.cpp
  Scalars constant_value(const llvm::Constant& constant);
  ExprId constant_scalar(const llvm::Constant& constant);
  ExprId variable_address(const llvm::GlobalVariable& variable);
  void report_broken_global(const llvm::Constant& constant);
  Scalars shadow(const llvm::Value& value);  // per scalar: is it uninitialised?
  void define_shadow(const llvm::Instruction& instruction);
  std::string variable_name(const llvm::Value& value, unsigned depth = 0) const;

  FunctionId id_;
  llvm::DominatorTree dominators_;
  const llvm::BasicBlock* block_ = nullptr;
  const llvm::Instruction* current_ = nullptr;
  int open_blocks_ = 0;
  bool entered_ = false;  // variables are allocated
  llvm::DenseMap<const llvm::Value*, Scalars> values_;
  llvm::DenseMap<const llvm::Value*, Scalars> shadows_;
  llvm::DenseMap<const llvm::Value*, llvm::SmallVector<const llvm::BasicBlock*, 1>> checked_;
  llvm::DenseMap<const llvm::BasicBlock*, NodeId> nodes_;
  std::vector<PrivateObject> privates_;
  std::uint64_t private_bytes_ = 0;
  std::vector<RegisterId> stack_blocks_;
  llvm::DenseMap<const llvm::AllocaInst*, StackVariable> stack_variables_;
  llvm::MapVector<const llvm::AllocaInst*, RegisterId> dynamic_blocks_;
  RegisterId result_address_;  // parameter: where a result of several scalars goes
};

}  // namespace weir::c
