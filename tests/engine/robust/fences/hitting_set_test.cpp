// Cheapest hitting sets: the solver agrees with branch and bound, and both with what can be seen by eye.
#include "engine/robust/fences/hitting_set.hpp"

#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "base/module.hpp"

namespace weir::hitting_set_test {

using Set = std::vector<std::uint32_t>;

HittingProblem problem(std::vector<Set> sets, std::vector<double> cost) {
  HittingProblem result{std::move(sets), std::move(cost), {}, {}};
  result.preference.assign(result.cost.size(), 0.0);
  return result;
}

// Both ways must agree on what is the best; the hand-made problems have one answer.
std::optional<Set> hit(const HittingProblem& p) {
  const std::optional<Set> solved = cheapest_hitting_set_by_cbc(p);
  EXPECT_EQ(cheapest_hitting_set(p), solved);
  return solved;
}

#ifdef WEIR_HAS_CBC
// Otherwise branching would be compared with itself below.
TEST(HittingSet, CbcIsThere) {
  EXPECT_TRUE(module_function("libweir_cbc.so", "weir_cheapest_hitting_set").ok());
}
#endif

TEST(HittingSet, NothingToHit) { EXPECT_EQ(hit(problem({}, {1, 1})), Set{}); }

TEST(HittingSet, OneForTwo) { EXPECT_EQ(hit(problem({{0, 1}, {1, 2}}, {1, 1, 1})), Set{1}); }

TEST(HittingSet, TwoCheapOnesForADearOne) {
  EXPECT_EQ(hit(problem({{0, 1}, {1, 2}}, {1, 10, 1})), (Set{0, 2}));
}

TEST(HittingSet, ImpossibleIfNothingMayBeChosen) {
  EXPECT_EQ(hit(problem({{0}}, {std::numeric_limits<double>::infinity()})), std::nullopt);
  EXPECT_EQ(hit(problem({{}}, {1})), std::nullopt);
}

TEST(HittingSet, PreferencesDecideAmongEquals) {
  HittingProblem p = problem({{0, 1, 2}}, {1, 1, 1});
  p.preference = {1, 0.5, 1};
  EXPECT_EQ(hit(p), Set{1});
  p.preference = {0.2, 0.5, 1};
  EXPECT_EQ(hit(p), Set{0});
}

TEST(HittingSet, ExcludedSolutionsAreNotGivenAgain) {
  HittingProblem p = problem({{0, 1}}, {1, 1});
  p.excluded = {{0}};
  EXPECT_EQ(hit(p), Set{1});
  p.excluded = {{0}, {1}};
  EXPECT_EQ(hit(p), std::nullopt);
}

double total(const HittingProblem& p, const Set& set) {
  double sum = 0;
  for (const std::uint32_t element : set) sum += p.cost[element];
  return sum;
}

TEST(HittingSet, SolverAgreesWithBranchAndBound) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    const std::size_t elements = 1 + random() % 10;
    HittingProblem p = problem({}, {});
    for (std::size_t e = 0; e < elements; ++e) {
      p.cost.push_back(random() % 9 == 0 ? std::numeric_limits<double>::infinity()
                                         : 0.5 * static_cast<double>(1 + random() % 6));
      p.preference.push_back(static_cast<double>(random() % 3));
    }
    for (std::size_t s = random() % 8; s > 0; --s) {
      Set set;
      for (std::uint32_t e = 0; e < elements; ++e)
        if (random() % 3 == 0) set.push_back(e);
      p.sets.push_back(set);
    }
    const auto solved = cheapest_hitting_set_by_cbc(p);
    const auto branched = *cheapest_hitting_set_by_branching(p, 1'000'000);
    ASSERT_EQ(solved.has_value(), branched.has_value());
    if (solved) {
      EXPECT_NEAR(total(p, *solved), total(p, *branched), 1e-6);
    }
  }
}

TEST(HittingSet, BranchingGivesUp) {
  std::vector<Set> sets;
  for (std::uint32_t i = 0; i < 12; ++i) sets.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  const HittingProblem p = problem(sets, std::vector<double>(36, 1.0));
  EXPECT_FALSE(cheapest_hitting_set_by_branching(p, 10));
  EXPECT_EQ(cheapest_hitting_set(p)->size(), 12u);
}

}  // namespace weir::hitting_set_test
