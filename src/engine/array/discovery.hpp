// How a backward search came upon a set of states, and the trace that follows from it.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/array/backward.hpp"
#include "engine/array/region.hpp"

namespace weir::array {

inline constexpr std::uint32_t kNoParent = ~std::uint32_t{0};

// One step back from the set it leads to. `parameters` are the processes of the transition, numbered as they
// were before processes that nothing speaks of were dropped; `went` says where each is now, or kGone.
struct Discovery {
  std::uint32_t parent = kNoParent;  // the set it leads to, by number
  std::uint32_t transition = 0;
  std::uint32_t root = 0;  // the unsafe cube or invariant, by number: first the unsafe ones
  std::vector<std::uint8_t> parameters = {};
  std::vector<std::uint8_t> went = {};
  bool approximate = false;
};

// Fills in the unsafe answer for the last set found, which has an initial state: the firings from it to its
// root. Processes that a set does not name any more, or not yet, get numbers of their own. `processes_of`
// says how many processes a set names.
template <class Found, class ProcessesOf>
void answer_unsafe(const std::vector<Found>& found, const ArraySystem& system,
                   const ProcessesOf& processes_of, SearchResult& result) {
  const Found* here = &found.back();
  result.outcome = SearchOutcome::kUnsafe;
  if (here->root >= system.unsafe.size())
    result.false_claim = here->root - static_cast<std::uint32_t>(system.unsafe.size());
  Trace& trace = result.trace;
  trace.unsafe = here->root;
  trace.processes = processes_of(*here);
  std::vector<std::uint32_t> names(trace.processes);
  for (std::uint32_t process = 0; process < trace.processes; ++process) names[process] = process;
  for (; here->parent != kNoParent; here = &found[here->parent]) {
    result.approximate = result.approximate || here->approximate;
    std::vector<std::uint32_t> after(here->went.size());
    for (std::size_t process = 0; process < after.size(); ++process)
      after[process] = here->went[process] == kGone ? trace.processes++ : names[here->went[process]];
    ArrayFiring step{here->transition, {}};
    for (const std::uint8_t parameter : here->parameters) step.processes.push_back(after[parameter]);
    trace.steps.push_back(std::move(step));
    after.resize(processes_of(found[here->parent]));
    names = std::move(after);
  }
}

}  // namespace weir::array
