// Which vertices win a Streett objective: in a graph those with a play that satisfies all pairs, in an MDP
// those from which the player can satisfy all pairs with probability one. Chapter 6 of [Toman21].
//
// All algorithms look for good components (end components in MDPs): strongly connected sets with an edge,
// closed under random edges, that have a grant of every pair of which they have a request. Then they ask from
// where one of these can be reached. They differ in how they find strongly connected parts again after
// vertices were removed: the basic ones compute all components (or maximal end components) anew, the improved
// ones search around the vertices that lost edges, unless these are too many.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/context.hpp"
#include "base/statistics.hpp"
#include "engine/fairness/components.hpp"
#include "engine/fairness/symbolic_graph.hpp"
#include "program/arena.hpp"

namespace weir::fairness {

enum class Algorithm : std::uint8_t { kBasic, kImproved };

// How many vertices may have lost edges for lock-step search to be tried.
struct Threshold {
  enum class Kind : std::uint8_t {
    kAdaptive,   // log n, and as long as searching pays, see LockStepPolicy
    kLogarithm,  // log n: what the experiments of the thesis use
    kBound,      // sqrt(m / log n), for end components sqrt(m): what the bounds of the thesis need
    kNumber,
  };
  Kind kind = Kind::kAdaptive;
  std::uint64_t number = 0;
};

struct StreettOptions {
  Algorithm algorithm = Algorithm::kImproved;
  Threshold threshold;
};

// The pairs as sets.
struct SymbolicPair {
  VertexSet requests, grants;
};
using Objective = std::vector<SymbolicPair>;

Objective symbolic_objective(SymbolicGraph& graph, const std::vector<StreettPair>& pairs);

// Vertices that no good component inside `set` can have: requests of pairs without a grant there.
VertexSet bad_vertices(const Objective& objective, const VertexSet& set);
// Without them, and without those that are bad then, and so on. Takes no step.
VertexSet without_bad_vertices(const Objective& objective, VertexSet set);

// When the improved algorithms search in lock-step and when they compute all components.
LockStepPolicy lock_step_policy(const SymbolicGraph& graph, const Threshold& threshold);
LockStepPolicy end_component_policy(const SymbolicGraph& graph, const Threshold& threshold);

// Algorithms 6.2 and 6.3, and 6.6 and 6.7, from line 2 on: the maximal good (end) components. `candidates`:
// the strongly connected components, or the maximal end components, of the whole graph.
std::vector<VertexSet> good_components(SymbolicGraph& graph, const Objective& objective,
                                       std::vector<VertexSet> candidates, const StreettOptions& options);
std::vector<VertexSet> good_end_components(SymbolicGraph& graph, const Objective& objective,
                                           std::vector<VertexSet> candidates, const StreettOptions& options);

// Algorithms 6.4 and 6.5: the maximal end components inside `within`.
std::vector<VertexSet> maximal_end_components(SymbolicGraph& graph, const VertexSet& within,
                                              const StreettOptions& options, Ends ends = Ends::kUnknown);

// The three parts of a solution: the components, or maximal end components, of the whole graph; the good ones
// inside of these; and from where they can be reached.
std::vector<VertexSet> first_candidates(SymbolicGraph& graph, const StreettOptions& options);
std::vector<VertexSet> good_candidates(SymbolicGraph& graph, const Objective& objective,
                                       std::vector<VertexSet> candidates, const StreettOptions& options);
VertexSet winning_vertices(SymbolicGraph& graph, const std::vector<VertexSet>& good);

struct StreettFigures {
  // Steps and seconds of: the components of the whole graph, the search for good ones, and reaching these.
  std::uint64_t first_steps = 0, search_steps = 0, reach_steps = 0;
  double build_seconds = 0, first_seconds = 0, search_seconds = 0, reach_seconds = 0;
  std::uint64_t nodes = 0;
};

struct StreettResult {
  bool complete = false;  // false: stopped by the context, and nothing else here is meaningful
  std::vector<bool> winning;
  std::vector<std::vector<Vertex>> components;  // the good ones, disjoint, each ascending
  StreettFigures figures;
};

StreettResult solve_streett(const Arena& arena, const std::vector<StreettPair>& pairs,
                            const StreettOptions& options, Context* context = nullptr);

}  // namespace weir::fairness
