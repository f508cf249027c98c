// Replay on witnesses written by hand: what is accepted, what is rejected, and in which words.
#include "check/replay.hpp"

#include <gtest/gtest.h>

#include "support/tiny_program.hpp"

namespace weir::test::replay_test {

// Store buffering with the goal that both threads miss the other's store; and its witness under TSO.
class ReplayStoreBuffering : public ::testing::Test {
 protected:
  ReplayStoreBuffering() : tiny({"x", "y"}) {
    TinyThread p = tiny.thread("P").store("x", 1).load("r", "y").assume_equal("r", 0);
    TinyThread q = tiny.thread("Q").store("y", 1).load("s", "x").assume_equal("s", 0);
    tiny.program().properties.goals = {{{p.id(), p.here()}, {q.id(), q.here()}}};
    witness = {.model = Model::kTso, .violation = {.kind = ViolationKind::kGoal}};
    witness.steps = {instruction(0, 0, 0, 1), instruction(0, 1, 1, 0), instruction(0, 2),
                     instruction(1, 3, 1, 1), instruction(1, 4, 0, 0), instruction(1, 5)};
  }

  static WitnessStep instruction(std::size_t thread, std::size_t edge, Value address = 0, Value value = 0) {
    return {.thread = ThreadId(thread), .edge = EdgeId(edge), .address = address, .value = value};
  }
  static WitnessStep flush(std::size_t thread, Value address, Value value) {
    return {
        .thread = ThreadId(thread), .kind = WitnessStep::Kind::kFlush, .address = address, .value = value};
  }

  void expect_rejected(std::size_t step, const std::string& failure) {
    const ReplayResult result = replay(tiny.program(), witness);
    EXPECT_FALSE(result.reproduced);
    EXPECT_EQ(result.failed_step, step);
    EXPECT_EQ(result.failure, failure);
  }

