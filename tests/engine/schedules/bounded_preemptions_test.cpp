// The search with bounded preemptions on programs for which the number needed is known: what is a preemption
// and what is none, where the bound cuts, and that only a search that cut nothing says safe.
#include "engine/schedules/bounded_preemptions.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include "check/replay.hpp"
#include "frontend/imp/imp.hpp"
#include "selfcheck/brute_force/least_preemptions.hpp"
#include "support/text_program.hpp"

namespace weir::test::bounded_preemptions_test {

using namespace selfcheck;

Program imp(const std::string& text) {
  auto program = parse_imp("test.imp", text);
  if (!program) throw InternalError(render(program.error().diagnostics.at(0), program.error().sources));
  return std::move(*program);
}

Program example(const std::string& file) {
  std::ifstream in(std::filesystem::path(WEIR_SOURCE_DIR) / "examples" / file);
  std::stringstream text;
  text << in.rdbuf();
  return imp(text.str());
}

Answer check(const Program& program, Model model, std::uint64_t preemptions) {
  Context context;
  Answer answer = check_bounded_preemptions(program, {.model = model, .preemptions = preemptions}, context);
  if (answer.witness) {
    const ReplayResult replayed = replay(program, *answer.witness);
    EXPECT_TRUE(replayed.reproduced) << replayed.failure;
  }
  return answer;
}

std::uint64_t preemptions_of(const Answer& answer) {
  return std::get<std::uint64_t>(*answer.statistics.find("preemptions"));
}

// A violation needs exactly so many.
void expect_needs(const Program& program, Model model, std::uint64_t needed) {
  EXPECT_EQ(least_preemptions(program, model).needed, needed);
  const Answer answer = check(program, model, needed + 2);
  ASSERT_EQ(answer.verdict, Verdict::kUnsafe) << answer.reason;
  EXPECT_EQ(preemptions_of(answer), needed);
  EXPECT_EQ(preemptions_in(program, *answer.witness), needed);
  if (needed == 0) return;
  const Answer less = check(program, model, needed - 1);
  EXPECT_EQ(less.verdict, Verdict::kUnknown);
  const std::pair<std::string, std::string> bound{"preemptions", std::to_string(needed - 1)};
  EXPECT_EQ(less.bound, (std::vector{bound}));
}

constexpr const char* kStoreBuffering =
    "program sb variables x = 0, y = 0 exclusive P:done, Q:done\n"
    "process P begin x := 1; if y = 0 then done: skip fi end\n"
    "process Q begin y := 1; if x = 0 then done: skip fi end\n";

// Under TSO the buffers do it all, but each thread must stay at its label. Under SC nothing does.
TEST(BoundedPreemptions, StoreBuffering) {
  expect_needs(imp(kStoreBuffering), Model::kTso, 1);
  const Answer answer = check(imp(kStoreBuffering), Model::kSc, 10);
  EXPECT_EQ(answer.verdict, Verdict::kSafe) << answer.reason;
  EXPECT_LT(preemptions_of(answer), 10u);
}

TEST(BoundedPreemptions, StoreBufferingBetweenThreadsThatEnd) {
  TextProgram text("shared x\nshared y\n");
  text.thread("P", {"store x := 1", "r := load y", "assume r == 0"});
  text.thread("Q", {"store y := 1", "r := load x", "assume r == 0"});
  text.declare("goal P at at3").declare("goal Q at at3");
  expect_needs(text.program(), Model::kTso, 0);
  EXPECT_EQ(check(text.program(), Model::kSc, 10).verdict, Verdict::kSafe);
}

TEST(BoundedPreemptions, LostUpdate) {
  TextProgram text("shared x\nshared p_done\nshared q_done\n");
  text.thread("P", {"r := load x", "store x := r + 1", "store p_done := 1"});
  text.thread("Q", {"r := load x", "store x := r + 1", "store q_done := 1"});
  text.thread("R", {"r := load p_done wait 0", "r := load q_done wait 0", "s := load x", "assert s == 2"});
  expect_needs(text.program(), Model::kSc, 1);
}

TEST(BoundedPreemptions, ThereAndBackAgain) {
  TextProgram text("shared x\n");
  text.thread("P", {"store x := 1", "store x := 0"});
  text.thread("Q", {"r := load x", "s := load x", "assert r == 0 || s == 1"});
  expect_needs(text.program(), Model::kSc, 2);
}

// Two threads that hand over to each other: one waits or polls, and may be left for free.

TEST(BoundedPreemptions, WhoWaitsIsLeftForFree) {
  TextProgram text("shared x\nshared y\n");
  text.thread("P", {"store y := 1", "r := load x wait 0", "r := load y", "assert r == 1"});
  text.thread("Q", {"r := load y wait 0", "store y := 2", "store x := 1"});
  expect_needs(text.program(), Model::kSc, 0);
  expect_needs(text.program(), Model::kTso, 0);
}

TEST(BoundedPreemptions, WhoPollsIsLeftForFree) {
  const Program program =
      imp("program p variables x = 0, y = 0, z = 0\n"
          "process P begin y := 1; while x = 0 and z = 0 do skip od; assert y = 1 end\n"
          "process Q begin while y = 0 do skip od; y := 2; x := 1 end\n");
  expect_needs(program, Model::kSc, 0);
  expect_needs(program, Model::kTso, 0);
}

// A loop that does something is no polling.
TEST(BoundedPreemptions, WhoCountsIsNotLeftForFree) {
  const Program program =
      imp("program p variables x = 0, y = 0, z = 0\n"
          "process P begin y := 1; while x = 0 do z := 1 - z od; assert y = 1 end\n"
          "process Q begin while y = 0 do skip od; y := 2; x := 1 end\n");
  expect_needs(program, Model::kSc, 1);
}

// A fence waits only for the own buffer: that is no reason to stop.
TEST(BoundedPreemptions, WhoDrainsItsBufferGoesOn) {
  TextProgram text("shared x\nshared y\n");
  text.thread("P", {"store x := 1", "fence full", "store x := 2", "fence full", "store y := 1"});
  text.thread("Q", {"r := load x", "s := load y", "assert r != 1 || s != 0"});
  expect_needs(text.program(), Model::kTso, 1);
}

// Buffers that grow for ever keep no level from ending.
TEST(BoundedPreemptions, Examples) {
  for (const char* file : {"peterson.imp", "dekker.imp", "simplified_dekker.imp", "lamport3.imp"}) {
    EXPECT_EQ(check(example(file), Model::kTso, 3).verdict, Verdict::kUnsafe) << file;
    EXPECT_NE(check(example(file), Model::kSc, 2).verdict, Verdict::kUnsafe) << file;
  }
  EXPECT_EQ(check(example("peterson.imp"), Model::kSc, 100).verdict, Verdict::kSafe);
}

TEST(BoundedPreemptions, GivenBufferBoundIsTold) {
  Context context;
  const PreemptionOptions options{.model = Model::kTso, .preemptions = 100, .buffer = 3};
  const Program program = imp("program p variables x = 0 process P begin while true do x := 1 od end");
  const Answer answer = check_bounded_preemptions(program, options, context);
  EXPECT_EQ(answer.verdict, Verdict::kUnknown);
  EXPECT_NE(answer.reason.find("3 stores in a buffer"), std::string::npos) << answer.reason;
}

// Threads with the same code: the witness names those that really moved, in the roles they had.
TEST(BoundedPreemptions, InterchangeableThreads) {
  const Program program = imp(
      "program lock variables taken = 0, count = 0 exclusive cs\n"
      "process P[5] begin while taken = 1 do skip od; taken := 1; cs: count := count + 1; taken := 0 end\n");
  Context context;
  const Answer alike = check_bounded_preemptions(program, {.preemptions = 4}, context);
  const Answer apart = check_bounded_preemptions(program, {.preemptions = 4, .symmetry = false}, context);
  ASSERT_EQ(alike.verdict, Verdict::kUnsafe);
  EXPECT_TRUE(replay(program, *alike.witness).reproduced);
  EXPECT_EQ(preemptions_of(alike), preemptions_of(apart));
  EXPECT_EQ(preemptions_in(program, *alike.witness), preemptions_of(alike));
  EXPECT_LT(std::get<std::uint64_t>(*alike.statistics.find("states")),
            std::get<std::uint64_t>(*apart.statistics.find("states")));
}

TEST(BoundedPreemptions, StopsWhenAsked) {
  Context context;
  context.request_stop(StopReason::kTimeout);
  const Answer answer = check_bounded_preemptions(imp(kStoreBuffering), {}, context);
  EXPECT_EQ(answer.verdict, Verdict::kUnknown);
  EXPECT_NE(answer.reason.find("time limit"), std::string::npos) << answer.reason;
}

}  // namespace weir::test::bounded_preemptions_test
