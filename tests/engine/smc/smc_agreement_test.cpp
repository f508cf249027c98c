// Stateless model checking visits every execution of small programs exactly once: counts per model as by
// brute force. `smc_agreement` compares many more programs.
#include "support/smc_agreement.hpp"

#include <gtest/gtest.h>

#include "support/tiny_program.hpp"

namespace weir::test {
namespace {

class SmcAgreement : public testing::TestWithParam<std::uint64_t> {};

TEST_P(SmcAgreement, WithBruteForce) {
  constexpr std::uint64_t kPrograms = 20;
  for (std::uint64_t seed = GetParam(); seed < GetParam() + kPrograms; ++seed) {
    const Genome genome = smc_genome(seed);
    for (const Model model : {Model::kSc, Model::kTso, Model::kPso})
      ASSERT_EQ(smc_disagreement(build(genome), model), "") << "seed " << seed << ", " << name(model) << "\n"
                                                            << describe(genome);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, SmcAgreement, testing::Range<std::uint64_t>(1'000'000, 1'000'200, 20));

// Programs on which the engine was once wrong.

void expect_agreement(const Program& program) {
  for (const Model model : {Model::kSc, Model::kTso, Model::kPso})
    EXPECT_EQ(smc_disagreement(program, model), "") << name(model);
}

TEST(SmcAgreementRegression, NoReadFromBeforeAnOwnBufferedWrite) {
  TinyProgram tiny({"x"});
  tiny.thread("P").store("x", 1).load("r", "x");
  tiny.thread("Q").store("x", 2);
  expect_agreement(tiny.program());
}

TEST(SmcAgreementRegression, DormantThreadsMayWaitForEver) {
  TinyProgram tiny({"x"});
  tiny.thread("P").store("x", 1);
  TinyThread waiting = tiny.thread("Q");
  waiting.add({.op = Opcode::kLoad,
               .waits = true,
               .result = waiting.reg("r"),
               .a = tiny.program().constant(0),
               .c = tiny.program().constant(1)});
  tiny.program().threads[1].dormant = true;
  expect_agreement(tiny.program());
}

TEST(SmcAgreementRegression, HaltInsideAnAtomicBlock) {
  TinyProgram tiny({"x"});
  tiny.thread("P").atomic_begin().store("x", 1).add({.op = Opcode::kHalt}).atomic_end();
  tiny.thread("Q").load("r", "x");
  expect_agreement(tiny.program());
}

// The witness: Q reads x before it is written.
TEST(SmcAgreementRegression, ReadOfUninitialisedMemory) {
  TinyProgram tiny({"y"});
  tiny.variable("x", kInt64, {kUninitialised});
  tiny.thread("P").store("x", 1).store("y", 1);
  tiny.thread("Q").store("y", 2).load("r", "x");
  expect_agreement(tiny.program());
}

// The witness ends with one of them.
TEST(SmcAgreementRegression, TwoThreadsFail) {
  TinyProgram tiny({"y"});
  tiny.variable("x", kInt64, {kUninitialised});
  tiny.thread("P").store("y", 1).load("r", "x");
  tiny.thread("Q").load("r", "y").store("x", 1).assert_equal("r", 0);
  expect_agreement(tiny.program());
}

}  // namespace
}  // namespace weir::test
