// When do variables on the stack end?
//
// Clang marks where the scope of a variable begins and ends (llvm.lifetime.start and .end). What has no marks
// (parameters, compound literals) gets some here or when its function is inlined, so that a variable of an
// inlined function ends where that function returns. A pointer that is used later points to nothing.
//
// A variable need not be watched while the program runs if every use of its address can be seen to lie within
// its life. Others become blocks of the stack, which are released where they end (lowering/stack.cpp).
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <vector>

namespace weir::c {

// The mark, if the instruction is one of a variable: where it begins or ends.
const llvm::AllocaInst* beginning_variable(const llvm::Instruction& instruction);
const llvm::AllocaInst* ending_variable(const llvm::Instruction& instruction);

bool has_lifetime(const llvm::AllocaInst& variable);
void begin_lifetime(llvm::AllocaInst& variable, llvm::Instruction& before);
void end_lifetime(llvm::AllocaInst& variable, llvm::Instruction& before);

// Compound literals end with the block in which they stand, which only debug information tells.
void end_literals(llvm::Function& function);

// Arrays of variable length end where the stack is put back. One whose length turns out to be a constant is
// like any other variable then, and gets marks.
void end_arrays(llvm::Function& function);

// Can one of these values, which are the variable's address or computed from it, be used when the variable
// has ended since the value was computed, or has not begun again?
bool outlives(const llvm::AllocaInst& variable, llvm::ArrayRef<const llvm::Value*> addresses);

// Without those of these variables, nobody sees when they end.
void drop_lifetimes(llvm::Module& module, const llvm::DenseSet<const llvm::AllocaInst*>& variables);

// Can a function have variables that others may reach while it calls another one? Then a thread that ends in
// the called one leaves them behind.
bool keeps_variables_in_calls(const llvm::Module& module,
                              const llvm::DenseSet<const llvm::AllocaInst*>& privates);

// How often a variable can begin in one activation of its function.
struct Beginnings {
  unsigned most = 1;    // different objects to be told apart
  bool bounded = true;  // it cannot begin more often
};
llvm::DenseMap<const llvm::AllocaInst*, Beginnings> count_beginnings(const llvm::Function& function);

}  // namespace weir::c
