// What the literature says about its figures, and what the engine answers when it cannot know.
#include "engine/explicit/explicit.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include "check/replay.hpp"
#include "frontend/imp/imp.hpp"
#include "frontend/imp/invariant.hpp"
#include "frontend/trencher/trencher.hpp"
#include "support/tiny_program.hpp"

namespace weir::explicit_test {

using test::TinyProgram;
using test::TinyThread;

Program imp(std::string text) {
  auto program = parse_imp("test.imp", std::move(text));
  EXPECT_TRUE(program.ok());
  return std::move(*program);
}

Program example(const std::string& file) {
  std::ifstream in(std::string(WEIR_SOURCE_DIR) + "/examples/" + file);
  std::stringstream text;
  text << in.rdbuf();
  return imp(text.str());
}

Answer ask(const Program& program, const ExplicitOptions& options) {
  Context context;
  return check_explicit(program, options, context);
}

std::uint64_t states(const Answer& answer) {
  return std::get<std::uint64_t>(*answer.statistics.find("states"));
}

// [Calin16, Figure 2.8]: x = y = 1 is reachable, but not if assignments are atomic.
TEST(Figures, NonAtomicAssignments) {
  for (const Model model : {Model::kSc, Model::kTso, Model::kPso})
    for (const auto& [file, expected] : {std::pair{"figure_2_8.imp", Verdict::kUnsafe},
                                         std::pair{"figure_2_8_atomic.imp", Verdict::kSafe}}) {
      Program program = example(file);
      ASSERT_FALSE(add_invariant(program, "not (x = 1 and y = 1)").has_value());
      EXPECT_EQ(ask(program, {.model = model}).verdict, expected) << file << " " << name(model);
    }
}

// [Calin16, Figures 4.2 and 4.3]: 17 states, of which local-first drops the 4 inner ones.
TEST(Figures, LocalFirstDropsTheInnerStates) {
  TinyProgram tiny({"goal", "success"});
  Program& program = tiny.program();
  for (const char* thread : {"P", "Q"}) {
    TinyThread t = tiny.thread(thread);
    t.assign("r", program.binary(ExprOp::kSub, program.constant(1), t.value("r"))).assume_equal("r", 1);
    t.atomic_begin().fetch_add("s", "goal", 1).atomic_end();
    const LocationId sink = t.here();
    t.atomic_begin().load("s", "goal").assume_equal("s", 2).store("success", 1);
    t.jump_to(sink, {.op = Opcode::kAtomicEnd});
  }
  const ExplicitOptions none{.reduction = Reduction::kNone, .symmetry = false};
  const ExplicitOptions local_first{.reduction = Reduction::kLocalFirst, .symmetry = false};
  EXPECT_EQ(states(ask(program, none)), 17u);
  EXPECT_EQ(states(ask(program, local_first)), 13u);
}

// [Calin16, Figure 5.13]: on the Indexer, dynamic reduction wins by orders of magnitude.
TEST(Figures, DynamicReductionOnTheIndexer) {
  const Program program = example("indexer8.imp");
  const Answer dynamic = ask(program, {.reduction = Reduction::kDynamic});
  EXPECT_EQ(dynamic.verdict, Verdict::kSafe);
  EXPECT_LE(states(dynamic), 100u);
  EXPECT_EQ(ask(example("indexer15.imp"), {.reduction = Reduction::kDynamic}).verdict, Verdict::kSafe);
}

constexpr const char* kGrowing = R"(
program Growing
variables x = 0
process P begin while true do x := 1; x := 0 od end
process Q begin local r; r := x; assert r < 2 end
)";

TEST(Explicit, AnUnboundedBufferIsNotSafe) {
  const Program program = imp(kGrowing);
  EXPECT_EQ(ask(program, {.model = Model::kSc}).verdict, Verdict::kSafe);
  const Answer bounded = ask(program, {.model = Model::kTso, .buffer = 3});
  EXPECT_EQ(bounded.verdict, Verdict::kUnknown);
  ASSERT_EQ(bounded.bound.size(), 1u);
  EXPECT_EQ(bounded.bound[0], (std::pair<std::string, std::string>("buffer", "3")));
}

TEST(Explicit, LimitsEndWithUnknownAndWhatWasReached) {
  const Program program = imp(kGrowing);
  for (const Search search : {Search::kBreadthFirst, Search::kDepthFirst})
    for (const Reduction reduction : {Reduction::kNone, Reduction::kLocalFirst, Reduction::kPersistent,
                                      Reduction::kDynamic, Reduction::kCartesian}) {
      Context context({.timeout = std::chrono::milliseconds(200)}, {}, false);
      const Answer answer =
          check_explicit(program, {.model = Model::kTso, .search = search, .reduction = reduction}, context);
      EXPECT_EQ(answer.verdict, Verdict::kUnknown) << name(reduction);
      EXPECT_NE(answer.reason.find("time limit"), std::string::npos) << answer.reason;
    }
}

