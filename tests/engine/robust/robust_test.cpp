// The attacks of small programs, one by one: which exist, which control flow rules out, which are feasible.
#include "engine/robust/robust.hpp"

#include <gtest/gtest.h>

#include "check/replay.hpp"
#include "selfcheck/agreement/fence_agreement.hpp"
#include "selfcheck/agreement/robust_agreement.hpp"
#include "support/tiny_program.hpp"

namespace weir::test::robust_test {

using namespace selfcheck;

RobustAnswer check(const Program& program, RobustOptions options = {.all = true}) {
  Context context;
  RobustAnswer answer = check_robust(program, options, context);
  for (const AttackResult& result : answer.attacks)
    if (result.witness) {
      const ReplayResult replayed = replay(program, *result.witness);
      EXPECT_TRUE(replayed.reproduced) << replayed.failure;
    }
  return answer;
}

TinyProgram store_buffering() {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).load("r", "y");
  tiny.thread("Q").store("y", 1).load("s", "x");
  return tiny;
}

TEST(Attacks, StoreBufferingHasTwo) {
  const RobustAnswer answer = check(store_buffering().program());
  EXPECT_EQ(answer.verdict, RobustVerdict::kNotRobust);
  EXPECT_EQ(answer.attacks.size(), 2u);
  EXPECT_EQ(answer.count(AttackVerdict::kFeasible), 2u);
}

TEST(Attacks, TheFirstOneAnswersTheQuestion) {
  const RobustAnswer answer = check(store_buffering().program(), {});
  EXPECT_EQ(answer.verdict, RobustVerdict::kNotRobust);
  EXPECT_EQ(answer.count(AttackVerdict::kFeasible), 1u);
  EXPECT_EQ(answer.count(AttackVerdict::kUndecided), 1u);
}

// The form of Figure 4 of the paper: only the attacker delays, and its stores are flushed at the very end.
TEST(Attacks, WitnessHasTheFormOfTheTheorem) {
  const RobustAnswer answer = check(store_buffering().program(), {});
  for (const AttackResult& result : answer.attacks) {
    if (!result.witness) continue;
    const std::vector<WitnessStep>& steps = result.witness->steps;
    ASSERT_EQ(steps.size(), 6u);
    EXPECT_EQ(steps[0].edge, result.attack.store);
    EXPECT_EQ(steps[1].edge, result.attack.load);
    EXPECT_EQ(steps[3].kind, WitnessStep::Kind::kFlush);
    EXPECT_NE(steps[3].thread, result.attack.thread);
    EXPECT_EQ(steps[5].kind, WitnessStep::Kind::kFlush);
    EXPECT_EQ(steps[5].thread, result.attack.thread);
    EXPECT_EQ(result.path, (std::vector<EdgeId>{result.attack.store, result.attack.load}));
  }
}

TEST(Attacks, FencesAndLockedInstructionsPrune) {
  TinyProgram tiny({"x", "y", "z"});
  tiny.thread("Fenced").store("x", 1).fence().load("r", "y");
  tiny.thread("Swapping").store("y", 1).exchange("q", "z", 1).load("s", "x");
  tiny.thread("Sequential").store("y", 1, Order::kSequential).load("s", "x");
  const RobustAnswer answer = check(tiny.program());
  EXPECT_EQ(answer.verdict, RobustVerdict::kRobust);
  EXPECT_EQ(answer.count(AttackVerdict::kPruned), 3u);
  EXPECT_EQ(std::get<std::uint64_t>(*answer.statistics.find("states")), 0u);
}

TEST(Attacks, AStoreFenceDoesNotHelp) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).store_fence().load("r", "y");
  tiny.thread("Q").store("y", 1).store_fence().load("s", "x");
  EXPECT_EQ(check(tiny.program()).verdict, RobustVerdict::kNotRobust);
}

TEST(Attacks, MessagePassingIsRobust) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).store("y", 1);
  tiny.thread("Q").load("r", "y").load("s", "x");
  EXPECT_EQ(check(tiny.program()).verdict, RobustVerdict::kRobust);
}

// Both reading 0 is impossible under SC only because nothing comes between the two accesses of Q.
TEST(Attacks, ASectionIsOneEvent) {
  for (const bool block : {false, true}) {
    TinyProgram tiny({"x", "y"});
    tiny.thread("P").store("x", 1).load("r", "y");
    TinyThread q = tiny.thread("Q");
    if (block) {
      q.atomic_begin().load("a", "x").store("y", 1).atomic_end();
    } else {
      q.lock().load("a", "x").store("y", 1).unlock();
    }
    EXPECT_EQ(check(tiny.program()).verdict, RobustVerdict::kNotRobust);
  }
  TinyProgram apart({"x", "y"});
  apart.thread("P").store("x", 1).load("r", "y");
  apart.thread("Q").load("a", "x").store("y", 1);
  EXPECT_EQ(check(apart.program()).verdict, RobustVerdict::kRobust);
}

TEST(Attacks, ASectionDoesNotJoinByItsOwnAccesses) {
  TinyProgram tiny({"x", "y", "z"});
  tiny.thread("P").store("x", 1).load("r", "y");
  tiny.thread("Q").lock().store("z", 1).load("a", "z").load("b", "x").unlock();
  EXPECT_EQ(check(tiny.program()).verdict, RobustVerdict::kRobust);
}

