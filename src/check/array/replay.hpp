// Runs of array systems: is a given one a run to an unsafe state, and how can one that an engine found be
// completed to such a run?
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "check/array/machine.hpp"
#include "trace/array_run.hpp"

namespace weir::array {

// Why it is not a run of the system with these processes to an unsafe state; none if it is one.
std::optional<std::string> replay(const ArraySystem& system, std::uint32_t processes, const ArrayRun& run);

struct CompletionOptions {
  std::size_t states = 1'000'000;       // visited at most
  std::optional<ArrayDomains> domains;  // none: the numbers that the system mentions, and a few more
  std::optional<std::uint32_t> unsafe;  // the cube to reach; none: any
};

struct Completion {
  std::optional<ArrayRun> run;  // which `replay` accepts
  bool left_out = false;        // there is no run, but not everything was tried
};

// Initial values, chosen values and flushes that make the firings a run to an unsafe state: in this order or,
// in a system with weak symbols in which every transition has a performing process, in any order that keeps
// the firings of each process in theirs.
Completion complete(const ArraySystem& system, std::uint32_t processes,
                    const std::vector<ArrayFiring>& firings, const CompletionOptions& options = {});

}  // namespace weir::array
