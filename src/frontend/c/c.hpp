// C and C++ programs, and LLVM modules, to `Program`.
//
// clang compiles the sources with debug information and without optimising; LLVM's libraries link them with
// the runtime (runtime/: POSIX and C11 threads and the little of the C library that matters, written in C
// over a few primitives); a fixed pipeline, which neither removes nor merges nor invents accesses to shared
// memory, makes the result simple (pipeline.cpp); and the lowering (lowering.cpp) turns each function into a
// graph of locations.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/context.hpp"
#include "base/diagnostic.hpp"
#include "program/program.hpp"

namespace weir {

struct COptions {
  std::vector<std::string> compiler_arguments;  // for clang: -I, -D, -std and others
  std::uint32_t unroll = 0;                     // how often a loop may be repeated; 0: as often as it likes
  Value nondet_low = 0, nondet_high = 3;        // what __VERIFIER_nondet_* of more than one bit gives
  bool process_ends = true;      // when main returns; otherwise the other threads go on to their ends
  bool spurious_wakeups = true;  // a thread that waits for a condition variable may wake up without a signal
  bool chance_failures = true;   // compare_exchange_weak and try_lock may fail without a reason
  bool failing_malloc = false;   // malloc and the like may return a null pointer
  bool races = false;            // data races are looked for
  bool strict = false;           // what is not supported is an error, whether or not an execution reaches it
  std::uint32_t threads = 0;  // how many threads may ever be created, main included; 0: found out, at most 64
  Context* context = nullptr;  // when to give up
};

// Of C, C++ and LLVM.
inline constexpr std::string_view kCSuffixes[] = {".c", ".i",  ".cc", ".cpp", ".cxx",
                                                  ".C", ".ii", ".ll", ".bc"};
bool is_c_path(const std::string& path);

// Is the program for a machine of 32 bits (ILP32), by what clang is told?
bool is_for_narrow_machine(const std::vector<std::string>& compiler_arguments);

// All files together are one program. Thread 0 runs main; the others are dormant until they are created.
Expected<Program> load_c(const std::vector<std::string>& paths, const COptions& options);

}  // namespace weir
