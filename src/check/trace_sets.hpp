// All traces of a small program under a memory model, by brute force on the reference machine: what the
// robustness engine is compared with. Exponential; for programs of a dozen instructions.
//
// A trace is what robustness compares: for each thread the accesses it made in program order (edge, address,
// value read, value written), for each read the write it takes its value from, for each address the order of
// its writes. Two computations with the same trace differ only in the order of independent steps, and in
// steps that are no accesses. An access also tells whether it belongs to the same atomic block or lock
// section as the one before: the same edge may be executed inside and outside a section, and an SC execution
// without the section does not excuse a TSO execution with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>

#include "check/reference/machine.hpp"

namespace weir {

struct TraceLimits {
  std::size_t computations = 200'000;  // states of the enumeration visited
  std::size_t steps = 200;             // of one computation
};

struct TraceSet {
  bool complete = true;          // no limit was hit, and no two accesses share just some of their bytes
  std::set<std::string> traces;  // a canonical text per trace, equal exactly when the traces are
};

// The traces of every computation that ends with empty buffers and free of atomic blocks, maximal or not. A
// `halt` ends it, also inside a block.
TraceSet all_traces(const Program& program, Model model, const TraceLimits& limits = {});

// The text of one execution's trace. Stores that have no flush are left out of the order of writes.
std::string trace_text(const Program& program, const Witness& witness);

// Calls `on_trace` once for each of these traces, with one of the executions that have it (its violation is
// `kRobustness`, whether it is one or not), until `on_trace` returns false. False if they are not complete.
bool for_each_trace(const Program& program, Model model, const TraceLimits& limits,
                    const std::function<bool(const std::string&, const Witness&)>& on_trace);

enum class BruteForceVerdict : std::uint8_t { kRobust, kNotRobust, kTooLarge };

// Is every TSO trace an SC trace? By comparing the two sets.
BruteForceVerdict compare_traces(const Program& program, const TraceLimits& limits = {});

// The same, if the SC traces are already known. Fences do not change them.
BruteForceVerdict compare_traces(const TraceSet& sequential, const Program& program,
                                 const TraceLimits& limits = {});

}  // namespace weir
