// Structures that are loaded only to be stored again, as clang does when it passes them in registers: they
// are copied cell by cell, with what is uninitialised in them. Nobody looks at the padding.
#pragma once

#include <llvm/IR/Instructions.h>

namespace weir::c {

class FunctionLowering;

// Could the bytes be partly uninitialised, or padding, without that being a mistake of the program?
bool is_copied(FunctionLowering& lowering, const llvm::LoadInst& load);
void load_to_be_stored(FunctionLowering& lowering, const llvm::LoadInst& load);

// False if the value does not come from such a load.
bool store_what_was_loaded(FunctionLowering& lowering, const llvm::StoreInst& store);

}  // namespace weir::c
