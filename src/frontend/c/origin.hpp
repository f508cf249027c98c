// Where a module comes from: that tells how much is known about it.
#pragma once

#include <cstdint>

namespace weir::c {

enum class Origin : std::uint8_t {
  kCompiled,  // by clang, for us: unoptimised C, with debug information that says where declarations are
              // executed
  kGiven,     // by the user, as LLVM code: it may be anything, and damaged
};

}  // namespace weir::c
