// --unroll: gives up an execution that repeats a loop too often.
//
// Every loop gets a counter, which starts at 0 each time the loop is entered, unless repeating it changes
// nothing but what it has just read (a spin; also one that tries to take a lock until it has it), or it
// belongs to the runtime. Cycles that are not natural loops (made with goto) are not bounded; the search for
// them is as long as without the option.
#pragma once

#include <cstdint>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

namespace weir::c {

// Marks all loops of the runtime.
void exempt_loops(llvm::Module& runtime);

void bound_loops(llvm::Function& function, std::uint32_t bound);

}  // namespace weir::c
