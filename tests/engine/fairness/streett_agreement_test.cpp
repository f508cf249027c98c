// A sample of the long comparison (streett_agreement), and the reference itself against definitions spelled
// out: end components by trying all sets, almost-sure reachability by trying all memoryless strategies.
#include <gtest/gtest.h>

#include "check/streett_reference.hpp"
#include "engine/fairness/support/agreement.hpp"

namespace weir::fairness::test::streett_agreement_test {

TEST(StreettAgreement, WithTheReference) {
  for (std::uint64_t seed = 100'000; seed < 101'000; ++seed) {
    const Instance instance = random_instance(seed, 60);
    if (disagreement(instance).empty()) continue;
    const Instance small = shrink(instance);
    FAIL() << "seed " << seed << ": " << disagreement(small) << "\n" << small.text();
  }
}

using Set = std::uint32_t;

bool contains(Set set, Vertex v) { return (set >> v & 1) != 0; }

Set reachable(const Arena& arena, Set start, Set within) {
  for (Set next = start;; start = next) {
    for (Vertex v = 0; v < arena.vertices(); ++v)
      if (contains(start, v))
        for (const Vertex to : arena.successors(v)) next |= within & Set{1} << to;
    if (next == start) return start;
  }
}

bool is_end_component(const Arena& arena, Set set) {
  bool edge = false;
  for (Vertex v = 0; v < arena.vertices(); ++v) {
    if (!contains(set, v)) continue;
    if ((reachable(arena, Set{1} << v, set) & set) != set) return false;
    for (const Vertex to : arena.successors(v)) {
      edge = edge || contains(set, to);
      if (arena.random(v) && !contains(set, to)) return false;
    }
  }
  return edge;
}

bool is_good(const std::vector<StreettPair>& pairs, Set set) {
  const auto meets = [&](const std::vector<Vertex>& list) {
    return std::any_of(list.begin(), list.end(), [&](Vertex v) { return contains(set, v); });
  };
  return std::all_of(pairs.begin(), pairs.end(),
                     [&](const StreettPair& pair) { return !meets(pair.requests) || meets(pair.grants); });
}

// Where the strategy reaches the goal with probability one: from every vertex that can be met the goal can
// be.
Set sure_with(const Arena& arena, const std::vector<std::size_t>& choice, Set goal) {
  std::vector<Arena::Edge> edges;
  for (Vertex v = 0; v < arena.vertices(); ++v) {
    if (contains(goal, v)) continue;
    const auto next = arena.successors(v);
    for (std::size_t i = 0; i < next.size(); ++i)
      if (arena.random(v) || i == choice[v]) edges.emplace_back(v, next[i]);
  }
  const Arena chain(arena.vertices(), edges);
  const Set all = (Set{1} << arena.vertices()) - 1;
  Set sure = 0;
  for (Vertex v = 0; v < arena.vertices(); ++v) {
    bool always = true;
    const Set met = reachable(chain, Set{1} << v, all);
    for (Vertex w = 0; w < arena.vertices(); ++w)
      if (contains(met, w)) always = always && (reachable(chain, Set{1} << w, all) & goal) != 0;
    if (always) sure |= Set{1} << v;
  }
  return sure;
}

Set winning_by_brute_force(const Arena& arena, const std::vector<StreettPair>& pairs) {
  Set goal = 0;
  for (Set set = 1; set < Set{1} << arena.vertices(); ++set)
    if (is_good(pairs, set) && is_end_component(arena, set)) goal |= set;
  std::vector<std::size_t> choice(arena.vertices(), 0);
  Set winning = 0;
  while (true) {
    winning |= sure_with(arena, choice, goal);
    Vertex v = 0;
    while (v < arena.vertices() && (arena.random(v) || ++choice[v] >= arena.successors(v).size()))
      choice[v++] = 0;
    if (v == arena.vertices()) return winning;
  }
}

TEST(StreettReference, DoesWhatTheDefinitionSays) {
  std::size_t divided = 0;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    const Instance instance = random_instance(seed, 7);
    const Arena arena = instance.arena();
    const std::vector<bool> claimed = streett_winning(arena, instance.pairs);
    Set claimed_set = 0;
    for (Vertex v = 0; v < arena.vertices(); ++v) claimed_set |= claimed[v] ? Set{1} << v : 0;
    const Set expected = winning_by_brute_force(arena, instance.pairs);
    ASSERT_EQ(claimed_set, expected) << "seed " << seed << "\n" << instance.text();
    divided += expected != 0 && expected != (Set{1} << arena.vertices()) - 1 ? 1 : 0;
  }
  EXPECT_GT(divided, 300u) << "instances that decide something";
}

// The checker must not let everything pass.
TEST(StreettWitness, MistakesAreFound) {
  const Arena arena(4, {{0, 1}, {1, 2}, {2, 1}, {2, 3}, {3, 3}});
  const std::vector<StreettPair> pairs{{{1}, {2}, ""}, {{3}, {0}, ""}};
  EXPECT_EQ(lasso_mistake(arena, pairs, 0, {{0}, {1, 2}}), "");
  EXPECT_NE(lasso_mistake(arena, pairs, 1, {{0}, {1, 2}}), "");
  EXPECT_NE(lasso_mistake(arena, pairs, 0, {{0}, {2, 1}}), "");
  EXPECT_NE(lasso_mistake(arena, pairs, 0, {{0, 1, 2}, {3}}), "");
  EXPECT_NE(lasso_mistake(arena, pairs, 0, {{0}, {}}), "");
}

TEST(StreettStrategy, MistakesAreFound) {
  Arena arena(4, {{0, 1}, {0, 3}, {1, 0}, {1, 2}, {2, 2}, {3, 3}});
  arena.set_random(1);
  const std::vector<StreettPair> pairs{{{3}, {}, ""}};
  const std::vector<bool> winning{true, true, true, false};
  EXPECT_EQ(strategy_mistake(arena, pairs, winning, {{{1}, {}, {2}, {}}}), "");
  EXPECT_NE(strategy_mistake(arena, pairs, winning, {{{1, 3}, {}, {2}, {}}}), "");
  EXPECT_NE(strategy_mistake(arena, pairs, winning, {{{1}, {}, {}, {}}}), "");
  EXPECT_NE(strategy_mistake(arena, pairs, {true, true, true, true}, {{{3}, {}, {2}, {3}}}), "");
}

}  // namespace weir::fairness::test::streett_agreement_test
