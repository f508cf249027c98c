// Numbers of 64 bits on machines of 32.
//
// An i386 reads and writes a plain long long in two steps, between which others can see or change one half.
// Weir takes both for one: a safe answer says so, unless it is about data races. Where there are none, nobody
// is in between. Atomic accesses are one step there too, and so are those of floating point numbers.
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace weir::c {

class FunctionLowering;

// The runtime's own are one step: it stands for a library that has no such numbers.
void exempt_wide_accesses(llvm::Module& runtime);

// A plain access to a number of 64 bits, which others may access too.
void note_wide_access(FunctionLowering& lowering, const llvm::Instruction& access);

}  // namespace weir::c
