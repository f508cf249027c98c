// Invariants. A broken invariant is a bug in Weir, never undefined behaviour: it throws `InternalError`,
// which is caught once, in `cli`, and becomes exit code 6.
#pragma once

#include <stdexcept>
#include <string>

namespace weir {

class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void invariant_broken(const char* condition, const char* reason, const char* file, int line);

}  // namespace weir

// Always on. For everything outside the innermost loops.
#define WEIR_CHECK(condition, reason) \
  ((condition) ? static_cast<void>(0) : ::weir::invariant_broken(#condition, reason, __FILE__, __LINE__))

// On in debug and sanitizer builds. For the hot paths.
#ifdef WEIR_ASSERTIONS
#define WEIR_ASSERT(condition, reason) WEIR_CHECK(condition, reason)
#else
#define WEIR_ASSERT(condition, reason) static_cast<void>(0)
#endif
