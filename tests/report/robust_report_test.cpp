// Protects what people and scripts read about robustness: the attack, the cycle, the figures.
#include "report/robust_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "check/replay.hpp"
#include "report/attack.hpp"
#include "report/execution/cycle.hpp"

namespace weir::robust_report_test {

using namespace weir::test;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Cycle, OneEdgePerLineFromTheDelayedStore) {
  ASSERT_TRUE(replay(store_buffering(), overtaking()).reproduced);
  EXPECT_EQ(cycle_text(store_buffering(), overtaking(), {.width = 100}),
            "Under sequential consistency, each of these would have to come before the next:\n\n"
            "  P0 writes x (sb.weir:7)\n"
            "    --po-->  P0 reads y (sb.weir:9)\n"
            "    --fr-->  P1 writes y (sb.weir:20)\n"
            "    --po-->  P1 reads x (sb.weir:22)\n"
            "    --fr-->  P0 writes x (sb.weir:7)\n"
            "(po: later in the thread; fr: reads what the next overwrites)\n");
}

TEST(Cycle, NarrowTerminalsSeeLinesOnly) {
  const std::string text = cycle_text(store_buffering(), overtaking(), {.width = 36});
  EXPECT_THAT(text, HasSubstr("    --fr-->  P1 writes y (line 20)\n"));
  EXPECT_THAT(text, Not(HasSubstr("sb.weir")));
  EXPECT_THAT(text, HasSubstr("(po: later in the thread;\n fr: reads what the next overwrites)\n"));
}

TEST(Cycle, AccessesOfOneAtomicBlockStandTogether) {
  auto program = parse_program_text("a.weir", R"(weir 1
shared x
shared y
function left()
  register r
  s:
    store x := 1 -> a
  a:
    r := load y -> b
  b:
end
function right()
  register r
  s:
    atomic_begin -> a
  a:
    store y := 1 -> b
  b:
    r := load x -> c
  c:
    atomic_end -> d
  d:
end
thread P = left()
thread Q = right()
)");
  ASSERT_TRUE(program.ok());
  Witness witness{.model = Model::kTso};
  witness.steps = {instruction(0, 0, 0, 1), instruction(0, 1, 1, 0), instruction(1, 2),
                   instruction(1, 3, 1, 1), instruction(1, 4, 0, 0), instruction(1, 5),
                   flush(0, 0, 0, 1)};
  witness.violation.kind = ViolationKind::kRobustness;
  ASSERT_TRUE(replay(*program, witness).reproduced);
  EXPECT_THAT(cycle_text(*program, witness, {}), HasSubstr("    --fr-->  Q writes y (a.weir:17)\n"
                                                           "    at once  Q reads x (a.weir:19)\n"
                                                           "    --fr-->  P writes x (a.weir:7)\n"));
}

TEST(Cycle, ExecutionsOfScHaveNone) {
  Witness witness{.steps = {instruction(0, 0, 0, 1), instruction(0, 1, 1, 0)}};
  EXPECT_EQ(cycle_text(store_buffering(), witness, {}), "");
}

TEST(RobustText, AttackWithPlacesExecutionAndCycle) {
  const Program program = store_buffering();
  const RobustAnswer answer = not_robust();
  const std::string text = robust_text({program, answer}, robust_run(), {});
  EXPECT_THAT(text,
              StartsWith("NOT ROBUST against tso: thread P0 delays its store at s past its load at a\n"));
  EXPECT_THAT(text,
              HasSubstr("sb.weir:7:5: note: the store that is delayed\n    7 |     store x := 1 -> a\n"));
  EXPECT_THAT(text, HasSubstr("sb.weir:9:5: note: the load that overtakes it\n"));
  EXPECT_THAT(text, HasSubstr("How it happens, in 6 steps with 2 context switches"));
  EXPECT_THAT(text, HasSubstr("--po-->  P1 reads x (sb.weir:22)"));
  EXPECT_THAT(text,
              HasSubstr("Of 2 pairs of a store and a load, 1 is an attack, 1 is undecided (--all decides"));
  EXPECT_THAT(text, HasSubstr("12 states"));
  EXPECT_THAT(text, HasSubstr("weir fence sb.weir\n"));
  EXPECT_THAT(text, Not(HasSubstr("verdict")));
}

