// Systems with Streett objectives of the kind the experiments of [Toman21, Section 6.6] are about: a strongly
// connected part of a model of communicating processes, times a deterministic automaton for a random formula,
// with some of the vertices made random.
//
// The model. Three to five processes with 4 to 20 states each move one at a time, or two of them together (an
// action that both must take). A process is a ring with chords, with at most three to ten moves in a state.
// Of the states that can be reached, the largest strongly connected component is kept, as the thesis does
// with the models of the VLTS suite.
//
// The formula. The thesis translates random LTL formulas. Here it is a conjunction of three to six random
// ones from the patterns below, whose deterministic automata are small and known; a and b are random sets of
// actions. Each gives one Streett pair. Only what can be reached in the product is kept.
//
//   GF a -> GF b   compassion, four in ten     G (a -> F b)   response, two in ten
//   FG a           persistence, two in ten     a U b          until, one in ten
//   FG a | GF b    one in ten
#pragma once

#include <cstdint>
#include <vector>

#include "program/arena.hpp"

namespace weir::fairness::bench {

struct Instance {
  Arena arena;
  std::vector<StreettPair> pairs;
};

// Between `least` and `most` vertices, and at most 25 `most` edges. The same seed gives the same graph
// whatever the share of random vertices is.
Instance generated_system(std::uint64_t seed, std::size_t least, std::size_t most, double random_share);

// Many edges and little structure: a ring, edges to neighbours and some that go far, `degree` for each
// vertex, and four random pairs.
Instance dense_graph(std::uint64_t seed, std::size_t vertices, std::size_t degree, double random_share);

// A path whose edges go both ways, and at each of its vertices a way to a small loop and back. There is a
// pair for each way back: it is requested there, and granted in the loop before. The first one is bad;
// without it its loop is a component of its own, so the path has no grant of the second pair, and so on. The
// basic algorithm computes all components each time, and the path is long.
Instance many_pairs(std::size_t vertices);

}  // namespace weir::fairness::bench
