// The rules of docs/semantics.md for failing instructions, widths, calls and choices, one by one.
#include <gtest/gtest.h>

#include "support/tiny_program.hpp"

namespace weir::test::instruction_rules_test {

using Outcomes = std::set<std::vector<Value>>;
using Violations = std::set<ViolationKey>;

constexpr Model kModels[] = {Model::kSc, Model::kTso, Model::kPso};
constexpr Type kInt8{8, true};
constexpr Type kUint8{8, false};

const Violations kOnlyAssertion = {{ViolationKind::kAssertion, 0}};
const Violations kOnlyMemory = {{ViolationKind::kMemory, 0}};

Violations violations(const Program& program, Model model) { return explore_all(program, model).violations; }

// Failing instructions.

TEST(Failure, AFailingAssertionEndsTheExecution) {
  TinyProgram tiny({"x"});
  tiny.thread("P").assert_equal("r", 1).store("x", 1);
  const ReferenceExploration found = explore_all(tiny.program(), Model::kSc);
  EXPECT_EQ(found.violations, kOnlyAssertion);
  EXPECT_EQ(found.state_count, 1u);
  EXPECT_TRUE(found.terminal.empty()) << "a failing step is a step";
}

TEST(Failure, DivisionByZeroIsAFailedAssertionWhereverItStands) {
  const auto failing = [](Opcode op) {
    TinyProgram tiny({"x"});
    TinyThread p = tiny.thread("P");
    Program& program = tiny.program();
    const ExprId bad = program.binary(ExprOp::kDiv, program.constant(1), p.value("r"));
    Instruction instruction{.op = op, .result = p.reg("s"), .a = bad, .b = program.constant(1)};
    p.add(instruction);
    return violations(program, Model::kTso);
  };
  for (const Opcode op : {Opcode::kAssign, Opcode::kAssume, Opcode::kAssert, Opcode::kLoad, Opcode::kStore,
                          Opcode::kRmw, Opcode::kReturn})
    EXPECT_EQ(failing(op), kOnlyAssertion) << static_cast<int>(op);
}

TEST(Failure, AccessesOutsideObjectsFailWhenExecuted) {
  for (const Opcode op : {Opcode::kLoad, Opcode::kStore, Opcode::kRmw}) {
    TinyProgram tiny({"x"});
    TinyThread p = tiny.thread("P");
    p.add({.op = op, .result = p.reg("r"), .a = tiny.program().constant(1), .b = tiny.program().constant(0)});
    for (const Model model : kModels) {
      EXPECT_EQ(violations(tiny.program(), model), kOnlyMemory);
      EXPECT_EQ(explore_all(tiny.program(), model).state_count, 1u);
    }
    tiny.program().open_memory = true;
    EXPECT_EQ(violations(tiny.program(), Model::kTso), Violations{});
  }
}

TEST(Failure, AccessesOfAnotherWidthFailAndOfAnotherSignDoNot) {
  const auto load_as = [](Type type) {
    TinyProgram tiny({});
    tiny.variable("x", kUint8, {200});
    TinyThread p = tiny.thread("P");
    p.add({.op = Opcode::kLoad, .type = type, .result = p.reg("r"), .a = tiny.program().constant(0)});
    return violations(tiny.program(), Model::kSc).empty()
               ? outcomes(tiny.program(), Model::kSc, {"P.r"}).begin()->front()
               : Value{-1000};
  };
  EXPECT_EQ(load_as(kUint8), 200);
  EXPECT_EQ(load_as(kInt8), -56) << "wrapped to the type of the load";
  EXPECT_EQ(load_as(kInt64), -1000) << "a memory error";
}

TEST(Failure, NeedsTheConditionsOfTheInstruction) {
  TinyProgram tiny({"x"});
  const ThreadId p = tiny.thread("P").lock().id();
  TinyThread q = tiny.thread("Q");
  q.add({.op = Opcode::kLoad, .result = q.reg("r"), .a = tiny.program().constant(99)});
  const ReferenceMachine machine(tiny.program(), Model::kTso);
  EXPECT_TRUE(can_move(machine, machine.initial(), q.id()));
  EXPECT_FALSE(can_move(machine, after_instruction(machine, machine.initial(), p), q.id()));
}

TEST(Failure, ComesBeforeTheBufferForBufferedStores) {
  TinyProgram tiny({"x"});
  const ThreadId p = tiny.thread("P").lock().id();
  TinyThread q = tiny.thread("Q");
  q.add({.op = Opcode::kStore, .a = tiny.program().constant(99), .b = tiny.program().constant(1)});
  const ReferenceMachine machine(tiny.program(), Model::kTso);
  EXPECT_TRUE(can_move(machine, after_instruction(machine, machine.initial(), p), q.id()));
}

// Widths.

TEST(Widths, StoresWrapToTheCellAndRegistersToTheirType) {
  TinyProgram tiny({});
  tiny.variable("x", kInt8);
  TinyThread p = tiny.thread("P");
  p.reg("r", Type{4, false});
  Program& program = tiny.program();
  p.add({.op = Opcode::kStore, .type = kUint8, .a = program.constant(0), .b = program.constant(200)});
  p.add({.op = Opcode::kLoad, .type = kInt8, .result = p.reg("r"), .a = program.constant(0)});
  for (const Model model : kModels)
    EXPECT_EQ(outcomes(program, model, {"P.r", "x"}), (Outcomes{{8, -56}})) << "-56 has the low bits 1000";
}

TEST(Widths, ReadModifyWritesWrap) {
  TinyProgram tiny({});
  tiny.variable("x", kUint8, {255});
  TinyThread p = tiny.thread("P");
  Program& program = tiny.program();
  p.add({.op = Opcode::kRmw,
         .rmw = RmwOp::kAdd,
         .type = kUint8,
         .result = p.reg("r"),
         .a = program.constant(0),
         .b = program.constant(1)});
  EXPECT_EQ(outcomes(program, Model::kTso, {"P.r", "x"}), (Outcomes{{255, 0}}));
}

// Calls.

TEST(Calls, EvaluateArgumentsInTheCallerAndReturnToTheTarget) {
  TinyProgram tiny({"x"});
  Program& program = tiny.program();
  TinyThread twice = tiny.function("twice", {"p"});
  twice.leave(program.binary(ExprOp::kAdd, twice.value("p"), twice.value("p")));
  TinyThread p = tiny.thread("P").choose("r", 3, 4);
  p.add({.op = Opcode::kCall, .result = p.reg("s"), .callee = twice.function(), .arguments = {p.value("r")}});
  p.store_register("x", "s");
  for (const Model model : kModels)
    EXPECT_EQ(outcomes(program, model, {"P.r", "P.s", "x"}), (Outcomes{{3, 6, 6}, {4, 8, 8}}));
}

// sum(n) = n = 0 ? 0 : n + sum(n - 1)
TEST(Calls, Recurse) {
  TinyProgram tiny({});
  Program& program = tiny.program();
  TinyThread sum = tiny.function("sum", {"n"});
  const LocationId entry = sum.here();
  sum.add({.op = Opcode::kAssume, .a = sum.equal("n", 0)}).leave(program.constant(0));
  sum.continue_at(entry).add({.op = Opcode::kAssume, .a = sum.value("n")});
  const ExprId less = program.binary(ExprOp::kSub, sum.value("n"), program.constant(1));
  sum.add({.op = Opcode::kCall, .result = sum.reg("m"), .callee = sum.function(), .arguments = {less}});
  sum.leave(program.binary(ExprOp::kAdd, sum.value("n"), sum.value("m")));
  TinyThread p = tiny.thread("P");
  p.add({.op = Opcode::kCall,
         .result = p.reg("r"),
         .callee = sum.function(),
         .arguments = {program.constant(4)}});
  EXPECT_EQ(outcomes(program, Model::kSc, {"P.r"}), (Outcomes{{10}}));
}

TEST(Calls, AnEndWithoutEdgesInACalledFunctionIsNoStop) {
  TinyProgram tiny({});
  Program& program = tiny.program();
  TinyThread trap = tiny.function("trap", {});
  TinyThread p = tiny.thread("P");
  p.add({.op = Opcode::kCall, .callee = trap.function()});
  program.properties.deadlock = true;
  EXPECT_EQ(violations(program, Model::kSc), (Violations{{ViolationKind::kDeadlock, 0}}));
}

TEST(Calls, ReturningFromTheOutermostFunctionStopsTheThreadAtNoLocation) {
  TinyProgram tiny({});
  TinyThread p = tiny.thread("P").choose("r", 7, 7);
  const LocationId end = p.here();
  p.leave();
  Program& program = tiny.program();
  program.properties.deadlock = true;
  const ReferenceMachine machine(program, Model::kSc);
  const ReferenceExploration found = explore_all(program, Model::kSc);
  ASSERT_EQ(found.terminal.size(), 1u);
  const ReferenceState& last = *found.terminal.begin();
  EXPECT_TRUE(machine.stopped(last, p.id()));
  EXPECT_NE(current_location(last, p.id()), end);
  EXPECT_EQ(observe(program, last, "P.r"), 7);
  EXPECT_EQ(found.violations, Violations{});
}

TEST(Calls, ThreadsGetTheirArguments) {
  TinyProgram tiny({});
  TinyThread body = tiny.function("body", {"p"});
  body.nop();
  Program& program = tiny.program();
  program.threads.push_back({.name = "P", .function = body.function(), .arguments = {5}});
  program.threads.push_back({.name = "Q", .function = body.function(), .arguments = {6}});
  EXPECT_EQ(outcomes(program, Model::kPso, {"P.p", "Q.p"}), (Outcomes{{5, 6}}));
}

// Choices.

TEST(Choices, AreOneStepForEachValue) {
  TinyProgram tiny({});
  tiny.thread("P").choose("r", -1, 2);
  EXPECT_EQ(outcomes(tiny.program(), Model::kSc, {"P.r"}), (Outcomes{{-1}, {0}, {1}, {2}}));
  EXPECT_EQ(explore_all(tiny.program(), Model::kSc).transition_count, 4u);
}

TEST(Choices, SeveralExecutableEdgesAreAChoice) {
  TinyProgram tiny({"x"});
  TinyThread p = tiny.thread("P");
  const LocationId start = p.here();
  p.store("x", 1).continue_at(start).store("x", 2);
  for (const Model model : kModels) EXPECT_EQ(outcomes(tiny.program(), model, {"x"}), (Outcomes{{1}, {2}}));
}

}  // namespace weir::test::instruction_rules_test
