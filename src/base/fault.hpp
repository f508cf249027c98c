// Mistakes that are put into the engines on purpose, to see that the self-check finds them: in builds with
// WEIR_FAULTS, which only tests/selfcheck/mutation_test.py makes, the environment variable WEIR_FAULT names the one
// mistake that is made. In all others there is none, and the compiler leaves the code for it out.
//
// docs/selfcheck.md lists them.
#pragma once

#include <string_view>

namespace weir {

#ifdef WEIR_FAULTS
bool fault(std::string_view name);
#else
constexpr bool fault(std::string_view) { return false; }
#endif

}  // namespace weir
