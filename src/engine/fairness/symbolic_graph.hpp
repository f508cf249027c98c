// A graph or MDP as decision diagrams: vertices are bit vectors, sets of vertices and the edges are Boolean
// functions. Algorithms touch the edges by `pre` and `post` only, and each of these counts as one symbolic
// step, whatever it costs.
//
// What it costs. All variables of the source are above those of the target. An explicit graph has little
// structure, and in this order its edges take about 1.5 nodes each (interleaved: about ten times as many),
// because what is left of a successor set after its first few bits is a single vertex, which is shared. A
// relational product with few sources then costs as much as these sources have edges. To have that in both
// directions the edges are kept twice, forward and backward; and since a product with many sources has to
// unite many sets, each operation can be done by either: from the set it starts with, or by asking each
// vertex of the set where it may end. The smaller one of these sets decides.
//
// The edges are partitioned by source into parts of bounded size, so that no single diagram gets huge.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/context.hpp"
#include "engine/fairness/bdd.hpp"
#include "program/arena.hpp"

namespace weir::fairness {

using VertexSet = Bdd;

// Thrown by a symbolic step when the context asks to stop; `solve_streett` catches it.
struct Interrupted {};

class SymbolicGraph {
 public:
  explicit SymbolicGraph(const Arena& arena, Context* context = nullptr);

  const VertexSet& all() const { return all_; }
  const VertexSet& random() const { return random_; }
  const VertexSet& looping() const { return looping_; }  // vertices with an edge to themselves
  std::size_t vertices() const { return vertices_; }
  std::size_t edges() const { return edges_; }

  VertexSet set(std::span<const Vertex> vertices) { return package_.set(vertices); }
  VertexSet single(Vertex vertex) { return package_.set({&vertex, 1}); }
  std::uint64_t count(const VertexSet& set) const { return package_.count(set); }
  std::vector<Vertex> elements(const VertexSet& set) const { return package_.elements(set); }
  Vertex least(const VertexSet& set) const { return package_.least(set); }
  VertexSet pick(const VertexSet& set) { return single(least(set)); }

  // The vertices of `among` with an edge to `targets`. One symbolic step.
  VertexSet pre(const VertexSet& targets, const VertexSet& among);
  // The vertices of `among` with an edge from `sources`. One symbolic step.
  VertexSet post(const VertexSet& sources, const VertexSet& among);

  std::uint64_t steps() const { return steps_; }
  std::size_t nodes_in_use() const { return package_.nodes_in_use(); }
  // Forgets results of earlier operations, so that the time of what comes does not depend on them.
  void forget_results() { package_.collect_garbage(); }

 private:
  using Parts = std::vector<Bdd>;

  Parts parts_of(std::span<const Arena::Edge> edges);
  void count_step();
  // The `related` of `from` among `among`; `along` relates members of `from` to members of `among`, `against`
  // the other way round.
  VertexSet related(const Parts& along, const Parts& against, const VertexSet& from, const VertexSet& among);

  std::size_t vertices_, edges_;
  BddPackage package_;
  Context* context_;
  VertexSet all_, random_, looping_;
  Parts forward_, backward_;
  std::uint64_t steps_ = 0;
};

}  // namespace weir::fairness
