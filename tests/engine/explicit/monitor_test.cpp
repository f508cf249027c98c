// Which states the monitor takes for bad: several goals, alone and together with symmetry.
#include "engine/explicit/monitor.hpp"

#include <gtest/gtest.h>

#include "check/replay.hpp"
#include "engine/explicit/explicit.hpp"
#include "program/text/text.hpp"
#include "support/text_program.hpp"

namespace weir::monitor_test {

using test::TextProgram;

Answer ask(const Program& program, ExplicitOptions options = {}) {
  Context context;
  Answer answer = check_explicit(program, options, context);
  if (!answer.witness) return answer;
  const ReplayResult replayed = replay(program, *answer.witness);
  EXPECT_TRUE(replayed.reproduced) << replayed.failure;
  return answer;
}

std::uint64_t states(const Answer& answer) {
  return std::get<std::uint64_t>(*answer.statistics.find("states"));
}

// P and Q, neither of which comes behind its second instruction before the other one has stored.
TextProgram handshake() {
  TextProgram text("shared x = 0\nshared y = 0\n");
  text.thread("P", {"store x := 1", "r := load y until 1", "nop"});
  text.thread("Q", {"store y := 1", "r := load x until 1", "nop"});
  return text;
}

TEST(Goals, TheOneThatIsReachedIsNamed) {
  TextProgram text = handshake();
  text.declare("goal P at at0").declare("goal Q at at2");  // Q waits for the store of P
  text.declare("or goal P at at2").declare("goal Q at at1");
  const Answer answer = ask(text.program());
  ASSERT_EQ(answer.verdict, Verdict::kUnsafe);
  EXPECT_EQ(answer.witness->violation.property, 1u);
  EXPECT_EQ(answer.witness->violation.message, "goal state reached: P at at2, Q at at1");
}

TEST(Goals, NoneOfSeveralIsReached) {
  TextProgram text = handshake();
  text.declare("goal P at at0").declare("goal Q at at2");
  text.declare("or goal P at at2").declare("goal Q at at0");
  for (const Model model : {Model::kSc, Model::kTso, Model::kPso})
    EXPECT_EQ(ask(text.program(), {.model = model}).verdict, Verdict::kSafe);
}

TEST(Goals, PlacesOfOneGoalAreNotThoseOfAnother) {
  TextProgram text = handshake();
  text.declare("goal P at at0").declare("goal Q at at2");
  text.declare("or goal P at at2").declare("goal Q at at0");
  text.declare("or goal P at at3").declare("goal P at at2").declare("goal Q at at3");
  const Answer answer = ask(text.program());
  ASSERT_EQ(answer.verdict, Verdict::kUnsafe);
  EXPECT_EQ(answer.witness->violation.property, 2u);
}

// Three processes of which no two may be inside: the goals name different threads, but treat all alike.
TEST(Goals, AllPairsKeepThreadsInterchangeable) {
  const auto lock = [](const std::string& goals) {
    std::string text =
        "weir 1\nshared lock = 0\nfunction f()\n  register r\n  out:\n    atomic_begin -> a\n  a:\n"
        "    r := load lock until 0 -> b\n  b:\n    store lock := 1 -> c\n  c:\n    atomic_end -> in\n  in:\n"
        "    store lock := 0 -> out\nend\nthread P = f()\nthread Q = f()\nthread R = f()\n";
    return *parse_program_text("lock.weir", text + goals);
  };
  const Program pairs =
      lock("goal P at in\ngoal Q at in\nor goal P at in\ngoal R at in\nor goal Q at in\ngoal R at in\n");
  const Answer with = ask(pairs, {.model = Model::kTso});
  const Answer without = ask(pairs, {.model = Model::kTso, .symmetry = false});
  EXPECT_EQ(with.verdict, Verdict::kSafe);
  EXPECT_EQ(without.verdict, Verdict::kSafe);
  EXPECT_LT(states(with), states(without));
  const Answer one = ask(lock("goal P at in\ngoal Q at in\n"), {.model = Model::kTso});
  EXPECT_GT(states(one), states(with)) << "R is not like P and Q";
}

// The representative of a state may reach another goal than the execution that is shown.
TEST(Goals, WitnessesNameTheirOwnGoal) {
  const std::string text =
      "weir 1\nshared x = 0\nfunction f()\n  register r\n  a:\n    r := rmw add x, 1 -> b\n  b:\n"
      "    assume r == 2 -> c\n    assume r != 2 -> d\n  c:\n  d:\nend\n"
      "thread P = f()\nthread Q = f()\nthread R = f()\n"
      "goal P at c\ngoal Q at d\nor goal P at d\ngoal Q at c\nor goal P at c\ngoal R at d\nor goal P at "
      "d\ngoal R at c\n"
      "or goal Q at c\ngoal R at d\nor goal Q at d\ngoal R at c\n";
  for (const Reduction reduction : {Reduction::kNone, Reduction::kPersistent, Reduction::kCartesian})
    for (const bool symmetry : {false, true})
      EXPECT_EQ(
          ask(*parse_program_text("t.weir", text), {.reduction = reduction, .symmetry = symmetry}).verdict,
          Verdict::kUnsafe);
}

// Both threads must be able to come to their accesses before one of them makes its own.
TEST(Races, AreSeenBehindLocalSteps) {
  TextProgram text("shared x = 0\nraces\n");
  text.thread("P", {"nop", "store x := r"}).thread("Q", {"nop", "nop", "store plain x := r"});
  for (const Reduction reduction : {Reduction::kNone, Reduction::kLocalFirst, Reduction::kPersistent,
                                    Reduction::kDynamic, Reduction::kCartesian})
    EXPECT_EQ(ask(text.program(), {.reduction = reduction}).verdict, Verdict::kUnsafe);
}

}  // namespace weir::monitor_test
