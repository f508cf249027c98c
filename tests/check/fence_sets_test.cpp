// The cheapest fences of programs for which they are known.
#include "check/fence_sets.hpp"

#include <gtest/gtest.h>

#include "program/fences.hpp"
#include "selfcheck/random/program_generator.hpp"
#include "support/tiny_program.hpp"

namespace weir::test::fence_sets_test {

using namespace selfcheck;
using FenceSets = std::vector<std::vector<LocationId>>;

double one(LocationId) { return 1; }

LocationId at(std::size_t index) { return LocationId(index); }

// Store buffering with `gap` instructions between the accesses of P. Locations 0, 1, … of P, then those of Q.
TinyProgram store_buffering(int gap) {
  TinyProgram tiny({"x", "y"});
  TinyThread p = tiny.thread("P").store("x", 1);
  for (int i = 0; i < gap; ++i) p.nop();
  p.load("r", "y");
  tiny.thread("Q").store("y", 1).load("s", "x");
  return tiny;
}

TEST(FenceSets, OfARobustProgramIsTheEmptyOne) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).store("y", 1);
  tiny.thread("Q").load("r", "y").load("s", "x");
  EXPECT_EQ(cheapest_fence_sets(tiny.program(), one), (FenceSets{{}}));
}

TEST(FenceSets, OfStoreBufferingIsOneBetweenTheAccessesOfEachThread) {
  EXPECT_EQ(cheapest_fence_sets(store_buffering(0).program(), one), (FenceSets{{at(1), at(4)}}));
  EXPECT_EQ(cheapest_fence_sets(store_buffering(1).program(), one),
            (FenceSets{{at(1), at(5)}, {at(2), at(5)}}));
}

TEST(FenceSets, PreferCheapLocations) {
  const auto cost = [](LocationId location) { return location == at(1) ? 3.0 : 1.0; };
  EXPECT_EQ(cheapest_fence_sets(store_buffering(1).program(), cost), (FenceSets{{at(2), at(5)}}));
}

// One fence where two ways meet is cheaper than one on each of them, unless it costs more; 0.1 and 0.2
// are as much as 0.3, whatever their sum is in binary.
TEST(FenceSets, WeighOneFenceAgainstTwo) {
  TinyProgram tiny({"x", "y"});
  TinyThread p = tiny.thread("P");
  const LocationId fork = p.here();
  p.store("x", 1);
  const LocationId left = p.here();
  const LocationId join = p.nop().here();
  p.continue_at(fork).store("x", 2);
  const LocationId right = p.here();
  p.jump_to(join).continue_at(join).load("r", "y");
  tiny.thread("Q").exchange("t", "y", 1).load("s", "x");
  const auto sets = [&](double cost_of_join) {
    return cheapest_fence_sets(tiny.program(), [&](LocationId location) {
      return location == join ? cost_of_join : location == left ? 0.1 : location == right ? 0.2 : 1.0;
    });
  };
  EXPECT_EQ(sets(0.25), (FenceSets{{join}}));
  EXPECT_EQ(sets(0.3), (FenceSets{{left, right}, {join}}));
  EXPECT_EQ(sets(0.5), (FenceSets{{left, right}}));
}

TEST(FenceSets, AgainstASectionOnlyTheDelayingThreadNeedsOne) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).load("r", "y");
  tiny.thread("Q").lock().load("a", "x").store("y", 1).unlock();
  EXPECT_EQ(cheapest_fence_sets(tiny.program(), one), (FenceSets{{at(1)}}));
}

TEST(FenceSets, DoNotReachIntoAtomicBlocks) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).atomic_begin().load("r", "y").atomic_end().load("r", "y");
  EXPECT_EQ(fence_locations(tiny.program()), (std::vector{at(0), at(1), at(4)}));
}

TEST(FenceSets, AreNotGivenForProgramsThatAreTooLarge) {
  EXPECT_EQ(cheapest_fence_sets(store_buffering(3).program(), one, {.locations = 6}), std::nullopt);
  EXPECT_EQ(cheapest_fence_sets(store_buffering(0).program(), one, {.traces = {.computations = 10}}),
            std::nullopt);
}

// With a fence everywhere every program is robust; so there is always a cheapest set. What is cheapest is
// robust, and without any one of its fences it is not.
TEST(FenceSets, OfGeneratedProgramsAreMinimal) {
  GeneratorShape shape = plain_accesses();
  shape.max_instructions = 3;
  shape.read_modify_writes = shape.atomic_blocks = shape.locks = true;
  constexpr FenceSetLimits kLimits{.locations = 9, .traces = {.computations = 2'000}};
  std::size_t with_fences_needed = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Genome genome = random_genome(seed, shape);
    const Program program = build(genome);
    const auto sets = cheapest_fence_sets(program, one, kLimits);
    if (!sets) continue;
    ASSERT_FALSE(sets->empty()) << genome;
    with_fences_needed += sets->front().empty() ? 0 : 1;
    for (const std::vector<LocationId>& set : *sets) {
      EXPECT_EQ(compare_traces(with_fences(program, set)), BruteForceVerdict::kRobust) << genome;
      for (std::size_t without = 0; without < set.size(); ++without) {
        std::vector<LocationId> fewer = set;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(without));
        EXPECT_EQ(compare_traces(with_fences(program, fewer)), BruteForceVerdict::kNotRobust) << genome;
      }
    }
  }
  EXPECT_GT(with_fences_needed, 30u);
}

}  // namespace weir::test::fence_sets_test
