#include "engine/fairness/reachability.hpp"

namespace weir::fairness {

VertexSet backward_closure(SymbolicGraph& graph, const VertexSet& targets, const VertexSet& within) {
  VertexSet reached = targets;
  VertexSet frontier = targets;
  while (!frontier.empty()) {
    frontier = graph.pre(frontier, within - reached);
    reached |= frontier;
  }
  return reached;
}

Attraction random_attraction(SymbolicGraph& graph, const VertexSet& targets, const VertexSet& within) {
  VertexSet attracted = targets;
  VertexSet rest = within - targets;
  VertexSet frontier = targets;
  VertexSet border;
  while (!frontier.empty() && !rest.empty()) {
    const VertexSet candidates = graph.pre(frontier, rest);
    border |= candidates;
    VertexSet choosing = candidates - graph.random();
    // The controllable predecessor of the thesis asks for all of the rest; only the candidates matter.
    if (!choosing.empty()) choosing -= graph.pre(rest, choosing);
    frontier = (candidates & graph.random()) | choosing;
    attracted |= frontier;
    rest -= frontier;
  }
  return {attracted, border - attracted};
}

VertexSet random_attractor(SymbolicGraph& graph, const VertexSet& targets, const VertexSet& within) {
  return random_attraction(graph, targets, within).attracted;
}

VertexSet almost_sure_reachability(SymbolicGraph& graph, const VertexSet& targets) {
  VertexSet sure = graph.all();
  while (true) {
    const VertexSet hopeless = sure - backward_closure(graph, targets, sure);
    if (hopeless.empty()) return sure;
    sure -= random_attractor(graph, hopeless, sure);
  }
}

}  // namespace weir::fairness
