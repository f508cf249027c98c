// Fences for templates: one set of places for two, three, four or any number of copies, against brute force
// over all sets, with costs other than one; and fences for safety against all reachable states.
#include <gtest/gtest.h>

#include "check/replay.hpp"
#include "engine/robust/fences/fence.hpp"
#include "engine/robust/parameterized.hpp"
#include "program/fences.hpp"
#include "program/instances.hpp"
#include "selfcheck/agreement/fence_agreement.hpp"
#include "support/tiny_program.hpp"

namespace weir::test::template_fence_test {

using selfcheck::Genome;

FenceAnswer place(const Program& program, FenceOptions options) {
  options.cost = unit_costs(program);
  Context context;
  return place_fences(program, options, context);
}

// P delays x past y only if somebody else writes y and then reads x. With one copy of each it needs R, too.
Program chain() {
  TinyProgram tiny({"x", "y", "z"});
  tiny.thread("P").store("x", 1).load("r", "y");
  tiny.thread("Q").store("y", 1).fence().store("z", 1);
  tiny.thread("R").load("s", "z").assume_equal("s", 1).load("t", "x");
  return tiny.program();
}

// One thread alone is robust; two copies are not.
Program two_roles() {
  TinyProgram tiny({"x", "y"});
  TinyThread p = tiny.thread("P");
  const LocationId start = p.here();
  p.store("x", 1).load("r", "y");
  p.continue_at(start).store("y", 1).load("r", "x");
  return tiny.program();
}

TEST(FencesForTemplates, OneCopyNeedsNoneAndTwoNeedBoth) {
  const Program program = two_roles();
  EXPECT_TRUE(place(program, {}).fences.empty());
  EXPECT_TRUE(place(program, {.copies = 1}).fences.empty());
  for (const std::uint32_t copies : {2u, 3u, 4u}) {
    const FenceAnswer answer = place(program, {.copies = copies});
    ASSERT_EQ(answer.verdict, FenceVerdict::kFound);
    EXPECT_EQ(answer.fences.size(), 2u);
    ASSERT_EQ(answer.needs.size(), 2u);
    EXPECT_EQ(answer.needs[0].program.threads.size(), copies);
    EXPECT_TRUE(replay(answer.needs[0].program, answer.needs[0].witness).reproduced);
  }
}

TEST(FencesForTemplates, AnyNumberIsShownBySmallInstances) {
  const Program program = two_roles();
  const FenceAnswer answer = place(program, {.any_number = true});
  ASSERT_EQ(answer.verdict, FenceVerdict::kFound);
  EXPECT_EQ(answer.fences, place(program, {.copies = 2}).fences);
  ASSERT_EQ(answer.needs.size(), 2u);
  for (const FenceNeed& need : answer.needs) {
    EXPECT_EQ(need.program.threads.size(), 2u);
    EXPECT_TRUE(replay(need.program, need.witness).reproduced);
  }
  Context context;
  EXPECT_EQ(check_robust_any(with_fences(program, answer.fences), {}, context).verdict,
            RobustVerdict::kRobust);
}

TEST(FencesForTemplates, ThreeTemplates) {
  const Program program = chain();
  const FenceAnswer answer = place(program, {.any_number = true});
  ASSERT_EQ(answer.verdict, FenceVerdict::kFound);
  EXPECT_EQ(answer.fences, std::vector<LocationId>{program.edge(EdgeId(0)).target});
  EXPECT_EQ(answer.needs.at(0).program.threads.size(), 3u);
}

// What no fence stops is told of the instance in which it happens.
TEST(FencesForTemplates, ImpossibleWhereNoFenceIsAllowed) {
  const Program program = two_roles();
  FenceOptions options{.any_number = true};
  options.cost.assign(program.locations.size(), std::numeric_limits<double>::infinity());
  Context context;
  const FenceAnswer answer = place_fences(program, options, context);
  ASSERT_EQ(answer.verdict, FenceVerdict::kImpossible);
  ASSERT_TRUE(answer.witness.has_value());
  EXPECT_EQ(answer.instance.threads.size(), 2u);
  EXPECT_TRUE(replay(answer.instance, *answer.witness).reproduced);
}

// Each of the two roles is taken by one copy, so that no two are in the same role.
TEST(FencesForTemplates, SafetyOfInstances) {
  TinyProgram tiny({"x", "y", "first", "second"});
  TinyThread p = tiny.thread("P");
  const LocationId start = p.here();
  p.lock().load("c", "first").assume_equal("c", 0).store("first", 1).unlock();
  p.store("x", 1).load("r", "y").assume_equal("r", 0);
  const LocationId critical = p.here();
  p.continue_at(start).lock().load("c", "second").assume_equal("c", 0).store("second", 1).unlock();
  p.store("y", 1).load("r", "x").assume_equal("r", 0);
  const LocationId other = p.here();
  p.nop();
  Program program = tiny.program();
  program.properties.exclusive.push_back({{p.id(), critical}, {p.id(), other}});
  EXPECT_TRUE(place(program, {.purpose = FencePurpose::kSafety}).fences.empty());
  const FenceAnswer answer = place(program, {.purpose = FencePurpose::kSafety, .copies = 2});
  ASSERT_EQ(answer.verdict, FenceVerdict::kFound);
  EXPECT_EQ(answer.fences.size(), 2u);
}

// Two copies that are in the same role exclude each other under no model.
TEST(FencesForTemplates, SafetyOfInstancesThatAreUnsafeWithFencesToo) {
  TinyProgram tiny({"x"});
  TinyThread p = tiny.thread("P");
  p.store("x", 1).load("r", "x");
  const LocationId critical = p.here();
  p.nop();
  Program program = tiny.program();
  program.properties.exclusive.push_back({{p.id(), critical}});
  EXPECT_TRUE(place(program, {.purpose = FencePurpose::kSafety}).fences.empty());
  EXPECT_EQ(place(program, {.purpose = FencePurpose::kSafety, .copies = 2}).verdict, FenceVerdict::kImpossible);
}

constexpr std::size_t kTraceSteps = 6'000;

class FenceAgreement : public testing::TestWithParam<std::uint64_t> {};

TEST_P(FenceAgreement, ForCopies) {
  const std::uint64_t seed = GetParam();
  const Genome genome = selfcheck::template_for(seed);
  const Program program = build(genome);
  for (const std::uint32_t copies : {2u, 3u, 4u})
    ASSERT_EQ(selfcheck::copies_fence_disagreement(program, copies, seed, nullptr, kTraceSteps), "")
        << describe(genome);
  ASSERT_EQ(selfcheck::any_fence_disagreement(program, seed, nullptr, kTraceSteps), "") << describe(genome);
}

TEST_P(FenceAgreement, ForSafety) {
  const std::uint64_t seed = GetParam();
  for (const Model model : {Model::kTso, Model::kPso}) {
    const Genome genome = selfcheck::unsafe_program_for(seed, model);
    ASSERT_EQ(selfcheck::safety_fence_disagreement(build(genome), model, seed), "") << describe(genome);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, FenceAgreement, testing::Range<std::uint64_t>(2'000'000, 2'000'024));

// The comparison is about something: most of the programs need fences.
TEST(FenceAgreementPrograms, NeedFences) {
  selfcheck::FenceComparisons made;
  for (std::uint64_t seed = 2'000'000; seed < 2'000'012; ++seed) {
    selfcheck::any_fence_disagreement(build(selfcheck::template_for(seed)), seed, &made, kTraceSteps);
    selfcheck::safety_fence_disagreement(build(selfcheck::unsafe_program_for(seed, Model::kPso)), Model::kPso,
                                         seed, &made);
  }
  EXPECT_GE(made.with_fences, 10u);
}

}  // namespace weir::test::template_fence_test
