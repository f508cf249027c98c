// A compiled, linked and simplified LLVM module: what lies between the pipeline and the lowering.
//
// What the lowering may rely on:
//  - Everything is one module, the runtime included; `__weir_program_main` (thread 0) and
//  `__weir_thread_main` (all
//    others) are its entry points. What neither of them can reach is gone.
//  - Direct calls of defined functions are inlined, unless the callee is (mutually) recursive. So the
//  functions that
//    remain are the two entry points, those whose address is taken, and recursive ones. Runtime code has no
//    debug information of its own: its instructions carry the position of the call in the user's source.
//  - Scalars on the stack whose address is not taken are SSA values. Where one can be read before it is
//  written, the
//    value comes from a call of `__weir_uninitialised.<type>` (through phis), never from `undef`.
//  - Other allocas stand at the start of the entry block, have a constant size, and are `private_allocas` or
//  not. One
//    that is not may be reached by other threads, or used when it has ended, and becomes a stack block; it
//    has marks where it begins and ends (lifetimes.hpp), which private ones have not.
//  - Bounded loops (`COptions::unroll`) contain their counters and a call of `__weir_give_up`.
//  - No two loads, stores or other accesses of the source were merged, removed, reordered or invented.
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <memory>

#include "frontend/c/c.hpp"

namespace weir::c {

struct PreparedModule {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  std::uint32_t thread_limit = 1;  // main and all threads that may be created
  llvm::DenseSet<const llvm::AllocaInst*> private_allocas;
};

// compile.cpp, pipeline.cpp
Expected<PreparedModule> prepare_module(const std::vector<std::string>& paths, const COptions& options);

// lowering.cpp. `name` is the program's.
Expected<Program> lower_module(const PreparedModule& prepared, std::string name, const COptions& options);

}  // namespace weir::c
