// Calls: of functions of the module, through pointers, of the runtime's primitives. What is none of these
// goes to intrinsics, inline assembly or external functions.
#pragma once

#include <llvm/IR/InstrTypes.h>
#include <string>

namespace weir::c {

class FunctionLowering;

void lower_call(FunctionLowering& lowering, const llvm::CallBase& call);

// The text that an argument points to, if it is a string constant.
std::string text_argument(const llvm::CallBase& call, unsigned index);

}  // namespace weir::c
