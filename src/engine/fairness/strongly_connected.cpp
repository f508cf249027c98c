// Strongly connected components in O(n) symbolic steps [GentiliniPiazzaPolicriti08].
//
// The component of a vertex is found as usual, forwards and then backwards inside what was reached. What
// makes it linear is where the next search starts: the forward search also leaves a skeleton, a shortest path
// from its start to one of the vertices it reached last, and the search in what was reached starts at the end
// of that path. Going forward from there costs no more steps than the skeleton has vertices. Here the part of
// the skeleton in the component just found, which nobody uses, is not computed.
//
// Before that vertices are trimmed that have no predecessor or no successor left, in rounds. Each round
// removes a vertex, so the bound stays. It is not in the paper; without it a graph that falls apart into
// single vertices takes about five steps for each of them.
#include <utility>

#include "base/error.hpp"
#include "engine/fairness/components.hpp"

namespace weir::fairness {

namespace {

struct Skeleton {
  VertexSet path, end;  // `end` is a vertex of `path`, or both are empty
};

struct Task {
  VertexSet within;
  Skeleton skeleton;
};

using Neighbours = VertexSet (SymbolicGraph::*)(const VertexSet&, const VertexSet&);

// Without the vertices from which `neighbours` leads nowhere, again and again.
VertexSet trimmed(SymbolicGraph& graph, VertexSet kept, Neighbours neighbours) {
  VertexSet suspects = kept;
  while (!suspects.empty()) {
    const VertexSet gone = suspects - (graph.*neighbours)(kept, suspects);
    kept -= gone;
    suspects = gone.empty() ? VertexSet() : (graph.*neighbours)(gone, kept);
  }
  return kept;
}

// The layers of a breadth-first search, from `start` on.
std::vector<VertexSet> layers_from(SymbolicGraph& graph, const VertexSet& start, VertexSet rest) {
  std::vector<VertexSet> layers;
  for (VertexSet layer = start; !layer.empty(); layer = graph.post(layer, rest)) {
    rest -= layer;
    layers.push_back(layer);
    if (rest.empty()) break;
  }
  return layers;
}

// A shortest path from the start of the search to a vertex found last, as far as it is outside of the start's
// component: once it is inside, it stays there.
Skeleton skeleton_outside(SymbolicGraph& graph, const std::vector<VertexSet>& layers,
                          const VertexSet& component) {
  const VertexSet last = layers.back() - component;
  if (last.empty()) return {};
  VertexSet vertex = graph.pick(last);
  Skeleton skeleton{vertex, vertex};
  for (std::size_t i = layers.size() - 1; i-- > 0;) {
    const VertexSet before = graph.pre(vertex, layers[i]);
    if (!(before & component).empty()) break;
    vertex = graph.pick(before);
    skeleton.path |= vertex;
  }
  return skeleton;
}

VertexSet closure_backward(SymbolicGraph& graph, const VertexSet& start, const VertexSet& within) {
  VertexSet component = start;
  for (VertexSet frontier = start; !frontier.empty() && component != within; component |= frontier)
    frontier = graph.pre(frontier, within - component);
  return component;
}

}  // namespace

std::vector<VertexSet> strongly_connected_components(SymbolicGraph& graph, const VertexSet& within,
                                                     Ends ends) {
  std::vector<VertexSet> components;
  const VertexSet with_successors =
      ends == Ends::kNone ? within : trimmed(graph, within, &SymbolicGraph::pre);
  std::vector<Task> tasks{{trimmed(graph, with_successors, &SymbolicGraph::post), {}}};
  while (!tasks.empty()) {
    const Task task = std::move(tasks.back());
    tasks.pop_back();
    if (task.within.empty()) continue;
    const VertexSet start = task.skeleton.end.empty() ? graph.pick(task.within) : task.skeleton.end;
    const std::vector<VertexSet> layers = layers_from(graph, start, task.within);
    VertexSet reached;
    for (const VertexSet& layer : layers) reached |= layer;
    const VertexSet component = closure_backward(graph, start, reached);

    Skeleton rest{task.skeleton.path - component, {}};
    if (!rest.path.empty()) rest.end = graph.pre(component & task.skeleton.path, rest.path);
    tasks.push_back({task.within - reached, std::move(rest)});
    tasks.push_back({reached - component, skeleton_outside(graph, layers, component)});
    components.push_back(component);
  }
  return components;
}

}  // namespace weir::fairness
