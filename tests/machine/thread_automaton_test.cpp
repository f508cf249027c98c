// The automaton of a thread: what is fused, where it stops, what it forgets, and that paths tell it all.
#include "machine/thread_automaton.hpp"

#include <gtest/gtest.h>

#include "support/tiny_program.hpp"

namespace weir::thread_automaton_test {

using test::TinyProgram;
using test::TinyThread;

struct Automaton {
  explicit Automaton(const Program& program, AutomatonOptions options = {})
      : code(program), automaton(code, program.threads[0].function, program.threads[0].arguments, options) {}
  Code code;
  ThreadAutomaton automaton;
};

TEST(ThreadAutomaton, LocalRunsAreFusedIntoTheActionBefore) {
  TinyProgram tiny({"x"});
  TinyThread p = tiny.thread("P");
  p.nop().assign("r", tiny.program().constant(7)).store_register("x", "r").nop().nop();
  Automaton a(tiny.program());
  const auto actions = a.automaton.actions(a.automaton.initial());
  ASSERT_EQ(actions.size(), 1u);
  EXPECT_EQ(actions[0].kind, ActionKind::kStore);
  EXPECT_EQ(actions[0].value, 7);
  const StateId end = a.automaton.successor(a.automaton.initial(), 0);
  EXPECT_TRUE(a.automaton.stopped(end));
  EXPECT_EQ(a.automaton.initial_path().size(), 2u);
  EXPECT_EQ(a.automaton.path(a.automaton.initial(), 0).size(), 3u);
}

TEST(ThreadAutomaton, EveryInstructionIsAStepWhenAsked) {
  TinyProgram tiny({"x"});
  tiny.thread("P").nop().nop().store("x", 1);
  Automaton a(tiny.program(), {.every_instruction = true});
  StateId state = a.automaton.initial();
  for (int step = 0; step < 3; ++step) {
    ASSERT_EQ(a.automaton.actions(state).size(), 1u);
    state = a.automaton.successor(state, 0);
  }
  EXPECT_TRUE(a.automaton.stopped(state));
}

TEST(ThreadAutomaton, SuccessorsDependOnTheValueReturnedAndAreMemoised) {
  TinyProgram tiny({"x"});
  tiny.thread("P").load("r", "x").store_register("x", "r");
  Automaton a(tiny.program());
  const StateId one = a.automaton.successor(a.automaton.initial(), 0, 1);
  const StateId two = a.automaton.successor(a.automaton.initial(), 0, 2);
  EXPECT_NE(one, two);
  EXPECT_EQ(one, a.automaton.successor(a.automaton.initial(), 0, 1));
  EXPECT_EQ(a.automaton.actions(one)[0].value, 1);
  EXPECT_EQ(a.automaton.actions(two)[0].value, 2);
}

TEST(ThreadAutomaton, DeadRegistersDoNotDistinguishStates) {
  TinyProgram tiny({"x"});
  tiny.thread("P").load("r", "x").store("x", 1);
  Automaton forgets(tiny.program());
  EXPECT_EQ(forgets.automaton.successor(forgets.automaton.initial(), 0, 1),
            forgets.automaton.successor(forgets.automaton.initial(), 0, 2));
  Automaton keeps(tiny.program(), {.forget_dead_registers = false});
  EXPECT_NE(keeps.automaton.successor(keeps.automaton.initial(), 0, 1),
            keeps.automaton.successor(keeps.automaton.initial(), 0, 2));
}

TEST(ThreadAutomaton, ASilentLoopOffersAStepToItself) {
  TinyProgram tiny({"x"});
  TinyThread p = tiny.thread("P");
  p.jump_to(p.here());
  Automaton a(tiny.program());
  const StateId state = a.automaton.initial();
  ASSERT_EQ(a.automaton.actions(state).size(), 1u);
  EXPECT_EQ(a.automaton.actions(state)[0].kind, ActionKind::kInternal);
  EXPECT_EQ(a.automaton.successor(state, 0), state);
  EXPECT_FALSE(a.automaton.cut(state));
}

// r := r + 1 for ever: no state repeats as long as somebody reads r.
TEST(ThreadAutomaton, AnEndlessLocalRunIsCut) {
  TinyProgram tiny({"x"});
  TinyThread p = tiny.thread("P");
  Program& program = tiny.program();
  const LocationId head = p.here();
  p.jump_to(head, {.op = Opcode::kAssign,
                   .result = p.reg("r"),
                   .a = program.binary(ExprOp::kAdd, p.value("r"), program.constant(1))});
  Automaton a(program, {.local_steps = 1000});
  EXPECT_TRUE(a.automaton.cut(a.automaton.initial()));
  EXPECT_TRUE(a.automaton.actions(a.automaton.initial()).empty());
  EXPECT_EQ(a.automaton.innermost_location(a.automaton.initial()), head);
}

// So far that the address looks like that of a block of another size, kind or number.
TEST(ThreadAutomaton, FarOutOfABlockIsOutOfBounds) {
  for (const std::uint64_t distance : {std::uint64_t{16}, std::uint64_t{1} << 13, std::uint64_t{1} << 24,
                                       std::uint64_t{1} << 27, ~std::uint64_t{0} << 13}) {
    TinyProgram tiny({"x"});
    Program& program = tiny.program();
    TinyThread p = tiny.thread("P");
    tiny.thread("Q");
    p.add({.op = Opcode::kAllocate,
           .result = p.reg("block", kAddressType),
           .a = program.constant(16, kAddressType)});
    p.add({.op = Opcode::kStore,
           .type = {8, false},
           .a = program.binary(ExprOp::kAdd, p.value("block"),
                               program.constant(static_cast<Value>(distance), kAddressType)),
           .b = program.constant(1, {8, false})});
    Automaton a(program);
    const auto actions = a.automaton.actions(a.automaton.initial());
    ASSERT_EQ(actions.size(), 1u);
    EXPECT_EQ(actions[0].kind, ActionKind::kFail) << distance;
    EXPECT_EQ(actions[0].failure, FailureKind::kBounds) << distance;
  }
}

// Addresses of private memory tell 2^20 activations apart.
TEST(ThreadAutomaton, EndlessRecursionIsCut) {
  TinyProgram tiny({"x"});
  TinyThread f = tiny.function("f", {});
  f.add({.op = Opcode::kCall, .callee = f.function()});
  tiny.thread("P").add({.op = Opcode::kCall, .callee = f.function()});
  Automaton a(tiny.program());
  EXPECT_TRUE(a.automaton.cut(a.automaton.initial()));
  EXPECT_EQ(a.automaton.instructions(), 1u << 20);
}

TEST(ThreadAutomaton, ChoicesAndSeveralEdgesAreSeveralActions) {
  TinyProgram tiny({"x"});
  TinyThread p = tiny.thread("P");
  p.choose("r", 1, 3).store_register("x", "r");
  Automaton a(tiny.program());
  ASSERT_EQ(a.automaton.actions(a.automaton.initial()).size(), 3u);
  const StateId third = a.automaton.successor(a.automaton.initial(), 2);
  EXPECT_EQ(a.automaton.actions(third)[0].value, 3);
}

TEST(ThreadAutomaton, AFalseAssumptionOffersNothing) {
  TinyProgram tiny({"x"});
  tiny.thread("P").assume_equal("r", 1).store("x", 1);
  Automaton a(tiny.program());
  EXPECT_TRUE(a.automaton.actions(a.automaton.initial()).empty());
  EXPECT_FALSE(a.automaton.stopped(a.automaton.initial()));
}

TEST(ThreadAutomaton, RunsStopAtObservedLocations) {
  TinyProgram tiny({"x"});
  TinyThread p = tiny.thread("P");
  p.nop();
  const LocationId seen = p.here();
  p.nop().store("x", 1);
  Automaton a(tiny.program(), {.observed_locations = {seen}});
  EXPECT_EQ(a.automaton.location(a.automaton.initial()), seen);
  const StateId next = a.automaton.successor(a.automaton.initial(), 0);
  EXPECT_EQ(a.automaton.actions(next)[0].kind, ActionKind::kStore);
}

// The recursive factorial of 5, with its result stored.
TEST(ThreadAutomaton, CallsAndRecursion) {
  TinyProgram tiny({"x"});
  Program& program = tiny.program();
  TinyThread f = tiny.function("factorial", {"n"});
  const LocationId entry = f.here();
  TinyThread recurse = f;
  f.assume_equal("n", 0).leave(program.constant(1));
  recurse.continue_at(entry);
  recurse.add(
      {.op = Opcode::kAssume, .a = program.binary(ExprOp::kNe, recurse.value("n"), program.constant(0))});
  recurse.add({.op = Opcode::kCall,
               .result = recurse.reg("m"),
               .callee = f.function(),
               .arguments = {program.binary(ExprOp::kSub, recurse.value("n"), program.constant(1))}});
  recurse.leave(program.binary(ExprOp::kMul, recurse.value("n"), recurse.value("m")));
  TinyThread p = tiny.thread("P");
  p.add({.op = Opcode::kCall,
         .result = p.reg("r"),
         .callee = f.function(),
         .arguments = {program.constant(5)}});
  p.store_register("x", "r");
  Automaton a(program);
  ASSERT_EQ(a.automaton.actions(a.automaton.initial()).size(), 1u);
  EXPECT_EQ(a.automaton.actions(a.automaton.initial())[0].value, 120);
}

TEST(ThreadAutomaton, FailuresAreActions) {
  TinyProgram tiny({"x"});
  tiny.thread("P").assert_equal("r", 1);
  Automaton a(tiny.program());
  ASSERT_EQ(a.automaton.actions(a.automaton.initial()).size(), 1u);
  EXPECT_EQ(a.automaton.actions(a.automaton.initial())[0].kind, ActionKind::kFail);
  EXPECT_EQ(a.automaton.actions(a.automaton.initial())[0].failure, FailureKind::kAssertion);
}

}  // namespace weir::thread_automaton_test
