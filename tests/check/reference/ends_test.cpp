// Waiting loads, threads that stop, sleep or end everything, and who a thread is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/replay.hpp"
#include "support/text_program.hpp"
#include "support/tiny_program.hpp"

namespace weir::test::ends_test {

using ::testing::HasSubstr;
using Outcomes = std::set<std::vector<Value>>;
using Violations = std::set<ViolationKey>;

constexpr Model kModels[] = {Model::kSc, Model::kTso, Model::kPso};

const Violations kNone;
const Violations kDeadlock = {{ViolationKind::kDeadlock, 0}};

// Waiting loads.

TEST(WaitingLoads, ReturnOnlyOtherValues) {
  TextProgram text("shared x = 0\ndeadlock\n");
  text.thread("P", {"store x := 1", "store x := 2"});
  text.thread("Q", {"r := load x wait 0"});
  for (const Model model : kModels) {
    EXPECT_EQ(outcomes(text.program(), model, {"Q.r"}), (Outcomes{{1}, {2}}));
    EXPECT_EQ(violations(text.program(), model), kNone);
  }
}

TEST(WaitingLoads, ReturnTheValueThatTheyWaitFor) {
  TextProgram text("shared x = 0\nshared y = 5\n");
  text.thread("P", {"store x := 1", "store x := 2", "store x := 3"});
  text.thread("Q", {"r := load x until 2", "s := load y until r + 3"});
  for (const Model model : kModels)
    EXPECT_EQ(outcomes(text.program(), model, {"Q.r", "Q.s"}), (Outcomes{{2, 5}}));
}

// Under TSO and PSO the own buffer is asked first, as by every load.
TEST(WaitingLoads, WaitForTheirOwnStores) {
  TextProgram text("shared x = 0\nshared y = 0\n");
  text.thread("P", {"store x := 1", "r := load x until 1", "r := load y"});
  text.thread("Q", {"store y := 1", "r := load y until 1", "r := load x"});
  EXPECT_EQ(outcomes(text.program(), Model::kSc, {"P.r", "Q.r"}), (Outcomes{{0, 1}, {1, 0}, {1, 1}}));
  EXPECT_EQ(outcomes(text.program(), Model::kTso, {"P.r", "Q.r"}),
            (Outcomes{{0, 0}, {0, 1}, {1, 0}, {1, 1}}));
  TextProgram stuck("shared x = 0\ndeadlock\n");
  stuck.thread("P", {"store x := 1", "r := load x until 0"});
  for (const Model model : kModels) EXPECT_EQ(violations(stuck.program(), model).size(), 1u);
}

TEST(WaitingLoads, WaitForEver) {
  TextProgram text("shared x = 0\ndeadlock\n");
  text.thread("P", {"r := load x wait 0"});
  for (const Model model : kModels) EXPECT_EQ(violations(text.program(), model), kDeadlock);
}

TEST(WaitingLoads, SeeTheOwnBuffer) {
  TextProgram text("shared x = 0\n");
  text.thread("P", {"store x := 1", "r := load x wait 0", "s := 1"});
  const Program program = text.program();
  const ReferenceMachine machine(program, Model::kTso);
  ReferenceState state = after_instruction(machine, machine.initial(), ThreadId(0));
  state = after_instruction(machine, state, ThreadId(0));
  EXPECT_EQ(observe(program, state, "P.r"), 1);
}

TEST(WaitingLoads, CompareInTheTypeOfTheAccess) {
  TextProgram text("shared x : u8 = 255\ndeadlock\n");
  text.thread("P", {"r := load i8 x wait -1"});
  EXPECT_EQ(violations(text.program(), Model::kSc), kDeadlock);
  TextProgram wrapped("shared x : u8 = 1\ndeadlock\n");
  wrapped.thread("P", {"r := load u8 x wait 257"});
  EXPECT_EQ(violations(wrapped.program(), Model::kSc), kDeadlock);
}

TEST(WaitingLoads, DisableTheirWayThroughABlock) {
  TextProgram text("shared x = 0\nshared y = 0\ndeadlock\n");
  text.thread("P", {"atomic_begin", "store y := 1", "r := load x wait 0", "atomic_end"});
  EXPECT_EQ(violations(text.program(), Model::kTso), kDeadlock);
  EXPECT_EQ(explore_all(text.program(), Model::kTso).memories.size(), 1u);
}

// Stop.

TEST(Stop, EndsAllActivations) {
  TextProgram text("deadlock\n");
  text.function("g", {"stop"});
  text.function("f", {"call g()", "assert 0", "return"});
  text.thread("P", {"r := 1", "call f()", "assert 0"});
  const Program program = text.program();
  for (const Model model : kModels) {
    EXPECT_EQ(violations(program, model), kNone);
    EXPECT_EQ(outcomes(program, model, {"P.r"}), Outcomes{{1}});
  }
}

// Halt.

TEST(Halt, EndsEverything) {
  TextProgram text("shared x = 0\ndeadlock\n");
  text.thread("P", {"halt", "assert 0"});
  text.thread("Q", {"store x := 1", "r := load x wait 1"});
  for (const Model model : kModels) {
    const ReferenceExploration exploration = explore_all(text.program(), model);
    EXPECT_EQ(exploration.violations, kNone) << "Q is stuck, but the execution was ended";
    for (const ReferenceState& state : exploration.terminal) EXPECT_TRUE(state.halted);
    EXPECT_EQ(exploration.memories.size(), 2u);
  }
}

TEST(Halt, LeavesBuffersAsTheyAre) {
  TextProgram text("shared x = 0\n");
  text.thread("P", {"store x := 1", "halt"});
  const Program program = text.program();
  const ReferenceMachine machine(program, Model::kTso);
  ReferenceState state = after_instruction(machine, machine.initial(), ThreadId(0));
  state = after_instruction(machine, state, ThreadId(0));
  EXPECT_EQ(state.buffers[0].size(), 1u);
  EXPECT_TRUE(machine.steps(state).empty());
  EXPECT_TRUE(machine.flushable(state, ThreadId(0)).empty());
}

TEST(Halt, InABlockMakesTheBlockAStep) {
  TextProgram text("shared x = 0\ndeadlock\n");
  text.thread("P", {"atomic_begin", "store x := 1", "halt", "assume 0", "atomic_end"});
  for (const Model model : kModels) {
    const ReferenceExploration exploration = explore_all(text.program(), model);
    EXPECT_EQ(exploration.violations, kNone);
    ASSERT_EQ(exploration.terminal.size(), 1u);
    EXPECT_TRUE(exploration.terminal.begin()->halted);
    EXPECT_EQ(observe(text.program(), *exploration.terminal.begin(), "x"), 1);
    EXPECT_EQ(exploration.memories.size(), 1u) << "what there was inside the block is not observed";
  }
}

TEST(Halt, LeavesTheThreadWhereItIs) {
  TextProgram text;
  text.function("f", {"halt", "return"});
  text.thread("P", {"call f()"});
  const Program program = text.program();
  const ReferenceMachine machine(program, Model::kSc);
  const ReferenceState inside = after_instruction(machine, machine.initial(), ThreadId(0));
  const ReferenceState ended = after_instruction(machine, inside, ThreadId(0));
  EXPECT_EQ(ended.threads, inside.threads);
  EXPECT_TRUE(ended.halted);
}

TEST(Halt, LeavesAStateWithoutViolations) {
  TextProgram text("shared x = 0\nleaks\n");
  text.thread("P", {"p := allocate heap 4", "atomic_begin", "store x := 1", "halt", "atomic_end"});
  text.declare("invariant x == 0");
  const Program program = text.program();
  for (const Model model : kModels) EXPECT_EQ(violations(program, model), kNone);
  Witness witness{.violation = {.kind = ViolationKind::kUnsafe}};
  const ReferenceMachine machine(program, Model::kSc);
  ReferenceState state = machine.initial();
  for (int i = 0; i < 2; ++i) {
    const ReferenceStep step = machine.steps(state).front();
    witness.steps.insert(witness.steps.end(), step.steps.begin(), step.steps.end());
    state = step.after;
  }
  EXPECT_THAT(replay(program, witness).failure, HasSubstr("ended by halt"));
  witness.steps.push_back({.thread = ThreadId(0), .edge = EdgeId(4)});
  EXPECT_THAT(replay(program, witness).failure, HasSubstr("the execution has ended"));
}

// Dormant threads.

TEST(Dormant, ThreadsCountAsStoppedUntilTheyStart) {
  TextProgram text("shared x = 0\ndeadlock\n");
  text.thread("P", {"nop"});
  text.dormant_thread("W", {"r := load x wait 0", "r := load x wait 1"});
  for (const Model model : kModels) EXPECT_EQ(violations(text.program(), model), kNone);
  TextProgram woken("shared x = 0\ndeadlock\n");
  woken.thread("P", {"store x := 1"});
  woken.dormant_thread("W", {"r := load x wait 0", "r := load x wait 1"});
  for (const Model model : kModels) EXPECT_EQ(violations(woken.program(), model), kDeadlock);
}

TEST(Dormant, ThreadsDoNotFallAsleepAgain) {
  TextProgram text("shared x = 0\ndeadlock\n");
  text.thread("P", {"store x := 1", "store x := 0"});
  text.declare("function w()\n  register r\n  s:\n    r := load x wait 0 -> s\nend\ndormant thread W = w()");
  EXPECT_EQ(violations(text.program(), Model::kSc), kDeadlock) << "back at its entry, but it has worked";
}

// Self.

TEST(Self, IsTheNumberOfTheThread) {
  TextProgram text("shared x : u8 at 0 stride 4 = 7, 8, 9\n");
  text.declare(
      "function f()\n  register r\n  register s\n  a:\n    r := load u8 x[self] -> b\n  b:\n"
      "    s := (self : u1) -> c\n  c:\nend");
  text.declare("thread P = f()\nthread Q = f()\nthread R = f()");
  EXPECT_EQ(outcomes(text.program(), Model::kTso, {"P.r", "Q.r", "R.r", "Q.s", "R.s"}),
            (Outcomes{{7, 8, 9, 1, 0}}));
}

}  // namespace weir::test::ends_test
