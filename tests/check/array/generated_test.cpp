// Generated array systems: what comparisons with engines rely on. They are well formed, the same for the same
// seed, of both verdicts, and they shrink; on the way, replay and completion are tried on many runs.
#include <gtest/gtest.h>

#include "check/array/explore.hpp"
#include "check/array/replay.hpp"
#include "program/array/validate.hpp"
#include "selfcheck/random/array_generator.hpp"
#include "support/array_text.hpp"

namespace weir::test::array_generated_test {

using namespace selfcheck;
using namespace weir::array;

constexpr ArrayFamily kFamilies[] = {ArrayFamily::kOrdinary, ArrayFamily::kWeak, ArrayFamily::kWeakShared};

ArrayExploration explored(const ArraySystem& system, std::uint32_t processes) {
  return explore(system, processes, {.states = 3000, .buffered_groups = 3});
}

bool unsafe_within(const ArraySystem& system, std::uint32_t processes) {
  for (std::uint32_t count = 1; count <= processes; ++count)
    if (explored(system, count).unsafe()) return true;
  return false;
}

class ArrayGenerator : public ::testing::TestWithParam<ArrayFamily> {};

TEST_P(ArrayGenerator, SystemsAreWellFormedAndReproducible) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const ArrayShape shape{
        .family = GetParam(), .numbers = seed % 2 == 1, .constant_processes = seed % 3 == 0};
    const ArraySystem system = random_array_system(seed, shape);
    EXPECT_EQ(problem(system), "");
    EXPECT_EQ(system.weak(), GetParam() != ArrayFamily::kOrdinary);
    EXPECT_EQ(array_text(system), array_text(random_array_system(seed, shape)));
  }
}

TEST_P(ArrayGenerator, AboutHalfOfTheSystemsAreUnsafe) {
  int unsafe = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed)
    if (unsafe_within(random_array_system(seed, {.family = GetParam()}), 3)) ++unsafe;
  EXPECT_GE(unsafe, 20);
  EXPECT_LE(unsafe, 45);
}

TEST_P(ArrayGenerator, RunsReplayAndCanBeCompletedFromTheirFirings) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const ArraySystem system = random_array_system(seed, {.family = GetParam(), .numbers = seed % 2 == 1});
    const ArrayExploration exploration = explored(system, 2);
    if (!exploration.run) continue;
    EXPECT_EQ(replay(system, 2, *exploration.run), std::nullopt) << array_text(system);
    std::vector<ArrayFiring> firings;
    for (const ArrayStep& step : exploration.run->steps)
      if (!step.is_flush()) firings.push_back({*step.transition, step.processes});
    const Completion completion = complete(system, 2, firings, {.unsafe = exploration.run->unsafe});
    ASSERT_TRUE(completion.run) << array_text(system);
    EXPECT_EQ(replay(system, 2, *completion.run), std::nullopt) << array_text(system);
  }
}

INSTANTIATE_TEST_SUITE_P(Families, ArrayGenerator, ::testing::ValuesIn(kFamilies));

TEST(ArrayShrink, FindsASmallSystemThatStillFails) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const ArraySystem system = random_array_system(seed, {.family = ArrayFamily::kWeakShared});
    const auto fails = [](const ArraySystem& one) { return explored(one, 2).unsafe(); };
    if (!fails(system)) continue;
    const ArraySystem small = shrink_failing(system, fails);
    EXPECT_TRUE(fails(small));
    EXPECT_EQ(problem(small), "");
    for (const ArraySystem& simpler : simplifications(small)) EXPECT_FALSE(fails(simpler));
    EXPECT_LE(array_text(small).size(), array_text(system).size());
  }
}

}  // namespace weir::test::array_generated_test
