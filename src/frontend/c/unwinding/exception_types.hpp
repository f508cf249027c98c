// Which handlers catch which exceptions? Types are type_info objects, as the Itanium ABI for C++ lays them
// out, and known by their address. Where the handler gets something else than the object thrown (a base
// class, the pointer that was thrown), this says how to find it.
#pragma once

#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <optional>
#include <string>
#include <vector>

namespace weir::c {

// From an object to one of its base classes.
struct BaseStep {
  std::int64_t offset = 0;  // of the base; if it is virtual, of the entry for it in the table of functions
  bool is_virtual = false;
};

struct Conversion {
  bool is_pointer = false;  // a pointer was thrown, and the handler gets its value
  bool gives_null = false;
  std::vector<BaseStep> steps;
};

// How a handler for `caught` gets an exception of type `thrown`; nothing if it does not.
std::optional<Conversion> conversion(llvm::GlobalVariable& thrown, llvm::GlobalVariable& caught);

// What the handler gets, for the object thrown.
llvm::Value* converted(llvm::IRBuilder<>& builder, llvm::Value* object, const Conversion& conversion);

// "std::runtime_error"
std::string type_name(const llvm::GlobalVariable& type);

// All types that exceptions may have: those that a call in the module is given.
std::vector<llvm::GlobalVariable*> thrown_types(llvm::Module& module);

}  // namespace weir::c
