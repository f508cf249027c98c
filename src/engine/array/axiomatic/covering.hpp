// Whether one cube of events lies within others: entailment up to the names of processes and events (the
// fixpoint test of Section 3.2 of the TSO paper).
//
// A cube demands less than another if its processes and events can be mapped, injectively, to those of the
// other such that everything it demands is demanded there: kinds of events, cells, rf, program order, fences,
// instants; and what it says of values follows. The axioms are monotone: an execution that stays valid when
// events are added to it is valid without them, and a transition that leads into the larger cube leads, with
// fewer reads to satisfy, into the smaller one. Mappings of the events are found here, one after the other;
// that the values follow, possibly only by the union of several mappings of several cubes, is for the solver.
#pragma once

#include <functional>
#include <vector>

#include "engine/array/axiomatic/cube.hpp"

namespace weir::array {

// Calls `found` with the constraints of `general`, in terms of `special`, for every mapping of the processes
// and events of `general`, until it returns false. `issue_order`: events of different processes are in the
// order of issue, too.
void each_embedding(const EventCube& general, const EventCube& special, const Vocabulary& vocabulary,
                    bool issue_order, const std::function<bool(std::vector<Constraint>&&)>& found);

}  // namespace weir::array