TEST(Attacks, InterchangeableThreadsAreOneAttacker) {
  Genome genome;
  genome.initial = {0, 0};
  ThreadGenes genes;
  genes.code.push_back({.op = GeneOp::kEither, .distance = 1});
  genes.code.push_back({.op = GeneOp::kStore, .variable = 0, .value = 1});
  genes.code.push_back({.op = GeneOp::kLoad, .variable = 1});
  genes.code.push_back({.op = GeneOp::kStore, .variable = 1, .value = 1});
  genes.code.push_back({.op = GeneOp::kLoad, .variable = 0});
  genome.threads = {genes, genes, genes};
  const RobustAnswer answer = check(build(genome));
  for (const AttackResult& result : answer.attacks) EXPECT_EQ(result.attack.thread, ThreadId(0));
  EXPECT_EQ(robust_disagreement(build(genome)), "");
}

TEST(Attacks, FencesOfTheOptionsCountAsFences) {
  const Program program = store_buffering().program();
  const LocationId behind_store = program.edge(EdgeId(0)).target;
  const RobustAnswer answer = check(program, {.all = true, .fences = {behind_store}});
  EXPECT_EQ(answer.attacks[0].verdict, AttackVerdict::kPruned);
  EXPECT_EQ(answer.attacks[1].verdict, AttackVerdict::kFeasible);
}

// A counter without bound: the search ends, names the variable, and says what to do.
TEST(Limits, GrowingValuesAreNamed) {
  TinyProgram tiny({"next", "owner"});
  for (const char* name : {"P", "Q"}) {
    TinyThread thread = tiny.thread(name);
    const LocationId start = thread.here();
    thread.fetch_add("mine", "next", 1).store("owner", 1).load("now", "owner").jump_to(start);
  }
  const RobustAnswer answer = check(tiny.program(), {.all = true, .values = {.most_values = 50}});
  EXPECT_EQ(answer.verdict, RobustVerdict::kUnknown);
  EXPECT_NE(answer.reason.find("next"), std::string::npos) << answer.reason;
  ASSERT_EQ(answer.diagnostics.size(), 1u);
  EXPECT_NE(answer.diagnostics[0].hint.find("--range next="), std::string::npos);
}

TEST(Limits, ALoopOfFencesOnlyEnds) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).load("r", "y");
  TinyThread q = tiny.thread("Q").store("y", 1).load("s", "x");
  q.jump_to(q.here(), {.op = Opcode::kFence});
  EXPECT_EQ(check(tiny.program()).verdict, RobustVerdict::kNotRobust);
}

// What a search does not follow proves nothing.
TEST(Limits, AccessesToSeveralCellsAreNotFollowed) {
  for (const RobustnessNotion notion : {RobustnessNotion::kTraces, RobustnessNotion::kTriangular}) {
    const RobustAnswer answer = check(buffering_of_two_bytes().program(), {.notion = notion});
    EXPECT_EQ(answer.verdict, RobustVerdict::kUnknown);
    EXPECT_NE(answer.reason.find("several at once"), std::string::npos) << answer.reason;
    EXPECT_EQ(answer.diagnostics.size(), 1u);
  }
}

class RobustAgreement : public testing::TestWithParam<std::uint64_t> {};

TEST_P(RobustAgreement, WithBruteForce) {
  constexpr std::uint64_t kPrograms = 20;
  for (std::uint64_t seed = GetParam(); seed < GetParam() + kPrograms; ++seed) {
    const Genome genome = random_genome(seed, robust_shape_for(seed));
    ASSERT_EQ(robust_disagreement(build(genome)), "") << "seed " << seed << "\n" << describe(genome);
    if (seed % 5 == 0) {
      ASSERT_EQ(fence_disagreement(build(genome)), "") << "seed " << seed << "\n" << describe(genome);
    }
    const Genome with_properties = random_genome(seed, lazy_shape_for(seed));
    ASSERT_EQ(lazy_disagreement(build(with_properties)), "") << "seed " << seed << "\n"
                                                             << describe(with_properties);
  }
}

// The block cannot be executed once y is 1, so under SC it never follows P's load; under TSO it does.
TEST(TriangularRaces, ProveNothingWhereABlockDependsOnWhatItReads) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("y", 1).load("r", "x");
  tiny.thread("Q").atomic_begin().load("r", "y").assume_equal("r", 0).store("x", 5).atomic_end();
  const RobustOptions triangular{.notion = RobustnessNotion::kTriangular, .all = true};
  EXPECT_EQ(check(tiny.program()).verdict, RobustVerdict::kNotRobust);
  EXPECT_EQ(check(tiny.program(), triangular).verdict, RobustVerdict::kUnknown);
  TinyProgram always({"x", "y"});
  always.thread("P").store("y", 1);
  always.thread("Q").atomic_begin().load("r", "y").store("x", 5).atomic_end();
  EXPECT_EQ(check(always.program(), triangular).verdict, RobustVerdict::kRobust);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RobustAgreement, testing::Range<std::uint64_t>(1'000'000, 1'000'200, 20));

// Seeds on which the engine was once wrong.
TEST(RobustAgreementRegression, OldMistakes) {
  for (const std::uint64_t seed : {13u, 500061u})
    EXPECT_EQ(robust_disagreement(build(random_genome(seed, robust_shape_for(seed)))), "") << "seed " << seed;
}

}  // namespace weir::test::robust_test
