// The functions of runtime/weir.h, which the lowering knows by name.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>

namespace weir::c {

class FunctionLowering;

// False if the function is none of them.
bool lower_primitive(FunctionLowering& lowering, const llvm::CallBase& call, const llvm::Function& callee);

}  // namespace weir::c
