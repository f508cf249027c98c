// The processor as an oracle: a module of one thread and without undefined behaviour is compiled and
// executed, and its result must be what weir says it is.
//
// What the program computes is made visible first: some of its values are mixed into a sum, which main
// returns.
#pragma once

#include <cstdint>
#include <llvm/IR/Module.h>
#include <string>

#include "fuzz/c_fuzz_random.hpp"

namespace weir::fuzz {

// False if there is no main to observe.
bool observe(llvm::Module& module, Random& random);

struct Execution {
  enum class End : std::uint8_t { kReturned, kExited, kCrashed, kUnknown };
  End end = End::kUnknown;  // unknown: not compiled, or too slow
  std::int32_t result = 0;  // what main returned, or the signal
};

// In a process of its own. `shifted`: with everything at other addresses; a result that changes depends on
// them.
Execution execute(const std::string& bitcode, bool shifted = false);

// Has main call reach_error() unless the result is this one.
void expect_result(llvm::Module& module, std::int32_t result);

}  // namespace weir::fuzz
