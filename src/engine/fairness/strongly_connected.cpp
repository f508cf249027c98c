// Strongly connected components in O(n) symbolic steps [GentiliniPiazzaPolicriti08].
//
// The component of a vertex is found as usual, forwards and then backwards inside what was reached. What
// makes it linear is where the next search starts: the forward search also leaves a skeleton, a shortest path
// from its start to one of the vertices it reached last, and the search in what was reached starts at the end
// of that path. Going forward from there costs no more steps than the skeleton has vertices.
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

struct ForwardSearch {
  VertexSet reached;
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

ForwardSearch search_forward(SymbolicGraph& graph, const VertexSet& start, const VertexSet& within) {
  ForwardSearch search;
  std::vector<VertexSet> layers;
  for (VertexSet layer = start; !layer.empty(); layer = graph.post(layer, within - search.reached)) {
    search.reached |= layer;
    layers.push_back(layer);
  }
  VertexSet vertex = graph.pick(layers.back());
  search.skeleton = {vertex, vertex};
  for (std::size_t i = layers.size() - 1; i-- > 0;) {
    vertex = graph.pick(graph.pre(vertex, layers[i]));
    search.skeleton.path |= vertex;
  }
  return search;
}

VertexSet closure_backward(SymbolicGraph& graph, const VertexSet& start, const VertexSet& within) {
  VertexSet component = start;
  for (VertexSet frontier = start; !frontier.empty(); component |= frontier)
    frontier = graph.pre(frontier, within - component);
  return component;
}

}  // namespace

std::vector<VertexSet> strongly_connected_components(SymbolicGraph& graph, const VertexSet& within) {
  std::vector<VertexSet> components;
  const VertexSet with_successors = trimmed(graph, within, &SymbolicGraph::pre);
  std::vector<Task> tasks{{trimmed(graph, with_successors, &SymbolicGraph::post), {}}};
  while (!tasks.empty()) {
    const Task task = std::move(tasks.back());
    tasks.pop_back();
    if (task.within.empty()) continue;
    const VertexSet start = task.skeleton.end.empty() ? graph.pick(task.within) : task.skeleton.end;
    ForwardSearch search = search_forward(graph, start, task.within);
    const VertexSet component = closure_backward(graph, start, search.reached);

    Skeleton rest{task.skeleton.path - component, {}};
    if (!rest.path.empty()) rest.end = graph.pre(component & task.skeleton.path, rest.path);
    tasks.push_back({task.within - search.reached, std::move(rest)});
    tasks.push_back(
        {search.reached - component, {search.skeleton.path - component, search.skeleton.end - component}});
    components.push_back(component);
  }
  return components;
}

}  // namespace weir::fairness
