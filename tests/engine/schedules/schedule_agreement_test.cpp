// Bounded preemptions and random schedules on generated programs: the least number of preemptions is that of
// brute force on the reference machine, enough of them give the verdict of the explicit engine, what random
// schedules find is there, and every witness replays.
#include <gtest/gtest.h>

#include "engine/schedules/bounded_preemptions.hpp"
#include "engine/schedules/random_schedules.hpp"
#include "selfcheck/agreement/agreement.hpp"
#include "selfcheck/brute_force/least_preemptions.hpp"

namespace weir::test::schedule_agreement_test {

using namespace selfcheck;

constexpr std::uint64_t kFirstSeed = 2'000'000;
constexpr std::uint64_t kPrograms = 2000;

// Small enough for brute force.
Genome small_genome(std::uint64_t seed) {
  GeneratorShape shape = shape_for(seed);
  shape.max_instructions = 4;
  return random_genome(seed, shape);
}

Answer search(const Program& program, Model model, std::uint64_t preemptions) {
  Context context;
  const PreemptionOptions options{.model = model, .preemptions = preemptions, .buffer = 6};
  return check_bounded_preemptions(program, options, context);
}

// Brute force is slow, and most programs are safe or wrong without any preemption.
bool worth_comparing(const Program& program, Model model, std::uint64_t seed) {
  if (seed % 10 == 0) return true;
  return search(program, model, 0).verdict != Verdict::kUnsafe &&
         search(program, model, 100).verdict == Verdict::kUnsafe;
}

class ScheduleAgreement : public testing::TestWithParam<Model> {};

TEST_P(ScheduleAgreement, WithBruteForce) {
  std::map<std::uint64_t, std::size_t> compared;  // by the number of preemptions needed
  for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + kPrograms; ++seed) {
    const Genome genome = small_genome(seed);
    const Program program = build(genome);
    if (!worth_comparing(program, GetParam(), seed)) continue;
    LeastPreemptions found;
    ASSERT_EQ(schedule_disagreement(program, GetParam(), &found), "") << "seed " << seed << "\n"
                                                                      << describe(genome);
    if (found.needed) ++compared[*found.needed];
  }
  EXPECT_GE(compared[0], 30u);
  EXPECT_GE(compared[1], 20u);
}

INSTANTIATE_TEST_SUITE_P(Models, ScheduleAgreement, testing::Values(Model::kSc, Model::kTso, Model::kPso),
                         [](const auto& test) { return std::string(name(test.param)); });

// Nearly everything in small programs.
TEST(ScheduleAgreement, RandomSchedulesFindMostViolations) {
  std::size_t there = 0, found = 0;
  for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + kPrograms; ++seed) {
    const Program program = build(small_genome(seed));
    for (const Model model : {Model::kSc, Model::kTso, Model::kPso}) {
      if (search(program, model, 100).verdict != Verdict::kUnsafe) continue;
      ++there;
      Context context;
      const RandomOptions options{.model = model, .schedules = 200, .most_steps = 500, .minimise_effort = 0};
      if (check_random_schedules(program, options, context).verdict == Verdict::kUnsafe) ++found;
    }
  }
  EXPECT_GE(there, 1000u);
  EXPECT_GE(found * 100, there * 98) << found << " of " << there;
}

}  // namespace weir::test::schedule_agreement_test
