// All traces of a small program under a memory model, by brute force on the reference machine: what the
// robustness engine is compared with. Exponential; for programs of a dozen instructions.
//
// A trace is what robustness compares: for each thread the accesses it made in program order (edge, address,
// value read, value written), for each read the write it takes its value from, for each address the order of
// its writes. Two computations with the same trace differ only in the order of independent steps.
#pragma once

#include <cstddef>
#include <set>
#include <string>

#include "check/reference_machine.hpp"

namespace weir {

struct TraceLimits {
  std::size_t computations = 200'000;  // states of the enumeration visited
  std::size_t steps = 200;             // of one computation
};

struct TraceSet {
  bool complete = true;           // no limit was hit
  std::set<std::string> traces;   // a canonical text per trace, equal exactly when the traces are
};

// The traces of every computation that ends with empty buffers and free of atomic blocks, maximal or not.
TraceSet all_traces(const Program& program, Model model, const TraceLimits& limits = {});

enum class BruteForceVerdict : std::uint8_t { kRobust, kNotRobust, kTooLarge };

// Is every TSO trace an SC trace? By comparing the two sets.
BruteForceVerdict compare_traces(const Program& program, const TraceLimits& limits = {});

}  // namespace weir
