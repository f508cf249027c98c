// Changes of LLVM modules. Each file c_fuzz_<what>.cpp has a table of changes of one kind; a change picks its
// place and may do nothing, or make the module invalid: the caller asks LLVM's verifier.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <span>
#include <string>
#include <vector>

#include "fuzz/c_fuzz_random.hpp"

namespace weir::fuzz {

// A module that is being changed, and what may be taken for a change.
class Mutant {
 public:
  // `defined`: nothing may be added whose behaviour is undefined (undef and poison, to begin with).
  Mutant(llvm::Module& changed, Random& choices, bool only_defined)
      : module(changed), context(changed.getContext()), random(choices), defined(only_defined) {}

  using Test = llvm::function_ref<bool(const llvm::Instruction&)>;

  llvm::Function* function();  // one with a body; null if there is none
  llvm::Instruction* instruction(Test wanted);
  llvm::Instruction* place();  // where something can be inserted; null if there is none

  llvm::Type* integer_type();  // of any width, also of those that no machine has
  llvm::Type* odd_type();      // not supported by weir, or hardly ever used
  llvm::Constant* constant(llvm::Type* type);
  // A value that exists at that place, or a constant. Null for types without values.
  llvm::Value* value(llvm::Type* type, llvm::Instruction& before);
  // An integer or floating point number that the function computes, or a constant.
  llvm::Value* number(llvm::Instruction& before);
  llvm::Value* pointer(llvm::Instruction& before) { return value(builder_pointer(), before); }
  // Makes the program depend on the value, which is computed before that place.
  void keep(llvm::Value& kept, llvm::Instruction& before);
  // A variable in memory, new or old.
  llvm::GlobalVariable* variable(llvm::Type* type);

  llvm::Module& module;
  llvm::LLVMContext& context;
  Random& random;
  bool defined;

 private:
  llvm::Type* builder_pointer() { return llvm::PointerType::getUnqual(context); }
  bool replaces_an_operand(llvm::Value& kept, llvm::Instruction& before);
  void store_to_sink(llvm::Value& kept, llvm::Instruction& before);
};

struct Mutation {
  const char* name;
  void (*apply)(Mutant&);
  bool defined = false;  // a program without undefined behaviour stays one, but for memory and division
};

std::span<const Mutation> instruction_mutations();  // of what is there
std::span<const Mutation> insertions();             // computations and accesses
std::span<const Mutation> call_mutations();         // intrinsics, library functions, assembly, signatures
std::span<const Mutation> flow_mutations();         // branches, loops, exceptions
std::span<const Mutation> global_mutations();       // variables, functions, the module itself

// Applies some; returns their names.
std::string mutate(llvm::Module& module, Random& random, bool only_defined);

}  // namespace weir::fuzz
