// The abstractions include each other and TSO, their searches agree, and the engine agrees with the reference
// machine, on small programs. `abstraction_agreement` compares many more.
#include "selfcheck/agreement/abstraction_agreement.hpp"

#include <gtest/gtest.h>

#include "program/text/text.hpp"

namespace weir::test::abstraction_agreement_test {

using namespace selfcheck;

class AbstractionAgreement : public testing::TestWithParam<std::uint64_t> {};

TEST_P(AbstractionAgreement, WithEachOtherAndTheReferenceMachine) {
  constexpr std::uint64_t kPrograms = 15;
  for (std::uint64_t seed = GetParam(); seed < GetParam() + kPrograms; ++seed) {
    const Genome genome = abstraction_genome(seed);
    ASSERT_EQ(abstraction_disagreement(build(genome)), "") << "seed " << seed << "\n" << describe(genome);
  }
}

// These need refinement more often than programs at random.
TEST(AbstractionRefinement, OnThreadsThatObserve) {
  AbstractionComparisons made;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Program program = build(observer_genome(seed));
    ASSERT_EQ(abstraction_disagreement(program, &made), "") << "seed " << seed << "\n" << print(program);
  }
  EXPECT_GT(made.refined, 10u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, AbstractionAgreement,
                         testing::Range<std::uint64_t>(3'000'000, 3'000'150, 15));

}  // namespace weir::test::abstraction_agreement_test