// Four stores have to wait in the buffer before the assertion can fail: breadth-first finds it all the same.
TEST(Explicit, ViolationsBehindGrowingBuffersAreFound) {
  const Program program = imp(R"(
program Far
variables a = b = c = d = y = 0
process P begin while true do a := 1; b := 1; c := 1; d := 1; if y = 1 then assert a = 0 fi od end
process Q begin if a = 0 and d = 0 then y := 1 fi end
)");
  const Answer answer = ask(program, {.model = Model::kTso});
  ASSERT_EQ(answer.verdict, Verdict::kUnsafe);
  EXPECT_TRUE(replay(program, *answer.witness).reproduced);
}

TEST(Explicit, EndlessLocalRunsAreUnknownWithAPosition) {
  const Program program =
      imp("program Counts\nvariables x = 0\nprocess P begin\n  local i := 0;\n"
          "  while i >= 0 do\n    i := i + 1\n  od;\n  x := i\nend\n");
  const Answer answer = ask(program, {.local_steps = 1000});
  EXPECT_EQ(answer.verdict, Verdict::kUnknown);
  ASSERT_EQ(answer.diagnostics.size(), 1u);
  EXPECT_GE(answer.diagnostics[0].position.line, 5u);
}

TEST(Explicit, EndlessAtomicBlocksAreUnknown) {
  const Program program =
      imp("program Counts\nvariables x = 0\nprocess P begin\n"
          "  atomic { while x >= 0 do x := x + 1 od }\nend\n");
  const Answer answer = ask(program, {.local_steps = 1000});
  EXPECT_EQ(answer.verdict, Verdict::kUnknown);
  ASSERT_EQ(answer.diagnostics.size(), 1u);
  EXPECT_EQ(answer.diagnostics[0].position.line, 4u);
}

// Three identical threads: far fewer states with symmetry, the same verdict.
// In a choice between a store and something that waits for the buffer to drain, taking the store first is not
// enough: after a flush the other way is open.
TEST(Explicit, AChoiceThatWaitsForTheBufferIsNotLost) {
  for (const bool fence : {true, false}) {
    TinyProgram tiny({"x", "y"});
    TinyThread p = tiny.thread("P");
    p.store("x", 1);
    const LocationId choice = p.here();
    p.store("y", 1);
    p.continue_at(choice);
    if (fence)
      p.fence();
    else
      p.exchange("r", "y", 1);
    p.assign("s", tiny.program().constant(1)).assert_equal("s", 0);
    TinyThread q = tiny.thread("Q");
    const LocationId start = q.here();
    q.load("r", "x").jump_to(start);
    for (const Reduction reduction : {Reduction::kNone, Reduction::kLocalFirst, Reduction::kPersistent,
                                      Reduction::kDynamic, Reduction::kCartesian})
      for (const Model model : {Model::kTso, Model::kPso})
        EXPECT_EQ(ask(tiny.program(), {.model = model, .reduction = reduction}).verdict, Verdict::kUnsafe)
            << name(reduction) << " " << name(model);
  }
}

TEST(Explicit, SymmetryOfIdenticalThreads) {
  const Program program = imp(R"(
program Symmetric
variables lock = 0
exclusive critical
process P[3] begin
  local got;
  while true do
    got := 1;
    while got do atomic { got := lock; lock := 1 } od;
    critical: skip;
    lock := 0
  od
end
)");
  const Answer with = ask(program, {});
  const Answer without = ask(program, {.symmetry = false});
  EXPECT_EQ(with.verdict, Verdict::kSafe);
  EXPECT_EQ(without.verdict, Verdict::kSafe);
  EXPECT_LT(states(with) * 2, states(without));
}

TEST(Explicit, FewestContextSwitches) {
  const Program program = example("simplified_dekker.imp");
  const Answer answer = ask(program, {.model = Model::kTso});
  ASSERT_TRUE(answer.witness.has_value());
  std::size_t switches = 0;
  for (std::size_t i = 1; i < answer.witness->steps.size(); ++i)
    switches += answer.witness->steps[i].thread != answer.witness->steps[i - 1].thread;
  EXPECT_EQ(switches, 1u);
}

}  // namespace weir::explicit_test
