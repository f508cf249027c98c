// Components with a pruning, and what the improved algorithms are for: fewer symbolic steps.
#include "engine/fairness/components.hpp"

#include <algorithm>
#include <gtest/gtest.h>

#include "engine/fairness/streett.hpp"
#include "engine/fairness/support/instances.hpp"

namespace weir::fairness::test::components_test {

TEST(Components, PruningLosesNothingThatIsWanted) {
  std::size_t pruned = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const Instance instance = random_instance(seed, 60);
    Arena arena(instance.vertices, instance.edges);
    SymbolicGraph graph(arena);
    const Objective objective = symbolic_objective(graph, instance.pairs);
    const Pruning prune = [&](VertexSet set) { return without_bad_vertices(objective, std::move(set)); };
    const std::vector<VertexSet> parts =
        strongly_connected_components(graph, graph.all(), Ends::kUnknown, prune);
    const std::vector<VertexSet> good = good_components(
        graph, objective, strongly_connected_components(graph, graph.all()), {Algorithm::kBasic, {}});
    VertexSet covered;
    for (const VertexSet& part : parts) {
      EXPECT_TRUE((part & covered).empty()) << "seed " << seed;
      covered |= part;
      EXPECT_EQ(strongly_connected_components(graph, part).size(),
                connected_set_has_edge(graph, part) ? 1u : 0u)
          << "seed " << seed << ": a part is strongly connected";
    }
    for (const VertexSet& component : good)
      EXPECT_TRUE(
          std::ranges::any_of(parts, [&](const VertexSet& part) { return (component - part).empty(); }))
          << "seed " << seed << ": a good component is inside of one part";
    pruned += covered != graph.all() ? 1 : 0;
  }
  EXPECT_GT(pruned, 100u);
}

std::uint64_t steps(const Instance& instance, Algorithm algorithm) {
  return solve_streett(instance.arena(), instance.pairs, {algorithm, {}}).figures.search_steps;
}

TEST(StreettSteps, ImprovedNeedsFewer) {
  std::uint64_t basic = 0, improved = 0;
  std::size_t more = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const Instance instance = random_instance(seed, 60);
    const std::uint64_t basic_steps = steps(instance, Algorithm::kBasic);
    const std::uint64_t improved_steps = steps(instance, Algorithm::kImproved);
    basic += basic_steps;
    improved += improved_steps;
    more += improved_steps > basic_steps ? 1 : 0;
  }
  EXPECT_LT(10 * improved, 9 * basic);
  EXPECT_LT(more, 40u) << "of 400";
}

// A path a0, b0, a1, b1, … with edges both ways, where b(i) is requested and a(i - 1) granted: the first b is bad, without it
// the second one is, and so on. The basic algorithm computes the components of what is left each time. With a random
// vertex elsewhere it is an MDP.
StreettFigures along_a_path(Vertex vertices, bool mdp, const StreettOptions& options) {
  std::vector<Arena::Edge> edges;
  for (Vertex v = 0; v + 1 < vertices; ++v) {
    edges.emplace_back(v, v + 1);
    edges.emplace_back(v + 1, v);
  }
  if (mdp) edges.emplace_back(vertices, vertices);
  Arena arena(vertices + (mdp ? 1 : 0), edges);
  if (mdp) arena.set_random(vertices);
  std::vector<StreettPair> pairs;
  for (Vertex b = 1; b < vertices; b += 2)
    pairs.push_back({{b}, b >= 3 ? std::vector<Vertex>{b - 3} : std::vector<Vertex>{}, ""});
  return solve_streett(arena, pairs, options).figures;
}

// Short paths may take a few hundred steps: there, computing components costs little.
TEST(StreettSteps, AreLinearAlongAPath) {
  for (const bool mdp : {false, true}) {
    for (const Vertex vertices : {26u, 51u, 101u, 401u, 1601u})
      EXPECT_LE(along_a_path(vertices, mdp, {}).search_steps, std::max(3 * vertices, 320u)) << vertices;
    EXPECT_GE(along_a_path(401, mdp, {Algorithm::kBasic, {}}).search_steps, 80'000u);
  }
}

// Where searches are given up, what they cost stays a small share of what computing components costs.
TEST(StreettSteps, AreHardlyMoreWhereNothingIsToBeSaved) {
  std::uint64_t basic = 0, improved = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Instance instance = random_instance(seed, 60);
    const std::uint64_t least = steps(instance, Algorithm::kBasic);
    basic += least;
    improved += std::max(least, steps(instance, Algorithm::kImproved));
  }
  EXPECT_LE(16 * improved, 17 * basic);
}

}  // namespace weir::fairness::test::components_test
