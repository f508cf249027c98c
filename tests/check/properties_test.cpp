// When a state is a violation: deadlock, goal, exclusive locations, invariants.
#include <gtest/gtest.h>

#include "support/tiny_program.hpp"

namespace weir::test::properties_test {

using Violations = std::set<ViolationKey>;

Violations violations(const Program& program, Model model) { return explore_all(program, model).violations; }

TEST(Deadlock, NeedsAThreadThatHasNotStopped) {
  TinyProgram blocked({"x"});
  blocked.thread("P").load("r", "x").assume_equal("r", 1);
  blocked.program().properties.deadlock = true;
  EXPECT_EQ(violations(blocked.program(), Model::kTso), (Violations{{ViolationKind::kDeadlock, 0}}));
  blocked.program().properties.deadlock = false;
  EXPECT_EQ(violations(blocked.program(), Model::kTso), Violations{}) << "nobody asked";
  TinyProgram finished({"x"});
  finished.thread("P").store("x", 1);
  finished.program().properties.deadlock = true;
  EXPECT_EQ(violations(finished.program(), Model::kTso), Violations{});
}

TEST(Deadlock, IsNoneWhileAStoreCanBeFlushed) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).load("r", "y").assume_equal("r", 1);
  tiny.thread("Q").load("s", "x").assume_equal("s", 1).store("y", 1);
  tiny.program().properties.deadlock = true;
  const ReferenceMachine machine(tiny.program(), Model::kTso);
  for (const ReferenceState& state : explore_all(tiny.program(), Model::kTso, {}, CollectStates::kYes).states)
    if (machine.deadlocked(state)) {
      EXPECT_TRUE(state.buffers[0].empty());
    }
}

TEST(Deadlock, IsNoneIfAllThreadsStoppedWithStoresThatALockHoldsBack) {
  TinyProgram tiny({"x"});
  tiny.thread("P").store("x", 1);
  tiny.thread("Q").lock();
  tiny.program().properties.deadlock = true;
  const ReferenceExploration found = explore_all(tiny.program(), Model::kTso);
  EXPECT_EQ(found.terminal.size(), 2u) << "flushed before the lock, or never";
  EXPECT_EQ(found.violations, Violations{});
}

TEST(Goal, NeedsEveryNamedThreadAtOneOfItsLocations) {
  TinyProgram tiny({"x"});
  TinyThread p = tiny.thread("P").load("r", "x");
  const LocationId choice = p.here();
  const LocationId one = p.nop().here();
  const LocationId other = p.continue_at(choice).nop().here();
  TinyThread q = tiny.thread("Q").load("r", "x").assume_equal("r", 1);
  Program& program = tiny.program();
  program.properties.goals = {{{p.id(), one}, {p.id(), other}}};
  EXPECT_EQ(violations(program, Model::kSc), (Violations{{ViolationKind::kGoal, 0}}));
  program.properties.goals[0].push_back({q.id(), q.here()});
  EXPECT_EQ(violations(program, Model::kSc), Violations{});
}

TEST(Goal, OneOfSeveralIsEnough) {
  TinyProgram tiny({"x"});
  TinyThread p = tiny.thread("P");
  const LocationId start = p.here();
  const LocationId end = p.load("r", "x").assume_equal("r", 1).here();
  TinyThread q = tiny.thread("Q").store("x", 1);
  const LocationId stored = q.here();
  const LocationId never = q.load("s", "x").assume_equal("s", 7).here();
  Program& program = tiny.program();
  program.properties.goals = {{{p.id(), start}, {p.id(), end}, {q.id(), never}},
                              {{p.id(), end}, {q.id(), stored}}};
  EXPECT_EQ(violations(program, Model::kTso), (Violations{{ViolationKind::kGoal, 1}}));
  program.properties.goals.push_back({{q.id(), stored}});
  EXPECT_EQ(violations(program, Model::kTso),
            (Violations{{ViolationKind::kGoal, 1}, {ViolationKind::kGoal, 2}}));
}

TEST(Goal, CountsInTheInitialState) {
  TinyProgram tiny({"x"});
  TinyThread p = tiny.thread("P");
  tiny.program().properties.goals = {{{p.id(), p.here()}}};
  p.nop();
  const auto witness = shortest_witness(tiny.program(), Model::kPso);
  ASSERT_TRUE(witness.has_value());
  EXPECT_TRUE(witness->steps.empty());
}

TEST(Goal, DoesNotCountInsideACall) {
  TinyProgram tiny({});
  Program& program = tiny.program();
  TinyThread callee = tiny.function("callee", {});
  callee.nop();
  TinyThread p = tiny.thread("P").nop();
  program.properties.goals = {{{p.id(), callee.here()}}};
  p.add({.op = Opcode::kCall, .callee = callee.function()});
  EXPECT_EQ(violations(program, Model::kSc), Violations{});
}

TEST(Exclusive, NeedsTwoDifferentThreads) {
  TinyProgram tiny({});
  TinyThread p = tiny.thread("P").nop();
  TinyThread q = tiny.thread("Q").nop();
  Program& program = tiny.program();
  program.properties.exclusive = {{{p.id(), p.here()}, {p.id(), p.here()}},
                                  {{p.id(), p.here()}, {q.id(), q.here()}}};
  EXPECT_EQ(violations(program, Model::kSc), (Violations{{ViolationKind::kForbidden, 1}}));
}

TEST(InvariantProperty, ReadsMemoryNotBuffersAndOutermostRegisters) {
  TinyProgram tiny({"x"});
  TinyThread p = tiny.thread("P").store("x", 1).load("r", "x");
  Program& program = tiny.program();
  const ExprId x = program.add_expression({.op = ExprOp::kSharedCell, .constant = 0});
  const ExprId r =
      program.add_expression({.op = ExprOp::kThreadRegister, .reg = p.reg("r"), .thread = p.id()});
  // Once r is 1, x is 1.
  program.properties.invariants.push_back(
      {.expression = program.binary(ExprOp::kLogicalOr, x, program.unary(ExprOp::kLogicalNot, r))});
  EXPECT_EQ(violations(program, Model::kSc), Violations{});
  EXPECT_EQ(violations(program, Model::kTso), (Violations{{ViolationKind::kUnsafe, 0}}));
}

TEST(InvariantProperty, IsFalseIfItDividesByZero) {
  TinyProgram tiny({"x"});
  tiny.thread("P").store("x", 0);
  Program& program = tiny.program();
  const ExprId x = program.add_expression({.op = ExprOp::kSharedCell, .constant = 0});
  program.properties.invariants.push_back({.expression = program.constant(1)});
  program.properties.invariants.push_back(
      {.expression = program.binary(ExprOp::kDiv, program.constant(1), x)});
  EXPECT_EQ(violations(program, Model::kSc), (Violations{{ViolationKind::kUnsafe, 1}}));
}

}  // namespace weir::test::properties_test
