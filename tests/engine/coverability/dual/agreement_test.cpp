// The dual semantics agrees with the explicit engine on small programs. `dual_agreement` compares many more.
#include <gtest/gtest.h>

#include "selfcheck/agreement/dual_agreement.hpp"
#include "selfcheck/random/program_generator.hpp"
#include "support/tiny_program.hpp"

namespace weir::test::dual_agreement_test {

using namespace selfcheck;

class DualAgreement : public testing::TestWithParam<std::uint64_t> {};

TEST_P(DualAgreement, WithTheExplicitEngine) {
  DualComparisons made;
  for (std::uint64_t seed = GetParam(); seed < GetParam() + 25; ++seed) {
    const Genome genome = dual_genome(seed);
    ASSERT_EQ(dual_disagreement(build(genome), made), "") << "seed " << seed << "\n" << describe(genome);
  }
  EXPECT_GT(made.compared, 100u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, DualAgreement, testing::Range<std::uint64_t>(3'000'000, 3'000'200, 25));

// Programs on which the engine was once wrong.

void expect_agreement(const Program& program) {
  DualComparisons made;
  EXPECT_EQ(dual_disagreement(program, made), "");
  EXPECT_GT(made.compared, 0u);
}

// A message that blocks another one must be taken from the buffer too when the other's cell is written.
TEST(DualAgreementRegression, MessageBehindAnother) {
  TinyProgram tiny({"x", "y"});
  TinyThread reader = tiny.thread("P");
  reader.load("r", "x").load("s", "y").assume_equal("r", 1);
  const LocationId read = reader.here();
  tiny.thread("Q").fetch_add("r", "y", 0);
  TinyThread writer = tiny.thread("R");
  writer.store("x", 1);
  tiny.program().properties.exclusive = {{{reader.id(), read}, {writer.id(), writer.here()}}};
  expect_agreement(tiny.program());
}

// What a buffer wants, and memory need not hold yet, may come from a thread that is not mentioned.
TEST(DualAgreementRegression, WantedByABuffer) {
  TinyProgram tiny({});
  tiny.variable("x", {2, false});
  TinyThread thread = tiny.thread("P");
  thread.fetch_add("r", "x", 2).compare_exchange("s", "x", 0, 1).load("t", "x").assume_equal("t", 0);
  tiny.program().properties.goals = {{{thread.id(), thread.here()}}};
  expect_agreement(tiny.program());
}

// An invariant sees memory between lock and unlock.
TEST(DualAgreementRegression, StoreInALockedSection) {
  TinyProgram tiny({"x"});
  tiny.thread("P").lock().store("x", 1);
  Program& program = tiny.program();
  const ExprId x = program.add_expression({.op = ExprOp::kSharedCell, .constant = program.objects[0].base});
  program.properties.invariants = {{program.binary(ExprOp::kNe, x, program.constant(1)), "x != 1", {}}};
  DualComparisons made;
  EXPECT_EQ(dual_disagreement(program, made), "");
  EXPECT_GT(made.refused, 0u);
}

}  // namespace weir::test::dual_agreement_test