TEST(RobustText, AllAttacksInATable) {
  const Program program = store_buffering();
  const RobustAnswer answer = not_robust();
  const std::string text = robust_text({.program = program, .answer = answer, .all = true}, robust_run(), {});
  EXPECT_THAT(text, HasSubstr("  thread  store  load  verdict    lines\n"
                              "  P0      s      a     feasible   7, 9\n"
                              "  P1      s      a     undecided  20, 22\n"));
}

TEST(RobustText, PlacesWithoutALabelAreLines) {
  Program program = store_buffering();
  program.locations[0].label.clear();
  EXPECT_EQ(attack_text(program, kOvertaking, RobustnessNotion::kTraces),
            "thread P0 delays its store in line 7 past its load at a");
}

TEST(RobustText, RobustAndUnknownSayWhy) {
  const Program program = store_buffering();
  RobustAnswer answer{.verdict = RobustVerdict::kRobust, .reason = "because"};
  EXPECT_EQ(robust_verdict_line({program, answer}, {}), "ROBUST against tso: because\n");
  answer = {.verdict = RobustVerdict::kUnknown, .reason = "x takes more than 4096 different values"};
  answer.bound = {{"values", "4096"}};
  EXPECT_EQ(robust_verdict_line({program, answer}, {}),
            "UNKNOWN against tso: x takes more than 4096 different values (reached: values 4096)\n");
}

TEST(RobustText, ReplayedAttackShowsItsCycle) {
  Answer answer{.verdict = Verdict::kUnsafe, .engine = "reference"};
  answer.witness = overtaking();
  const std::string text = text_report(store_buffering(), answer, robust_run(), {});
  EXPECT_THAT(text, StartsWith("NOT ROBUST against tso: thread P0"));
  EXPECT_THAT(text, HasSubstr("--fr-->  P1 writes y"));
  const auto json = nlohmann::json::parse(json_report(store_buffering(), answer, robust_run(), {}));
  EXPECT_EQ(json["verdict"], "not-robust");
  EXPECT_EQ(json["violation"]["kind"], "robustness");
  EXPECT_EQ(json["cycle"].size(), 4u);
}

TEST(ShownAttack, FoundInTheCycle) {
  EXPECT_EQ(shown_attack(store_buffering(), overtaking()), kOvertaking);
  EXPECT_EQ(shown_attack(store_buffering(), both_enter()), std::nullopt);
}

TEST(RobustJson, HasTheFieldsOfTheContract) {
  const Program program = store_buffering();
  const RobustAnswer answer = not_robust();
  auto json = nlohmann::json::parse(robust_json({program, answer}, robust_run(), {}));
  EXPECT_EQ(json["command"], "robust");
  EXPECT_EQ(json["engine"], "attacks");
  EXPECT_EQ(json["verdict"], "not-robust");
  EXPECT_EQ(json["model"], "tso");
  const nlohmann::json queries{
      {"total", 2}, {"pruned", 0}, {"infeasible", 0}, {"feasible", 1}, {"undecided", 1}};
  EXPECT_EQ(json["queries"], queries);
  ASSERT_EQ(json["attacks"].size(), 1u);
  const auto& attack = json["attacks"][0];
  EXPECT_EQ(attack["thread"], "P0");
  EXPECT_EQ(attack["store"], "s");
  EXPECT_EQ(attack["load"], "a");
  EXPECT_EQ(attack["verdict"], "feasible");
  EXPECT_EQ(attack["store_line"], 7);
  EXPECT_EQ(attack["load_line"], 9);
  EXPECT_EQ(attack["file"], "sb.weir");
  ASSERT_EQ(attack["cycle"].size(), 4u);
  EXPECT_EQ(attack["cycle"][1]["relation"], "fr");
  EXPECT_EQ(attack["cycle"][1]["to"]["address"], "y");
  EXPECT_EQ(attack["witness"].size(), 6u);
  EXPECT_EQ(json["violation"]["kind"], "robustness");
  EXPECT_EQ(json["witness"], attack["witness"]);
  json = nlohmann::json::parse(
      robust_json({.program = program, .answer = answer, .all = true}, robust_run(), {}));
  ASSERT_EQ(json["attacks"].size(), 2u);
  EXPECT_FALSE(json["attacks"][1].contains("witness"));
}

}  // namespace weir::robust_report_test
