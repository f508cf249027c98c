// x86 inline assembly of the kind that kernels and lock-free libraries contain: fences, locked instructions,
// moves and the flags they leave. Anything else is refused with the text of the template.
#pragma once

#include <llvm/IR/InstrTypes.h>

namespace weir::c {

class FunctionLowering;

void lower_inline_assembly(FunctionLowering& lowering, const llvm::CallBase& call);

}  // namespace weir::c
