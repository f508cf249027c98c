// How many threads may a program create?
//
// Threads are rows of a table, so their number must be known before the search. This counts how often each
// call of
// `__weir_spawn` can be executed: once, times the bounds of the loops around it, times how often its function
// is executed. The latter is known for main, and for functions that are only ever started as threads. What
// cannot be counted is guessed; a program that creates more threads than the result gives up there, so a
// guess is never a wrong answer.
#pragma once

#include <llvm/IR/Module.h>

#include "frontend/c/c.hpp"
#include "program/address.hpp"

namespace weir::c {

inline constexpr const char* kSpawn = "__weir_spawn";
inline constexpr std::uint32_t kMostThreads = kMostAllocatingThreads;

// Main included. The module's functions are inlined and promoted, but the calls of `__weir_spawn` are still
// there.
std::uint32_t count_threads(llvm::Module& module, const COptions& options);

}  // namespace weir::c
