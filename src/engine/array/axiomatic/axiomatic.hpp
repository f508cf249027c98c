// Backward reachability with the axiomatic memory model: Section 3.2 of "Parameterized Model Checking on the
// TSO Weak Memory Model" (Conchon, Declerck, Zaidi), with the axioms of its Appendix A decided by Z3.
//
// This is the slow way, and it exists to be compared with the fast one (backward.hpp), with which it shares
// no knowledge about weak memory. A cube here holds every read and write event that the search has met since
// the unsafe cube (cube.hpp); going back over a transition adds its events and, for every read that
// still waits for its write, the choice whether the new write is the one (preimage.hpp). Whether a
// cube is a part of a valid execution, has an initial state or lies within the cubes visited is asked of Z3
// (solver.hpp).
//
// Where it deviates. The paper lists all coherence orders, one cube for each. Here a cube says nothing about
// coherence, and each time the solver looks for some order of all events that satisfies the axioms; the
// executions are the same, the cubes are fewer. In particular coherence need not agree with the order in
// which the search meets writes. The reads of memory at the beginning are made explicit: a read that is still
// waiting then comes before all writes of its cell.
//
// Ordinary symbols that several processes use are supported: then the order in which transitions are issued
// matters, and it is the order in which the search meets them.
#pragma once

#include "engine/array/backward.hpp"

namespace weir::array {

// `visited` stays empty in the answer: what was visited are no regions. Without Z3 the search gives up.
SearchResult search_axiomatic(const Vocabulary& vocabulary, Context& context);

}  // namespace weir::array
