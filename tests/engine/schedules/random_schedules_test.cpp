// Random schedules: same seed, same answer; all kinds of violations are looked for; threads that poll let
// others run, and schedules without an end are cut.
#include "engine/schedules/random_schedules.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include "check/replay.hpp"
#include "frontend/imp/imp.hpp"
#include "support/text_program.hpp"

namespace weir::test::random_schedules_test {

Program imp(const std::string& text) {
  auto program = parse_imp("test.imp", text);
  if (!program) throw InternalError(render(program.error().diagnostics.at(0), program.error().sources));
  return std::move(*program);
}

Answer check(const Program& program, const RandomOptions& options) {
  Context context;
  Answer answer = check_random_schedules(program, options, context);
  if (answer.witness) {
    const ReplayResult replayed = replay(program, *answer.witness);
    EXPECT_TRUE(replayed.reproduced) << replayed.failure;
  }
  return answer;
}

std::uint64_t figure(const Answer& answer, const char* name) {
  return std::get<std::uint64_t>(*answer.statistics.find(name));
}

// What a program violates in some schedule.
std::optional<ViolationKind> violation(const Program& program, Model model = Model::kSc) {
  const Answer answer = check(program, {.model = model, .schedules = 300});
  if (!answer.witness) return std::nullopt;
  return answer.witness->violation.kind;
}

constexpr const char* kStoreBuffering =
    "program sb variables x = 0, y = 0 exclusive P:done, Q:done\n"
    "process P begin x := 1; if y = 0 then done: skip fi end\n"
    "process Q begin y := 1; if x = 0 then done: skip fi end\n";

TEST(RandomSchedules, FindWhatBuffersDo) {
  const Program program = imp(kStoreBuffering);
  EXPECT_EQ(violation(program, Model::kSc), std::nullopt);
  EXPECT_EQ(violation(program, Model::kTso), ViolationKind::kForbidden);
  EXPECT_EQ(violation(program, Model::kPso), ViolationKind::kForbidden);
}

TEST(RandomSchedules, NothingFoundIsUnknownAndSaysHowMuchWasTried) {
  const Answer answer = check(imp(kStoreBuffering), {.schedules = 50, .seed = 7});
  EXPECT_EQ(answer.verdict, Verdict::kUnknown);
  EXPECT_EQ(answer.reason, "no violation in 50 random schedules (seed 7)");
  const std::pair<std::string, std::string> bound{"schedules", "50"};
  EXPECT_EQ(answer.bound, (std::vector{bound}));
  EXPECT_EQ(figure(answer, "schedules"), 50u);
  EXPECT_EQ(figure(answer, "schedules_cut"), 0u);
  EXPECT_EQ(figure(answer, "end_states"), 1u);  // nobody reads the registers any more
}

TEST(RandomSchedules, AnswerDependsOnTheSeedAlone) {
  const Program program = imp(kStoreBuffering);
  const Answer one = check(program, {.model = Model::kTso, .seed = 1, .minimise_effort = 0});
  const Answer same = check(program, {.model = Model::kTso, .seed = 1, .minimise_effort = 0});
  ASSERT_TRUE(one.witness && same.witness);
  EXPECT_EQ(one.reason, same.reason);
  EXPECT_EQ(one.witness->steps, same.witness->steps);
  EXPECT_EQ(figure(one, "steps"), figure(same, "steps"));
  bool differs = false;
  for (std::uint64_t seed = 2; seed < 10; ++seed)
    differs |= check(program, {.model = Model::kTso, .seed = seed}).reason != one.reason;
  EXPECT_TRUE(differs);
}

TEST(RandomSchedules, LookForEverything) {
  TextProgram goal("shared x\n");
  goal.thread("P", {"r := load x wait 0", "nop"}).thread("Q", {"store x := 1"});
  EXPECT_EQ(violation(goal.declare("goal P at at1").program()), ViolationKind::kGoal);

  TextProgram invariant("shared x\n");
  invariant.thread("P", {"store x := 1", "store x := 0"});
  EXPECT_EQ(violation(invariant.declare("invariant x == 0").program()), ViolationKind::kUnsafe);

  TextProgram deadlock("shared x\nshared y\n");
  deadlock.thread("P",
                  {"r := rmw exchange x, 1", "assume r == 0", "r := rmw exchange y, 1", "assume r == 0"});
  deadlock.thread("Q",
                  {"r := rmw exchange y, 1", "assume r == 0", "r := rmw exchange x, 1", "assume r == 0"});
  EXPECT_EQ(violation(deadlock.declare("deadlock").program()), ViolationKind::kDeadlock);

  TextProgram race("shared x\n");
  race.thread("P", {"store plain x := 1"}).thread("Q", {"r := load plain x"});
  EXPECT_EQ(violation(race.declare("races").program()), ViolationKind::kRace);

  TextProgram memory;
  memory.thread("P", {"p := allocate heap 8", "free heap p", "r := load [p]"});
  EXPECT_EQ(violation(memory.program()), ViolationKind::kMemory);

  TextProgram leak;
  leak.thread("P", {"p := allocate heap 8"});
  EXPECT_EQ(violation(leak.declare("leaks").program()), ViolationKind::kMemory);

  TextProgram choice;
  choice.thread("P", {"r := choose 0 .. 40", "assert r != 33"});
  EXPECT_EQ(violation(choice.program()), ViolationKind::kAssertion);
}

// Both are what the initial state shows already.
TEST(RandomSchedules, InitialStateCounts) {
  TextProgram text("shared x\ninvariant x == 1\n");
  EXPECT_EQ(violation(text.thread("P", {"nop"}).program()), ViolationKind::kUnsafe);
}

// The turn goes round: whoever polls must let the others run, whatever the priorities.
TEST(RandomSchedules, WhoPollsLetsOthersRun) {
  const Program program =
      imp("program p variables turn = 0, other = 0\n"
          "process P[4] begin\n"
          "  while turn != me or other = 1 do skip od; turn := turn + 1; if me = 3 then assert false fi\n"
          "end\n");
  const Answer answer = check(program, {.schedules = 1});
  EXPECT_EQ(answer.verdict, Verdict::kUnsafe) << answer.reason;
  EXPECT_LT(figure(answer, "steps"), 1000u);
}

TEST(RandomSchedules, ScheduleEndsWhereAllPoll) {
  const Program program =
      imp("program p variables x = 0, y = 0 process P[3] begin while x = 0 and y = 0 do skip od end\n");
  const Answer answer = check(program, {.schedules = 100});
  EXPECT_EQ(figure(answer, "schedules_polling"), 100u);
  EXPECT_EQ(figure(answer, "schedules_cut"), 0u);
  EXPECT_LT(figure(answer, "steps"), 100u * 100u);
}

TEST(RandomSchedules, EndlessSchedulesAreCut) {
  const Program program =
      imp("program p variables x = 0 process P[2] begin while true do x := 1 - x od end\n");
  for (const Model model : {Model::kSc, Model::kTso, Model::kPso}) {
    const Answer answer = check(program, {.model = model, .schedules = 20, .most_steps = 500});
    EXPECT_EQ(figure(answer, "schedules_cut"), 20u);
    EXPECT_EQ(figure(answer, "steps"), 20u * 500u);
    EXPECT_NE(answer.reason.find("20 of which were cut after 500 steps"), std::string::npos) << answer.reason;
  }
}

// A loop without an end that is no polling keeps nobody from running for ever.
TEST(RandomSchedules, WhoCountsLetsOthersRun) {
  const Program program =
      imp("program p variables x = 0\n"
          "process P begin local i := 0; while x = 0 do i := i + 1 od; assert false end\n"
          "process Q begin x := 1 end\n");
  EXPECT_EQ(check(program, {.schedules = 10}).verdict, Verdict::kUnsafe);
}

// A thread that has a choice between going round and going on does not poll.
TEST(RandomSchedules, WhoMayChooseDoesNotPoll) {
  TextProgram text;
  text.declare(
      "function f()\n  register r\n  a:\n    r := choose 0 .. 40 -> b\n  b:\n    assume r != 33 -> a\n"
      "    assume r == 33 -> c\n  c:\n    assert 0 -> d\n  d:\nend\nthread P = f()");
  EXPECT_EQ(check(text.program(), {.schedules = 1}).verdict, Verdict::kUnsafe);
}

// Eight threads, no two of them alike: a hundred million million states, one in a few schedules is wrong.
TEST(RandomSchedules, LargeProgram) {
  const Program program =
      imp("program lock variables taken = 0, count = 0, done[8] = 0\n"
          "process P[8] begin\n"
          "  local i := 0;\n"
          "  while i < 4 do\n"
          "    while taken = 1 do skip od; taken := 1; count := count + 1; taken := 0; i := i + 1\n"
          "  od;\n"
          "  done[me] := 1\n"
          "end\n"
          "process Check begin\n"
          "  local i := 0;\n"
          "  while i < 8 do while done[i] = 0 do skip od; i := i + 1 od;\n"
          "  assert count = 32\n"
          "end\n");
  const Answer answer = check(program, {.schedules = 100, .minimise_effort = 0});
  EXPECT_EQ(answer.verdict, Verdict::kUnsafe) << answer.reason;
}

TEST(RandomSchedules, StopsWhenAsked) {
  Context context;
  context.request_stop(StopReason::kTimeout);
  const Answer answer = check_random_schedules(imp(kStoreBuffering), {}, context);
  EXPECT_EQ(answer.verdict, Verdict::kUnknown);
  EXPECT_NE(answer.reason.find("time limit"), std::string::npos) << answer.reason;
}

}  // namespace weir::test::random_schedules_test
