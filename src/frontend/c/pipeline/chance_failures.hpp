// What may fail without a reason: compare_exchange_weak, and try_lock of C11 and C++.
//
// Where such an operation is executed a few times at most, both ways are followed: `__weir_fails_by_chance`
// is then any of 0 and 1. Where it can be repeated, in a loop or a function that is called in one, that would
// hardly show anything new (who tries again does so from a state that is known), but every execution would
// have others without end beside it. There it is 0, and the program says what it takes for granted
// (Program::assumptions).
#pragma once

#include <llvm/IR/Module.h>

namespace weir::c {

// The operations of the program ask whether they fail. Those of the runtime do so themselves.
void add_chance_failures(llvm::Module& module);

// Once calls are inlined: which of them can. `wanted`: otherwise none does, and nothing is said about it.
void decide_chance_failures(llvm::Module& module, bool wanted);

}  // namespace weir::c
