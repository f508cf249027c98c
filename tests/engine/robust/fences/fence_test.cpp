// Costs of fences, fences for safety, and what no fence can do.
#include "engine/robust/fences/fence.hpp"

#include <gtest/gtest.h>

#include "engine/explicit/explicit.hpp"
#include "program/fences.hpp"
#include "support/tiny_program.hpp"

namespace weir::test::fence_test {

FenceAnswer place(const Program& program, FenceOptions options = {}) {
  if (options.cost.empty()) options.cost = unit_costs(program);
  Context context;
  return place_fences(program, options, context);
}

TEST(FenceCosts, EstimatesTenTimesAsMuchForEachLoopAround) {
  TinyProgram tiny({"x"});
  TinyThread thread = tiny.thread("P");
  const LocationId before = thread.here();
  thread.nop();
  const LocationId outer = thread.here();
  thread.store("x", 1);
  const LocationId inner = thread.here();
  thread.load("r", "x").jump_to(inner).jump_to(outer);
  const std::vector<double> cost = estimated_costs(tiny.program());
  EXPECT_NEAR(cost[before.index()], 1, 1e-3);
  EXPECT_NEAR(cost[outer.index()], 10, 1e-2);
  EXPECT_NEAR(cost[inner.index()], 100, 1e-1);
}

TEST(FencePlacement, StoreBufferingNeedsTwoBehindTheStores) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).load("r", "y");
  tiny.thread("Q").store("y", 1).load("s", "x");
  const FenceAnswer answer = place(tiny.program());
  ASSERT_EQ(answer.verdict, FenceVerdict::kFound);
  EXPECT_EQ(answer.fences, (std::vector<LocationId>{tiny.program().edge(EdgeId(0)).target,
                                                    tiny.program().edge(EdgeId(2)).target}));
  EXPECT_EQ(answer.cost, 2);
  EXPECT_EQ(answer.needs.size(), 2u);
}

// The loop is left once, so a fence behind it is passed less often than one inside.
TEST(FencePlacement, FrequencyMovesAFenceOutOfALoop) {
  TinyProgram tiny({"x", "y"});
  TinyThread p = tiny.thread("P");
  const LocationId loop = p.here();
  p.store("x", 1);
  p.jump_to(loop);
  const LocationId stored = p.here();
  p.nop();
  const LocationId behind = p.here();
  p.load("r", "y");
  tiny.thread("Q").store("y", 1).fence().load("s", "x");
  FenceOptions options;
  options.cost = estimated_costs(tiny.program());
  const FenceAnswer answer = place(tiny.program(), options);
  ASSERT_EQ(answer.verdict, FenceVerdict::kFound);
  EXPECT_EQ(answer.fences, std::vector<LocationId>{behind});
  EXPECT_GT(options.cost[stored.index()], options.cost[behind.index()]);
}

// Copies of one place in the source: the fences of both threads are one, and count as one.
TEST(Fences, AtOnePlaceAreOneFence) {
  TinyProgram tiny({"x", "y"});
  TinyThread p = tiny.thread("P").store("x", 1);
  const LocationId in_p = p.here();
  p.load("r", "y");
  TinyThread q = tiny.thread("Q").store("y", 1);
  const LocationId in_q = q.here();
  q.load("s", "x");
  FenceOptions options;
  EXPECT_EQ(place(tiny.program(), options).cost, 2);
  for (std::size_t l = 0; l < tiny.program().locations.size(); ++l) options.place.push_back(LocationId(l));
  options.place[in_q.index()] = in_p;
  const FenceAnswer answer = place(tiny.program(), options);
  ASSERT_EQ(answer.verdict, FenceVerdict::kFound);
  EXPECT_EQ(answer.fences, std::vector<LocationId>{in_p});
  EXPECT_EQ(answer.cost, 1);
  EXPECT_EQ(answer.needs.size(), 1u);
  EXPECT_EQ(all_at_places(options, answer.fences), (std::vector<LocationId>{in_p, in_q}));
}

// Not robust, but the assertion needs only one of the two fences.
Program one_sided() {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P")
      .store("x", 1)
      .load("r", "y")
      .load("r", "y")
      .assume_equal("r", 0)
      .load("t", "x")
      .assert_equal("t", 1);
  tiny.thread("Q").store("y", 1).load("s", "x");
  return tiny.program();
}

TEST(FencesForSafety, MayBeFewer) {
  const Program program = one_sided();
  EXPECT_EQ(place(program).fences.size(), 2u);
  FenceOptions options;
  options.purpose = FencePurpose::kSafety;
  EXPECT_EQ(place(program, options).fences.size(), 0u);
}

TEST(FencesForSafety, MakeTheProgramSafe) {
  TinyProgram tiny({"x", "y"});
  TinyThread p = tiny.thread("P").store("x", 1).load("r", "y").assume_equal("r", 0);
  TinyThread q = tiny.thread("Q").store("y", 1).load("s", "x").assume_equal("s", 0);
  Program program = tiny.program();
  program.properties.exclusive.push_back({{p.id(), p.here()}, {q.id(), q.here()}});
  FenceOptions options;
  options.purpose = FencePurpose::kSafety;
  for (const Model model : {Model::kTso, Model::kPso}) {
    options.model = model;
    const FenceAnswer answer = place(program, options);
    ASSERT_EQ(answer.verdict, FenceVerdict::kFound);
    EXPECT_EQ(answer.fences.size(), 2u);
    Context context;
    EXPECT_EQ(check_explicit(with_fences(program, answer.fences), {.model = model}, context).verdict,
              Verdict::kSafe);
  }
}

TEST(FencesForSafety, CannotRepairWhatIsWrongUnderSc) {
  TinyProgram tiny({"x"});
  tiny.thread("P").store("x", 1);
  tiny.thread("Q").load("r", "x").assert_equal("r", 1);
  FenceOptions options;
  options.purpose = FencePurpose::kSafety;
  const FenceAnswer answer = place(tiny.program(), options);
  EXPECT_EQ(answer.verdict, FenceVerdict::kImpossible);
  EXPECT_TRUE(answer.witness.has_value());
}

}  // namespace weir::test::fence_test
