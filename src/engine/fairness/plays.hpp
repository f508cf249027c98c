// Shows why vertices win, given the good components that were found: the paths themselves, on the explicit
// arena.
#pragma once

#include "engine/fairness/streett.hpp"
#include "trace/play.hpp"

namespace weir::fairness {

// A play from `start`, which wins, in a graph: a shortest way to a good component, then round a loop in it
// that visits a grant of each pair of which the component has a request.
Lasso find_lasso(const Arena& arena, const std::vector<StreettPair>& pairs, const StreettResult& result,
                 Vertex start);

// In an MDP: inside good components all edges that stay in them, outside an edge that leads towards one
// through winning vertices only.
RandomStrategy find_strategy(const Arena& arena, const StreettResult& result);

}  // namespace weir::fairness