  TinyProgram tiny;
  Witness witness;
};

TEST_F(ReplayStoreBuffering, Reproduces) {
  const ReplayResult result = replay(tiny.program(), witness);
  EXPECT_TRUE(result.reproduced) << result.failure;
  witness.model = Model::kPso;
  EXPECT_TRUE(replay(tiny.program(), witness).reproduced);
}

TEST_F(ReplayStoreBuffering, AcceptsFlushesWithAndWithoutTheirEdge) {
  witness.steps.push_back(flush(0, 0, 1));
  witness.steps.push_back(flush(1, 1, 1));
  EXPECT_TRUE(replay(tiny.program(), witness).reproduced);
  witness.steps.back().edge = EdgeId(3);
  EXPECT_TRUE(replay(tiny.program(), witness).reproduced);
  witness.steps.back().edge = EdgeId(0);
  expect_rejected(
      7,
      "step 8: thread Q cannot flush y: the buffered store comes from another instruction than the "
      "witness says");
}

TEST_F(ReplayStoreBuffering, RejectsItUnderSc) {
  witness.model = Model::kSc;
  expect_rejected(4, "step 5: thread Q cannot load x: the witness says 0, the thread sees 1");
}

TEST_F(ReplayStoreBuffering, RejectsAWrongValueRead) {
  witness.steps[4].value = 1;
  expect_rejected(4, "step 5: thread Q cannot load x: the witness says 1, the thread sees 0");
}

TEST_F(ReplayStoreBuffering, RejectsAWrongValueWritten) {
  witness.steps[0].value = 2;
  expect_rejected(0, "step 1: thread P cannot store to x: the witness says 2, the value is 1");
}

TEST_F(ReplayStoreBuffering, RejectsAWrongAddress) {
  witness.steps[1].address = 0;
  expect_rejected(1, "step 2: thread P cannot load x: the address accessed is y");
}

TEST_F(ReplayStoreBuffering, RejectsAnInstructionFromElsewhere) {
  witness.steps.erase(witness.steps.begin() + 1);
  expect_rejected(1, "step 2: thread P is at L1, but the instruction starts at L2");
}

TEST_F(ReplayStoreBuffering, RejectsWhatDoesNotExist) {
  witness.steps[1].edge = EdgeId(77);
  expect_rejected(1, "step 2: there is no such instruction");
  witness.steps[1].thread = ThreadId(2);
  expect_rejected(1, "step 2: there is no such thread");
  witness.steps[1] = {};
  expect_rejected(1, "step 2: there is no such thread");
}

TEST_F(ReplayStoreBuffering, RejectsImpossibleFlushes) {
  witness.steps[0] = flush(0, 0, 1);
  expect_rejected(0, "step 1: thread P cannot flush x: its buffer is empty");
  witness.steps = {instruction(0, 0, 0, 1), flush(0, 1, 1)};
  expect_rejected(
      1, "step 2: thread P cannot flush y: no store to that address is the next to leave the buffer");
  witness.steps[1] = flush(0, 0, 2);
  expect_rejected(
      1, "step 2: thread P cannot flush x: the witness says the value is 2, but the buffered value is 1");
}

TEST_F(ReplayStoreBuffering, RejectsAFalseAssumption) {
  witness.steps.insert(witness.steps.begin(), {instruction(1, 3, 1, 1), flush(1, 1, 1)});
  witness.steps[3].value = 1;
  expect_rejected(4, "step 5: thread P cannot pass an assumption: the assumption is false");
}

TEST_F(ReplayStoreBuffering, RejectsAnEndWithoutTheViolation) {
  witness.steps.pop_back();
  expect_rejected(5, "after the last step of the witness, the goal is not reached");
  witness.violation.kind = ViolationKind::kAssertion;
  expect_rejected(5, "the last step of the witness does not fail");
  witness.violation.kind = ViolationKind::kDeadlock;
  expect_rejected(5, "the program does not ask for the absence of deadlocks");
  tiny.program().properties.deadlock = true;
  expect_rejected(5, "after the last step of the witness, there is no deadlock");
  witness.violation.kind = ViolationKind::kForbidden;
  expect_rejected(5, "there is no such exclusive list");
  witness.violation.kind = ViolationKind::kUnsafe;
  expect_rejected(5, "there is no such invariant");
  witness.violation.kind = ViolationKind::kTriangularRace;
  expect_rejected(5, "a triangular race is an execution under SC");
  witness.violation.kind = ViolationKind::kRobustness;
  expect_rejected(5, "after the last step of the witness, a buffer is not empty");
}

// The order of flushes.

TEST(ReplayFlushes, MustBeInOrderUnderTsoAndMayNotCrossBarriersUnderPso) {
  const auto replayed = [](Model model, bool barrier) {
    TinyProgram tiny({"x", "y"});
    TinyThread p = tiny.thread("P").store("x", 1);
    if (barrier) p.store_fence();
    p.store("y", 1);
    Program& program = tiny.program();
    const auto cell = [&](Value address) {
      return program.add_expression({.op = ExprOp::kSharedCell, .constant = address});
    };
    // y is not 1 before x is.
    const ExprId in_order =
        program.binary(ExprOp::kLogicalOr, cell(0), program.unary(ExprOp::kLogicalNot, cell(1)));
    program.properties.invariants.push_back({.expression = in_order});
    Witness witness{.model = model, .violation = {.kind = ViolationKind::kUnsafe}};
    const std::size_t edges = barrier ? 3 : 2;
    for (std::size_t edge = 0; edge < edges; ++edge)
      witness.steps.push_back({.thread = ThreadId(0), .edge = EdgeId(edge), .value = 1});
    witness.steps.back().address = 1;
    witness.steps.push_back(
        {.thread = ThreadId(0), .kind = WitnessStep::Kind::kFlush, .address = 1, .value = 1});
    return replay(program, witness).reproduced;
  };
  EXPECT_FALSE(replayed(Model::kTso, false));
  EXPECT_TRUE(replayed(Model::kPso, false));
  EXPECT_FALSE(replayed(Model::kPso, true));
}

// Atomic blocks.

class ReplayBlock : public ::testing::Test {
 protected:
  ReplayBlock() : tiny({"x"}) {
    TinyThread p = tiny.thread("P").atomic_begin().store("x", 1).atomic_end();
    TinyThread q = tiny.thread("Q").nop();
    tiny.program().properties.goals = {{{p.id(), p.here()}, {q.id(), q.here()}}};
    witness = {.model = Model::kTso, .violation = {.kind = ViolationKind::kGoal}};
    witness.steps = {step(0, 0), step(0, 1, 1), step(0, 2), step(1, 3)};
  }
  static WitnessStep step(std::size_t thread, std::size_t edge, Value value = 0) {
    return {.thread = ThreadId(thread), .edge = EdgeId(edge), .value = value};
  }

