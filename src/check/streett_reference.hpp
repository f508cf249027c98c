// Streett objectives again, on the explicit arena and without any of the engine's ideas: components by depth
// first search, everything else by sweeps until nothing changes. Checks what the engine claims.
#pragma once

#include <string>
#include <vector>

#include "program/arena.hpp"
#include "trace/play.hpp"

namespace weir {

// The vertices that win, in a graph or an MDP.
std::vector<bool> streett_winning(const Arena& arena, const std::vector<StreettPair>& pairs);

// Strongly connected components of the vertices with alive[v], as lists; single vertices are components too.
std::vector<std::vector<Vertex>> explicit_components(const Arena& arena, const std::vector<bool>& alive);

// What is wrong with the claim that this is a play of the arena from `start` that satisfies all pairs; empty
// if nothing is.
std::string lasso_mistake(const Arena& arena, const std::vector<StreettPair>& pairs, Vertex start,
                          const Lasso& lasso);

// What is wrong with the claim that the strategy satisfies all pairs with probability one from every vertex
// of `winning`: it must stay there, and each set of vertices in which a play of the resulting Markov chain
// can get caught must satisfy all pairs.
std::string strategy_mistake(const Arena& arena, const std::vector<StreettPair>& pairs,
                             const std::vector<bool>& winning, const RandomStrategy& strategy);

}  // namespace weir
