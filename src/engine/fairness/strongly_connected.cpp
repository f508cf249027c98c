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
//
// What a search reached and what it did not are unions of components. A caller that wants only some of them
// can take vertices out there which these cannot have. A skeleton that loses vertices by that is forgotten,
// so the bound then holds for each such set by itself only. That is done until so many steps were taken as
// there are vertices, a few times over; what is left then is computed in linearly many steps.
#include <utility>

#include "base/error.hpp"
#include "engine/fairness/components.hpp"

namespace weir::fairness {

namespace {

constexpr std::uint64_t kPrunedStepsPerVertex = 4;

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
// component, where it stays once it is there, and inside of what is left of the others.
Skeleton skeleton_within(SymbolicGraph& graph, const std::vector<VertexSet>& layers,
                         const VertexSet& component, const VertexSet& left) {
  const VertexSet last = layers.back() & left;
  if (last.empty()) return {};
  VertexSet vertex = graph.pick(last);
  Skeleton skeleton{vertex, vertex};
  for (std::size_t i = layers.size() - 1; i-- > 0;) {
    const VertexSet before = graph.pre(vertex, layers[i]);
    if (!(before & component).empty() || (before & left).empty()) break;
    vertex = graph.pick(before & left);
    skeleton.path |= vertex;
  }
  return skeleton;
}

// What the component leaves of a skeleton, if nothing else was taken out of it.
Skeleton rest_of(SymbolicGraph& graph, const Skeleton& skeleton, const VertexSet& component,
                 const VertexSet& left) {
  const VertexSet path = skeleton.path - component;
  if (path.empty() || !(path - left).empty()) return {};
  return {path, graph.pre(component & skeleton.path, path)};
}

VertexSet closure_backward(SymbolicGraph& graph, const VertexSet& start, const VertexSet& within) {
  VertexSet component = start;
  for (VertexSet frontier = start; !frontier.empty() && component != within; component |= frontier)
    frontier = graph.pre(frontier, within - component);
  return component;
}

}  // namespace

std::vector<VertexSet> strongly_connected_components(SymbolicGraph& graph, const VertexSet& within, Ends ends,
                                                     const Pruning& prune) {
  const auto without_ends = [&](const VertexSet& set) {
    return trimmed(graph, ends == Ends::kNone ? set : trimmed(graph, set, &SymbolicGraph::pre),
                   &SymbolicGraph::post);
  };
  const std::uint64_t most_steps = graph.steps() + kPrunedStepsPerVertex * graph.count(within);
  const auto pruned = [&](const VertexSet& set) {
    if (!prune || set.empty() || graph.steps() > most_steps) return set;
    const VertexSet left = prune(set);
    return left == set || left.empty() ? left : without_ends(left);
  };
  std::vector<VertexSet> components;
  std::vector<Task> tasks{{pruned(without_ends(within)), {}}};
  while (!tasks.empty()) {
    const Task task = std::move(tasks.back());
    tasks.pop_back();
    if (task.within.empty()) continue;
    const VertexSet start = task.skeleton.end.empty() ? graph.pick(task.within) : task.skeleton.end;
    const std::vector<VertexSet> layers = layers_from(graph, start, task.within);
    VertexSet reached;
    for (const VertexSet& layer : layers) reached |= layer;
    const VertexSet component = closure_backward(graph, start, reached);
    const VertexSet outside = pruned(task.within - reached);
    tasks.push_back({outside, rest_of(graph, task.skeleton, component, outside)});
    const VertexSet inside = pruned(reached - component);
    tasks.push_back({inside, skeleton_within(graph, layers, component, inside)});
    components.push_back(component);
  }
  return components;
}

}  // namespace weir::fairness
