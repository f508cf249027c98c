// Among all executions with the same violation, one with the fewest context switches and, among these, the
// fewest steps: best-first search over pairs (state, thread that moved last), ordered by the number of
// switches and then of steps. The flush of a store counts as a step of its thread.
#pragma once

#include "engine/explicit/exploration.hpp"

namespace weir {

// Nothing if `effort` states are met without success. Executions longer than `most_steps` are not considered:
// a thread that only fills its buffer never needs a switch.
std::optional<Witness> fewest_switches(System& system, Monitor& monitor, const Violation& wanted,
                                       std::uint32_t most_steps, std::uint64_t effort, Context& context);

}  // namespace weir
