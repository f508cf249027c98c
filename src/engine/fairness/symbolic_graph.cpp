#include "engine/fairness/symbolic_graph.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/error.hpp"

namespace weir::fairness {

namespace {

unsigned bits_for(std::size_t vertices) {
  return std::max(1u, static_cast<unsigned>(std::bit_width(vertices == 0 ? 0 : vertices - 1)));
}

// Both directions, the sets of a run, and room before the first garbage collection.
std::size_t expected_nodes(const Arena& arena) { return 4 * arena.edges() + 12 * arena.vertices(); }

std::vector<Arena::Edge> forward_edges(const Arena& arena) {
  std::vector<Arena::Edge> edges;
  edges.reserve(arena.edges());
  for (Vertex v = 0; v < arena.vertices(); ++v)
    for (const Vertex target : arena.successors(v)) edges.emplace_back(v, target);
  return edges;
}

// Turned round and sorted, by counting.
std::vector<Arena::Edge> backward_edges(const Arena& arena) {
  std::vector<std::size_t> next(arena.vertices() + 1, 0);
  for (Vertex v = 0; v < arena.vertices(); ++v)
    for (const Vertex target : arena.successors(v)) ++next[target + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<Arena::Edge> edges(arena.edges());
  for (Vertex v = 0; v < arena.vertices(); ++v)
    for (const Vertex target : arena.successors(v)) edges[next[target]++] = {target, v};
  return edges;
}

std::vector<Vertex> looping_vertices(const Arena& arena) {
  std::vector<Vertex> looping;
  for (Vertex v = 0; v < arena.vertices(); ++v)
    if (std::ranges::find(arena.successors(v), v) != arena.successors(v).end()) looping.push_back(v);
  return looping;
}

}  // namespace

SymbolicGraph::SymbolicGraph(const Arena& arena, Context* context)
    : vertices_(arena.vertices()),
      edges_(arena.edges()),
      package_(bits_for(arena.vertices()), expected_nodes(arena)),
      context_(context) {
  std::vector<Vertex> numbers(vertices_);
  std::iota(numbers.begin(), numbers.end(), Vertex{0});
  all_ = set(numbers);
  std::erase_if(numbers, [&](Vertex v) { return !arena.random(v); });
  random_ = set(numbers);
  looping_ = set(looping_vertices(arena));
  forward_ = parts_of(forward_edges(arena));
  backward_ = parts_of(backward_edges(arena));
}

SymbolicGraph::Parts SymbolicGraph::parts_of(std::span<const Arena::Edge> edges) {
  constexpr std::size_t kEdgesPerPart = 1'000'000;
  Parts parts;
  while (!edges.empty()) {
    std::size_t size = std::min(edges.size(), kEdgesPerPart);
    while (size < edges.size() && edges[size].first == edges[size - 1].first) ++size;
    parts.push_back(package_.relation(edges.first(size)));
    edges = edges.subspan(size);
    if (context_ != nullptr && context_->stopped()) throw Interrupted();
  }
  return parts;
}

void SymbolicGraph::count_step() {
  ++steps_;
  if (context_ == nullptr) return;
  if (context_->stopped()) throw Interrupted();
  if (context_->progress_due()) {
    ProgressSample sample;
    sample.phase = "fair";
    sample.states = steps_;
    sample.unit = "symbolic steps";
    context_->report_progress(sample);
  }
}

VertexSet SymbolicGraph::related(const Parts& along, const Parts& against, const VertexSet& from,
                                 const VertexSet& among) {
  count_step();
  if (from.empty() || among.empty()) return {};
  VertexSet result;
  // Uniting the successors of many vertices costs a logarithm more than asking each vertex.
  constexpr std::uint64_t kUnionCost = 16;
  if (kUnionCost * count(from) < count(among)) {
    for (const Bdd& part : along) result |= package_.image(part, from);
    return result & among;
  }
  for (const Bdd& part : against) result |= package_.preimage(part, from, among);
  return result;
}

VertexSet SymbolicGraph::pre(const VertexSet& targets, const VertexSet& among) {
  return related(backward_, forward_, targets, among);
}

VertexSet SymbolicGraph::post(const VertexSet& sources, const VertexSet& among) {
  return related(forward_, backward_, sources, among);
}

}  // namespace weir::fairness