  TinyProgram tiny;
  Witness witness;
};

TEST_F(ReplayBlock, Reproduces) {
  const ReplayResult result = replay(tiny.program(), witness);
  EXPECT_TRUE(result.reproduced) << result.failure;
}

TEST_F(ReplayBlock, MayNotBeInterrupted) {
  std::swap(witness.steps[2], witness.steps[3]);
  const ReplayResult result = replay(tiny.program(), witness);
  EXPECT_EQ(result.failed_step, 2u);
  EXPECT_EQ(result.failure, "step 3: thread Q cannot move while thread P is inside an atomic block");
}

TEST_F(ReplayBlock, MayNotStayOpen) {
  witness.steps = {step(1, 3), step(0, 0), step(0, 1, 1)};
  const ReplayResult result = replay(tiny.program(), witness);
  EXPECT_EQ(result.failed_step, 3u);
  EXPECT_EQ(result.failure, "the witness ends while thread P is inside an atomic block");
}

TEST(ReplayFailure, MayEndInsideABlock) {
  TinyProgram tiny({"x"});
  tiny.thread("P").atomic_begin().load("r", "x").assert_equal("r", 1).atomic_end();
  Witness witness{.model = Model::kTso, .violation = {.kind = ViolationKind::kAssertion}};
  for (std::size_t edge = 0; edge < 3; ++edge) witness.steps.push_back({ThreadId(0), {}, EdgeId(edge)});
  EXPECT_TRUE(replay(tiny.program(), witness).reproduced);
  witness.violation.kind = ViolationKind::kMemory;
  EXPECT_EQ(
      replay(tiny.program(), witness).failure,
      "step 3: thread P fails here (assertion failed), but the witness claims another kind of violation: "
      "memory");
  witness.violation.kind = ViolationKind::kAssertion;
  witness.steps.push_back({ThreadId(0), {}, EdgeId(3)});
  EXPECT_EQ(replay(tiny.program(), witness).failure,
            "step 3: thread P fails here (assertion failed), but the witness goes on");
}

TEST(ReplayFailure, ComparesTheAddressOfAMemoryError) {
  TinyProgram tiny({"x"});
  TinyThread p = tiny.thread("P");
  p.add({.op = Opcode::kStore, .a = tiny.program().constant(9), .b = tiny.program().constant(1)});
  Witness witness{.model = Model::kPso, .violation = {.kind = ViolationKind::kMemory}};
  witness.steps = {{.thread = ThreadId(0), .edge = EdgeId(0), .address = 9}};
  EXPECT_TRUE(replay(tiny.program(), witness).reproduced);
  witness.steps[0].address = 8;
  EXPECT_EQ(replay(tiny.program(), witness).failure,
            "step 1: thread P cannot fail at [8]: the address accessed is [9]");
}

TEST(ReplayReadModifyWrite, ComparesWhatWasWritten) {
  TinyProgram tiny({"x"});
  TinyThread p = tiny.thread("P").compare_exchange("r", "x", 0, 5);
  tiny.program().properties.goals = {{{p.id(), p.here()}}};
  Witness witness{.model = Model::kTso, .violation = {.kind = ViolationKind::kGoal}};
  witness.steps = {{.thread = p.id(), .edge = EdgeId(0), .value = 0, .written = 5, .stored = true}};
  EXPECT_TRUE(replay(tiny.program(), witness).reproduced);
  witness.steps[0].written = 6;
  EXPECT_EQ(replay(tiny.program(), witness).failure,
            "step 1: thread P cannot read and modify x: the witness says the value is 6, but it writes 5");
  witness.steps[0].stored = false;
  EXPECT_EQ(replay(tiny.program(), witness).failure,
            "step 1: thread P cannot read and modify x: it does write");
}

TEST(ReplayChoice, MustBeInRange) {
  TinyProgram tiny({});
  TinyThread p = tiny.thread("P").choose("r", 2, 3);
  tiny.program().properties.goals = {{{p.id(), p.here()}}};
  Witness witness{.model = Model::kSc, .violation = {.kind = ViolationKind::kGoal}};
  witness.steps = {{.thread = p.id(), .edge = EdgeId(0), .value = 3}};
  EXPECT_TRUE(replay(tiny.program(), witness).reproduced);
  witness.steps[0].value = 4;
  EXPECT_FALSE(replay(tiny.program(), witness).reproduced);
}

// P increments x by loads and stores, a million steps, half of them flushes and jumps back.
TEST(ReplayLong, AMillionSteps) {
  TinyProgram tiny({"x"});
  TinyThread p = tiny.thread("P");
  const LocationId loop = p.here();
  p.store("x", 1).load("r", "x").jump_to(loop);
  Program& program = tiny.program();
  program.properties.goals = {{{p.id(), loop}}};
  Witness witness{.model = Model::kTso, .violation = {.kind = ViolationKind::kGoal}};
  for (int round = 0; round < 250'000; ++round) {
    witness.steps.push_back({.thread = p.id(), .edge = EdgeId(0), .value = 1});
    witness.steps.push_back({.thread = p.id(), .kind = WitnessStep::Kind::kFlush, .value = 1});
    witness.steps.push_back({.thread = p.id(), .edge = EdgeId(1), .value = 1});
    witness.steps.push_back({.thread = p.id(), .edge = EdgeId(2)});
  }
  const ReplayResult result = replay(program, witness);
  EXPECT_TRUE(result.reproduced) << result.failure;
}

TEST(ReplayLong, HundredThousandBufferedStores) {
  for (const Model model : {Model::kTso, Model::kPso}) {
    TinyProgram tiny({"x"});
    TinyThread p = tiny.thread("P");
    const LocationId loop = p.here();
    p.store("x", 1).jump_to(loop);
    tiny.program().properties.goals = {{{p.id(), loop}}};
    Witness witness{.model = model, .violation = {.kind = ViolationKind::kGoal}};
    for (int round = 0; round < 100'000; ++round) {
      witness.steps.push_back({.thread = p.id(), .edge = EdgeId(0), .value = 1});
      witness.steps.push_back({.thread = p.id(), .edge = EdgeId(1)});
    }
    for (int round = 0; round < 100'000; ++round)
      witness.steps.push_back({.thread = p.id(), .kind = WitnessStep::Kind::kFlush, .value = 1});
    const ReplayResult result = replay(tiny.program(), witness);
    EXPECT_TRUE(result.reproduced) << result.failure;
  }
}

}  // namespace weir::test::replay_test
