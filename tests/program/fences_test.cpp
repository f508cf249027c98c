// A fence at a location stands before everything that leaves it, and changes nothing else.
#include "program/fences.hpp"

#include <gtest/gtest.h>

#include "program/text/text.hpp"
#include "program/validate.hpp"
#include "support/tiny_program.hpp"

namespace weir::fences_test {

using test::outcomes;
using test::TinyProgram;
using test::TinyThread;

using Outcomes = std::set<std::vector<Value>>;

// Store buffering, and where each thread is between its two accesses.
struct StoreBuffering {
  TinyProgram tiny{{"x", "y"}};
  LocationId start, p_between, q_between, p_end;

  StoreBuffering() {
    TinyThread p = tiny.thread("P"), q = tiny.thread("Q");
    start = p.here();
    p.store("x", 1);
    q.store("y", 1);
    p_between = p.here();
    q_between = q.here();
    p.load("r", "y");
    q.load("s", "x");
    p_end = p.here();
  }

  Outcomes with(const std::vector<LocationId>& fences) {
    const Program fenced = with_fences(tiny.program(), fences);
    EXPECT_TRUE(validate(fenced).empty());
    return outcomes(fenced, Model::kTso, {"P.r", "Q.s"});
  }
};

TEST(Fences, MakeStoreBufferingSequential) {
  StoreBuffering sb;
  const std::vector<Value> both_old{0, 0};
  EXPECT_TRUE(sb.with({}).contains(both_old));
  EXPECT_TRUE(sb.with({sb.p_between}).contains(both_old));
  EXPECT_FALSE(sb.with({sb.p_between, sb.q_between}).contains(both_old));
  EXPECT_EQ(sb.with({sb.p_between, sb.q_between}), outcomes(sb.tiny.program(), Model::kSc, {"P.r", "Q.s"}));
}

TEST(Fences, MatterOnlyBetweenStoreAndLoad) {
  StoreBuffering sb;
  EXPECT_EQ(sb.with({sb.start, sb.q_between}), sb.with({sb.q_between}));
}

TEST(Fences, DoNothingWhereNothingLeaves) {
  StoreBuffering sb;
  const Program fenced = with_fences(sb.tiny.program(), std::vector{sb.p_end});
  EXPECT_EQ(print(fenced), print(sb.tiny.program()));
}

TEST(Fences, AskedForTwiceComeOnce) {
  StoreBuffering sb;
  EXPECT_EQ(print(with_fences(sb.tiny.program(), std::vector{sb.p_between, sb.p_between})),
            print(with_fences(sb.tiny.program(), std::vector{sb.p_between})));
}

TEST(Fences, KeepLocationsAndEdges) {
  StoreBuffering sb;
  const Program& before = sb.tiny.program();
  const Program after = with_fences(before, std::vector{sb.p_between, sb.start});
  ASSERT_EQ(after.locations.size(), before.locations.size() + 2);
  ASSERT_EQ(after.edges.size(), before.edges.size() + 2);
  for (std::size_t e = 0; e < before.edges.size(); ++e) {
    EXPECT_EQ(after.edges[e].target, before.edges[e].target);
    EXPECT_EQ(after.edges[e].instruction.op, before.edges[e].instruction.op);
  }
  const Location& fenced = after.location(sb.p_between);
  ASSERT_EQ(fenced.edges.size(), 1U);
  EXPECT_EQ(after.edge(fenced.edges[0]).instruction.op, Opcode::kFence);
  EXPECT_EQ(after.edge(fenced.edges[0]).instruction.fence, FenceKind::kFull);
  EXPECT_EQ(after.functions[0].entry, before.functions[0].entry);
}

TEST(Fences, StandBeforeEveryEdge) {
  TinyProgram tiny({"x", "y"});
  TinyThread p = tiny.thread("P"), q = tiny.thread("Q");
  p.store("x", 1);
  const LocationId choice = p.here();
  p.load("r", "y");
  const LocationId end = p.here();
  p.continue_at(choice).choose("c", 0, 1).load("r", "y").jump_to(end);
  q.store("y", 1).fence().load("s", "x");
  const std::vector<Value> both_old{0, 0};
  EXPECT_TRUE(outcomes(tiny.program(), Model::kTso, {"P.r", "Q.s"}).contains(both_old));
  const Program fenced = with_fences(tiny.program(), std::vector{choice});
  EXPECT_FALSE(outcomes(fenced, Model::kTso, {"P.r", "Q.s"}).contains(both_old));
}

TEST(Fences, KeepReturnsWellFormed) {
  TinyProgram tiny({"x", "y"});
  TinyThread set = tiny.function("set", {});
  set.store("x", 1);
  const LocationId leaving = set.here();
  set.leave();
  TinyThread p = tiny.thread("P"), q = tiny.thread("Q");
  p.add({.op = Opcode::kCall, .callee = set.function()}).load("r", "y");
  q.store("y", 1).fence().load("s", "x");
  const Program fenced = with_fences(tiny.program(), std::vector{leaving});
  EXPECT_TRUE(validate(fenced).empty());
  EXPECT_FALSE(outcomes(fenced, Model::kTso, {"P.r", "Q.s"}).contains({0, 0}));
  const auto parsed = parse_program_text("fenced.weir", print(fenced));
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(print(parsed.value()), print(fenced));
}

TEST(Fences, LeavePropertiesWhereTheyWere) {
  StoreBuffering sb;
  Program& program = sb.tiny.program();
  program.properties.goals = {{{ThreadId(0), sb.p_between}}};
  const Program fenced = with_fences(program, std::vector{sb.p_between});
  EXPECT_EQ(fenced.properties.goals, program.properties.goals);
  EXPECT_EQ(fenced.location(sb.p_between).label, program.location(sb.p_between).label);
}

}  // namespace weir::fences_test
