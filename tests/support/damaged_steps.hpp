// Witnesses with one mistake in their steps, and a judge that tells which of them are executions still. What
// damaged witnesses of all kinds have in common.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "check/reference/machine.hpp"
#include "trace/witness.hpp"

namespace weir::test {

// Every step left out, doubled, exchanged with the next one, and with every field changed.
std::vector<Witness> with_damaged_steps(const Program& program, const Witness& witness);

// Does the step say what happened, in all fields that mean something for its instruction?
bool tells(const Program& program, const WitnessStep& said, const WitnessStep& happened);

// The step of the machine that the first of `steps` tell, all of an atomic block. Exact for programs without
// atomic blocks, of which the machine lists only one way to each result.
std::optional<ReferenceStep> unit_told_by(const ReferenceMachine& machine, const ReferenceState& state,
                                          std::span<const WitnessStep> steps);

}  // namespace weir::test
