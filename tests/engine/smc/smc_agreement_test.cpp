// Stateless model checking visits every execution of small programs exactly once: counts per model as by
// brute force. `smc_agreement` compares many more programs.
#include "selfcheck/agreement/smc_agreement.hpp"

#include <gtest/gtest.h>

#include "support/tiny_program.hpp"

namespace weir::test::smc_agreement_test {

using namespace selfcheck;

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

// Reads-from: what an update may read depends on what the one that it revisits reads.
TEST(SmcAgreementRegression, UpdateRevisitsAnUpdate) {
  TinyProgram tiny({"x"});
  for (const char* name : {"P", "Q"}) tiny.thread(name).store("x", 0).fetch_add("r", "x", 1);
  expect_agreement(tiny.program());
}

// Q reads y before P; meanwhile R can still change what Q reads from x.
TEST(SmcAgreementRegression, BlockInConflictHasAReadToRevisit) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").fetch_add("r", "y", 0);
  tiny.thread("Q").atomic_begin().fetch_add("r", "y", 0).exchange("r", "x", 0).atomic_end();
  tiny.thread("R").store("x", 0);
  expect_agreement(tiny.program());
}

// Reads-from: whether P waits for ever depends on an order that is not part of the execution.
TEST(SmcAgreementRegression, WaitsIfItsOwnWriteIsTheLast) {
  TinyProgram tiny({"x"});
  TinyThread waiting = tiny.thread("P");
  waiting.store("x", 1).add({.op = Opcode::kLoad,
                             .waits = true,
                             .result = waiting.reg("r"),
                             .a = tiny.program().constant(0),
                             .c = tiny.program().constant(1)});
  tiny.thread("Q").store("x", 0);
  tiny.thread("R").store("x", 1);
  expect_agreement(tiny.program());
}

// Reads-from: two places to wait, and what lets P pass the first one leaves it waiting at the second.
TEST(SmcAgreementRegression, WaitsAtOneOfTwoPlaces) {
  TinyProgram tiny({"x"});
  TinyThread waiting = tiny.thread("P");
  waiting.store("x", 1);
  for (const Value unwanted : {1, 0})
    waiting.add({.op = Opcode::kLoad,
                 .waits = true,
                 .result = waiting.reg("r"),
                 .a = tiny.program().constant(0),
                 .c = tiny.program().constant(unwanted)});
  tiny.thread("Q").store("x", 0);
  expect_agreement(tiny.program());
}

// Observers: a block that reads what it wrote observes it.
TEST(SmcAgreementRegression, BlockReadsItsOwnWrite) {
  TinyProgram tiny({"x"});
  tiny.thread("P").atomic_begin().store("x", 1).load("r", "x").atomic_end();
  tiny.thread("Q").store("x", 2);
  expect_agreement(tiny.program());
}

TEST(SmcAgreementRegression, LockSectionsAreOneStep) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").lock().load("r", "x").store("x", 1).store("y", 1).unlock().store("x", 2);
  tiny.thread("Q").lock().load("r", "x").store("x", 3).load("s", "y").unlock();
  tiny.thread("R").load("r", "x").load("s", "y");
  expect_agreement(tiny.program());
}

TEST(SmcAgreementRegression, UnlockWithoutLockWaitsForEver) {
  TinyProgram tiny({"x"});
  tiny.thread("P").unlock().store("x", 1);
  tiny.thread("Q").load("r", "x");
  expect_agreement(tiny.program());
}

}  // namespace weir::test::smc_agreement_test
