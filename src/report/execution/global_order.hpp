// What the memory model itself keeps in order: the global happens-before relation (ghb) of one execution, as
// axiomatic descriptions of TSO and PSO have it. Program order without what store buffers may turn round,
// reads from other threads, coherence and from-read. It has no cycle in an execution of the model;
// happens-before, which has all of program order, may have one. The difference is what the buffers did.
#pragma once

#include <vector>

#include "check/happens_before.hpp"

namespace weir {

// Between neighbours, where neighbours are easy to tell; some edges follow from others. Every edge leads from
// an event to one that takes effect later.
std::vector<HappensBeforeEdge> global_order(const Program& program, const Witness& witness,
                                            const HappensBefore& relation);

}  // namespace weir
