// Strongly connected components, symbolically: all of them, or one by lock-step search.
#pragma once

#include <vector>

#include "engine/fairness/symbolic_graph.hpp"

namespace weir::fairness {

// The strongly connected components of the graph restricted to `within`, except some that have no edge inside
// (single vertices, which no algorithm here wants). Linearly many symbolic steps.
std::vector<VertexSet> strongly_connected_components(SymbolicGraph& graph, const VertexSet& within);

// Is there an edge inside a strongly connected set? Only a single vertex has to be asked, for one step.
bool connected_set_has_edge(SymbolicGraph& graph, const VertexSet& set);

// A set of vertices under refinement, with the vertices that have lost incoming (`heads`) and outgoing
// (`tails`) edges since a superset was last known to be strongly connected. Invariant 6.1: both are empty and
// the set is strongly connected, or each of its top components has a head and each bottom component a tail.
//
// A set is shattered if many vertices were taken out of it at once: then its components have to be computed
// anyway, and heads and tails are not determined (which would take two steps).
struct Candidate {
  VertexSet set, heads, tails;
  bool shattered = false;

  // Takes vertices out, and notes what the others lose by it, unless `limit` or more go at once. That can
  // happen at most n / limit times, which for limit >= sqrt(m / log n) and n <= m leaves the bounds of
  // the thesis as they are.
  void remove(SymbolicGraph& graph, const VertexSet& gone, std::uint64_t limit);
  // The same without heads, for searches that look for bottom components only.
  void remove_for_bottoms(SymbolicGraph& graph, const VertexSet& gone, std::uint64_t limit);

  bool untouched() const { return !shattered && heads.empty() && tails.empty(); }
  // Is it time to compute all components?
  bool needs_components(const SymbolicGraph& graph, std::uint64_t limit) const {
    return shattered || graph.count(heads) + graph.count(tails) >= limit;
  }

  // False if there is nothing to note.
  bool take_out(SymbolicGraph& graph, const VertexSet& gone, std::uint64_t limit);
};

// Algorithm 6.1 of [Toman21]: a top or bottom component of the candidate, found by searching backwards from
// each head and forwards from each tail, all at the same pace, until the first one has found all there is.
// Takes searches that ran into each other out of heads and tails. Without heads, only bottom components are
// looked for (Theorem 6.3).
VertexSet lock_step_search(SymbolicGraph& graph, Candidate& candidate);

}  // namespace weir::fairness
