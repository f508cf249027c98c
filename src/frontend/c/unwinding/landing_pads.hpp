// Landing pads: what happens when a function that was called is left (unwinding.hpp).
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <vector>

namespace weir::c {

// Handlers of one landing pad, in order: for a type (null for all), or for all that a list does not have.
struct Clause {
  llvm::Constant* types;
  bool is_filter;
  bool operator==(const Clause&) const = default;
};

std::vector<Clause> clauses_of(const llvm::LandingPadInst& pad);

// Is the exception of that type for one of these handlers? A bit.
llvm::Value* is_caught(llvm::IRBuilder<>& builder, llvm::Value* type, const std::vector<Clause>& clauses,
                       const std::vector<llvm::GlobalVariable*>& thrown);

// Gives every landing pad of the module code that asks for the exception and looks for its handler.
void translate_landing_pads(llvm::Module& module, const std::vector<llvm::GlobalVariable*>& thrown);

// Where a std::thread calls std::terminate, says why.
void explain_terminate(llvm::Module& module);

// Defines what reports an exception by its type.
void define_reports(llvm::Module& module, const std::vector<llvm::GlobalVariable*>& thrown);

}  // namespace weir::c
