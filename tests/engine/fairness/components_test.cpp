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

}  // namespace weir::fairness::test::components_test
