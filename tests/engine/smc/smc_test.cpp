// What the exploration says besides the number of executions: where it gives up, and estimates.
#include "engine/smc/smc.hpp"

#include <gtest/gtest.h>

#include "support/tiny_program.hpp"

namespace weir::test::smc_test {

SmcAnswer explore(const Program& program, Equivalence equivalence, bool only_estimate = false) {
  Context context;
  SmcOptions options;
  options.equivalence = equivalence;
  options.only_estimate = only_estimate;
  return explore_executions(program, options, context);
}

// Six writers of one variable and a reader.
Program writers_and_reader() {
  TinyProgram tiny({"x"});
  for (int i = 1; i <= 6; ++i) tiny.thread("W" + std::to_string(i)).store("x", i);
  tiny.thread("R").load("r", "x");
  return tiny.program();
}

TEST(Smc, TheThreeEquivalences) {
  const Program program = writers_and_reader();
  EXPECT_EQ(explore(program, Equivalence::kMazurkiewicz).traces, 5040u);  // 7!
  EXPECT_EQ(explore(program, Equivalence::kObservers).traces, 193u);      // 6 * 2^5 + 1
  EXPECT_EQ(explore(program, Equivalence::kReadsFrom).traces, 7u);
}

TEST(Smc, NamesOfEquivalences) {
  for (const Equivalence each :
       {Equivalence::kMazurkiewicz, Equivalence::kObservers, Equivalence::kReadsFrom})
    EXPECT_EQ(parse_equivalence(name(each)), each);
  EXPECT_EQ(parse_equivalence("nothing"), std::nullopt);
}

TEST(Smc, EstimatesWithoutVisiting) {
  TinyProgram tiny({"x", "y"});
  for (int i = 1; i <= 4; ++i)
    tiny.thread("P" + std::to_string(i)).store("x", i).load("r", "y").store_register("y", "r").load("s", "x");
  const auto count = static_cast<double>(explore(tiny.program(), Equivalence::kMazurkiewicz).traces);
  const SmcAnswer answer = explore(tiny.program(), Equivalence::kMazurkiewicz, true);
  ASSERT_TRUE(answer.estimate.has_value());
  EXPECT_EQ(answer.traces, 0u);
  EXPECT_GT(answer.estimate->mean, 0.5 * count);
  EXPECT_LT(answer.estimate->mean, 2 * count);
  EXPECT_LT(answer.estimate->low, answer.estimate->mean);
  EXPECT_LT(answer.estimate->mean, answer.estimate->high);
}

// A level of the tree with fewer branches than a sample keeps is counted exactly.
TEST(Smc, EstimateOfASmallTreeIsExact) {
  const SmcAnswer answer = explore(writers_and_reader(), Equivalence::kReadsFrom, true);
  ASSERT_TRUE(answer.estimate.has_value());
  EXPECT_EQ(answer.estimate->mean, 7);
  EXPECT_EQ(answer.estimate->low, answer.estimate->high);
}

TEST(Smc, GivesUpOnAThreadThatStopsBetweenLockAndUnlock) {
  TinyProgram tiny({"x"});
  tiny.thread("P").lock().store("x", 1);
  tiny.thread("Q").load("r", "x");
  const SmcAnswer answer = explore(tiny.program(), Equivalence::kReadsFrom);
  EXPECT_FALSE(answer.complete);
  EXPECT_NE(answer.reason.find("between lock and unlock"), std::string::npos) << answer.reason;
}

}  // namespace weir::test::smc_test
