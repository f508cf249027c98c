// Protects: a minimised witness is still valid and never worse.
#include "trace/minimise.hpp"

#include <algorithm>
#include <gtest/gtest.h>

#include "check/replay.hpp"
#include "trace/buffering.hpp"
#include "trace/store_buffering.hpp"

namespace weir::minimise_test {

using namespace weir::test;

TEST(Buffering, PairsStoresWithTheirFlushes) {
  const Buffering found = find_buffering(store_buffering(), both_enter());
  EXPECT_TRUE(found.buffered[0]);
  EXPECT_FALSE(found.buffered[2]);
  EXPECT_EQ(found.partner[0], 4u);
  EXPECT_EQ(found.partner[4], 0u);
  EXPECT_EQ(found.partner[1], 6u);
  Witness under_sc = both_enter();
  under_sc.model = Model::kSc;
  EXPECT_FALSE(find_buffering(store_buffering(), under_sc).buffered[0]);
}

TEST(Minimise, CountsContextSwitches) {
  EXPECT_EQ(context_switches(both_enter()), 6u);
  EXPECT_EQ(context_switches(Witness{}), 0u);
}

TEST(Minimise, StoreBufferingNeedsOneSwitchAndNoFlush) {
  const Program program = store_buffering();
  const Witness witness = both_enter();
  const auto valid = [&](const Witness& candidate) { return replay(program, candidate).reproduced; };
  ASSERT_TRUE(valid(witness)) << replay(program, witness).failure;
  const Witness result = minimise(program, witness, valid);
  EXPECT_TRUE(valid(result));
  EXPECT_EQ(context_switches(result), 1u);
  EXPECT_EQ(result.steps.size(), 6u);
}

TEST(Minimise, CutsWhatComesAfterTheViolation) {
  const Program program = store_buffering();
  Witness witness = both_enter();
  // After the bad state P0 goes on, which ends it; a later part that is bad again does not exist, so the
  // witness with the tail is not valid itself and must come back unchanged.
  witness.steps.push_back(instruction(0, 4));
  const auto valid = [&](const Witness& candidate) { return replay(program, candidate).reproduced; };
  EXPECT_FALSE(valid(witness));
  EXPECT_EQ(minimise(program, witness, valid).steps, witness.steps);
}

// A made-up notion of validity: thread 0's two steps, in order, anywhere.
TEST(Minimise, DropsEverythingThatDoesNotMatter) {
  const Program program = store_buffering();
  Witness witness{.model = Model::kSc};
  for (int i = 0; i < 50; ++i) {
    witness.steps.push_back(instruction(1, 6, 0, i));
    witness.steps.push_back(instruction(0, i % 2 == 0 ? 1 : 2, 0, i));
  }
  std::size_t tests = 0;
  const auto valid = [&](const Witness& candidate) {
    ++tests;
    const auto find = [&](Value value) {
      return std::find_if(candidate.steps.begin(), candidate.steps.end(), [&](const WitnessStep& step) {
        return step.thread == ThreadId(0) && step.value == value;
      });
    };
    return find(10) < find(30) && find(30) != candidate.steps.end();
  };
  const Witness result = minimise(program, witness, valid);
  EXPECT_EQ(result.steps.size(), 2u);
  EXPECT_LE(tests, 4001u);
}

TEST(Minimise, EffortIsBoundedForLongWitnesses) {
  const Program program = store_buffering();
  Witness witness{.model = Model::kSc};
  for (int i = 0; i < 100'000; ++i) witness.steps.push_back(instruction(i % 2, i % 2 == 0 ? 1 : 6));
  std::size_t tests = 0;
  const auto valid = [&](const Witness& candidate) {
    ++tests;
    return candidate.steps.size() == witness.steps.size();
  };
  static_cast<void>(minimise(program, witness, valid));
  EXPECT_LE(tests, 50u);
}

}  // namespace weir::minimise_test
