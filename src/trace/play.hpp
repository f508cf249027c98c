// Plays of an arena that show why vertices win a Streett objective: a lasso in a graph, a strategy in an MDP.
#pragma once

#include <vector>

#include "program/arena.hpp"

namespace weir {

// The play that goes along the stem and then round the loop for ever. The stem ends before the loop begins;
// an edge leads from the last vertex of the loop to its first.
struct Lasso {
  std::vector<Vertex> stem, loop;
};

// What the player does at each vertex: go to one of these successors, each with the same probability. Empty
// at random vertices and at those that the player does not win.
struct RandomStrategy {
  std::vector<std::vector<Vertex>> choices;
};

}  // namespace weir
