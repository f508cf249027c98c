// The explicit engine agrees with the reference machine: verdicts, terminal states, memory valuations,
// replayed witnesses, for every reduction, search order and memory model. `make test-long` compares many more
// programs.
#include "support/agreement.hpp"

#include <gtest/gtest.h>

namespace weir::test {
namespace {

class Agreement : public testing::TestWithParam<std::uint64_t> {};

TEST_P(Agreement, WithTheReferenceMachine) {
  constexpr std::uint64_t kPrograms = 25;
  for (std::uint64_t seed = GetParam(); seed < GetParam() + kPrograms; ++seed) {
    const Genome genome = random_genome(seed, shape_for(seed));
    for (const Model model : {Model::kSc, Model::kTso, Model::kPso})
      ASSERT_EQ(disagreement(build(genome), model, all_configurations()), "") << "seed " << seed << "\n"
                                                                              << describe(genome);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Agreement, testing::Range<std::uint64_t>(1'000'000, 1'000'500, 25));

// Seeds on which the engine was once wrong.
TEST(AgreementRegression, OldMistakes) {
  for (const std::uint64_t seed : {13u, 38u, 869u, 2501u, 1000497u}) {
    const Genome genome = random_genome(seed, shape_for(seed));
    for (const Model model : {Model::kSc, Model::kTso, Model::kPso})
      EXPECT_EQ(disagreement(build(genome), model, all_configurations()), "") << "seed " << seed;
  }
}

}  // namespace
}  // namespace weir::test
