// What can reach what: closures under the edges, random attractors, and almost-sure reachability
// ([Toman21, Section 6.1.2]). Everything is relative to a set S of vertices, the others count as deleted.
#pragma once

#include "engine/fairness/symbolic_graph.hpp"

namespace weir::fairness {

// The vertices of `within` from which `targets` (a subset) can be reached inside `within`.
VertexSet backward_closure(SymbolicGraph& graph, const VertexSet& targets, const VertexSet& within);

// The vertices of `within` from which chance leads into `targets` with positive probability whatever the
// player does, as long as the play stays within: random ones with an edge into the attractor, and others with
// an edge into it but none to the rest of `within`.
VertexSet random_attractor(SymbolicGraph& graph, const VertexSet& targets, const VertexSet& within);

// The same, and the vertices of `within` outside that have an edge into it: those are met on the way and cost
// no further step.
struct Attraction {
  VertexSet attracted, border;
};
Attraction random_attraction(SymbolicGraph& graph, const VertexSet& targets, const VertexSet& within);

// Where the player can make sure to reach `targets`, a union of end components, with probability one.
VertexSet almost_sure_reachability(SymbolicGraph& graph, const VertexSet& targets);

}  // namespace weir::fairness
