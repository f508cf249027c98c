// The rules of docs/semantics.md for the lock, buffers and atomic blocks, one by one.
#include <gtest/gtest.h>

#include "support/tiny_program.hpp"

namespace weir::test::memory_rules_test {

using Outcomes = std::set<std::vector<Value>>;
using Violations = std::set<ViolationKey>;

constexpr Model kModels[] = {Model::kSc, Model::kTso, Model::kPso};
constexpr Model kBuffered[] = {Model::kTso, Model::kPso};

const Violations kOnlyAssertion = {{ViolationKind::kAssertion, 0}};

Violations violations(const Program& program, Model model) { return explore_all(program, model).violations; }

// The lock.

class ForeignLock : public ::testing::TestWithParam<Model> {
 protected:
  // Q wants to do something while P holds the lock.
  template <class Want>
  bool allowed(Want want) {
    TinyProgram tiny({"x"});
    const ThreadId p = tiny.thread("P").lock().id();
    TinyThread q = tiny.thread("Q");
    want(q);
    const ReferenceMachine machine(tiny.program(), GetParam());
    return can_move(machine, after_instruction(machine, machine.initial(), p), q.id());
  }
};

TEST_P(ForeignLock, BlocksMemoryAccessesOfOtherThreads) {
  EXPECT_FALSE(allowed([](TinyThread& q) { q.load("r", "x"); }));
  EXPECT_FALSE(allowed([](TinyThread& q) { q.fetch_add("r", "x", 1); }));
  EXPECT_FALSE(allowed([](TinyThread& q) { q.store("x", 1, Order::kSequential); }));
  EXPECT_FALSE(allowed([](TinyThread& q) { q.lock(); }));
  EXPECT_FALSE(allowed([](TinyThread& q) { q.unlock(); }));
  EXPECT_FALSE(allowed([](TinyThread& q) { q.atomic_begin().atomic_end(); }));
}

TEST_P(ForeignLock, LeavesLocalStepsFencesAndBufferedStoresAlone) {
  EXPECT_TRUE(allowed([](TinyThread& q) { q.nop(); }));
  EXPECT_TRUE(allowed([](TinyThread& q) { q.choose("r", 0, 1); }));
  EXPECT_TRUE(allowed([](TinyThread& q) { q.fence(); }));
  EXPECT_TRUE(allowed([](TinyThread& q) { q.store_fence(); }));
  EXPECT_EQ(allowed([](TinyThread& q) { q.store("x", 1); }), GetParam() != Model::kSc);
}

INSTANTIATE_TEST_SUITE_P(Models, ForeignLock, ::testing::ValuesIn(kModels));

TEST(Lock, HoldsBackTheFlushesOfOthersButNotItsOwn) {
  TinyProgram tiny({"x", "y"});
  const ThreadId p = tiny.thread("P").lock().store("x", 1).id();
  const ThreadId q = tiny.thread("Q").store("y", 1).id();
  for (const Model model : kBuffered) {
    const ReferenceMachine machine(tiny.program(), model);
    ReferenceState state = after_instruction(machine, machine.initial(), p);
    state = after_instruction(machine, state, p);
    state = after_instruction(machine, state, q);
    EXPECT_TRUE(can_move(machine, state, p, WitnessStep::Kind::kFlush));
    EXPECT_FALSE(can_move(machine, state, q, WitnessStep::Kind::kFlush));
  }
}

TEST(Lock, NeedsAnEmptyBufferAndAFreeLock) {
  TinyProgram tiny({"x"});
  const ThreadId p = tiny.thread("P").store("x", 1).lock().lock().id();
  for (const Model model : kBuffered) {
    const ReferenceMachine machine(tiny.program(), model);
    const ReferenceState stored = after_instruction(machine, machine.initial(), p);
    EXPECT_FALSE(can_move(machine, stored, p));
    ReferenceState flushed = stored;
    machine.flush(flushed, p, 0);
    const ReferenceState locked = after_instruction(machine, flushed, p);
    EXPECT_EQ(locked.lock, p);
    EXPECT_TRUE(machine.steps(locked).empty()) << "a thread does not get the lock twice";
    EXPECT_TRUE(machine.deadlocked(locked));
  }
}

TEST(Unlock, NeedsAnEmptyBufferAndTheOwnLock) {
  TinyProgram tiny({"x"});
  const ThreadId p = tiny.thread("P").lock().store("x", 1).unlock().unlock().id();
  for (const Model model : kBuffered) {
    const ReferenceMachine machine(tiny.program(), model);
    ReferenceState state = after_instruction(machine, machine.initial(), p);
    state = after_instruction(machine, state, p);
    EXPECT_FALSE(can_move(machine, state, p));
    machine.flush(state, p, 0);
    state = after_instruction(machine, state, p);
    EXPECT_EQ(state.lock, std::nullopt);
    EXPECT_FALSE(can_move(machine, state, p)) << "the lock is free, not own";
  }
}

TEST(Lock, MakesIncrementsExclusive) {
  TinyProgram tiny({"x"});
  for (const char* name : {"P", "Q"}) {
    TinyThread t = tiny.thread(name).lock().load("r", "x");
    const ExprId next = tiny.program().binary(ExprOp::kAdd, t.value("r"), tiny.program().constant(1));
    t.assign("r", next).store_register("x", "r").unlock();
  }
  for (const Model model : kModels) EXPECT_EQ(outcomes(tiny.program(), model, {"x"}), (Outcomes{{2}}));
}

// Buffers.

TEST(Fence, WaitsForTheBuffer) {
  TinyProgram tiny({"x"});
  const ThreadId p = tiny.thread("P").store("x", 1).fence().id();
  for (const Model model : kBuffered) {
    const ReferenceMachine machine(tiny.program(), model);
    EXPECT_FALSE(can_move(machine, after_instruction(machine, machine.initial(), p), p));
  }
  const ReferenceMachine sc(tiny.program(), Model::kSc);
  EXPECT_TRUE(can_move(sc, after_instruction(sc, sc.initial(), p), p));
}

TEST(Fence, AStoreFenceWithNothingBeforeItLeavesNoTrace) {
  TinyProgram tiny({"x"});
  const ThreadId p = tiny.thread("P").store_fence().fence().id();
  const ReferenceMachine machine(tiny.program(), Model::kPso);
  const ReferenceState state = after_instruction(machine, machine.initial(), p);
  EXPECT_TRUE(state.buffers[p.index()].empty());
  EXPECT_TRUE(can_move(machine, state, p));
}

TEST(Buffers, HaveOneRepresentation) {
  TinyProgram tiny({"x", "y"});
  TinyThread p = tiny.thread("P");
  const LocationId end = p.nop().here();
  p.continue_at(tiny.program().function(p.function()).entry).store("x", 1).store("y", 1).jump_to(end);
  p.continue_at(tiny.program().function(p.function()).entry).store("y", 1).store("x", 1).jump_to(end);
  const auto full_buffers_at_end = [&](Model model) {
    std::set<StoreBuffer> found;
    for (const ReferenceState& s : explore_all(tiny.program(), model, {}, CollectStates::kYes).states)
      if (current_location(s, p.id()) == end && s.buffers[0].size() == 2) found.insert(s.buffers[0]);
    return found.size();
  };
  EXPECT_EQ(full_buffers_at_end(Model::kTso), 2u);
  EXPECT_EQ(full_buffers_at_end(Model::kPso), 1u) << "stores to different variables are not ordered";
}

TEST(Buffers, ReadModifyWritesAndSequentialStoresNeedThemEmpty) {
  for (const Model model : kBuffered) {
    for (const bool exchange : {false, true}) {
      TinyProgram tiny({"x", "y"});
      TinyThread p = tiny.thread("P").store("x", 1);
      if (exchange)
        p.exchange("r", "y", 1);
      else
        p.store("y", 1, Order::kSequential);
      const ReferenceMachine machine(tiny.program(), model);
      ReferenceState state = after_instruction(machine, machine.initial(), p.id());
      EXPECT_FALSE(can_move(machine, state, p.id()));
      machine.flush(state, p.id(), 0);
      state = after_instruction(machine, state, p.id());
      EXPECT_TRUE(state.buffers[0].empty());
      EXPECT_EQ(observe(tiny.program(), state, "y"), 1);
    }
  }
}

// Atomic blocks.

TEST(AtomicBlock, IsOneStepStraightOnMemory) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").atomic_begin().store("x", 1).load("r", "x").store("y", 1).fence().atomic_end();
  for (const Model model : kModels) {
    const ReferenceExploration found = explore_all(tiny.program(), model);
    EXPECT_EQ(found.state_count, 2u);
    EXPECT_EQ(found.transition_count, 1u);
    EXPECT_EQ(outcomes(tiny.program(), model, {"P.r", "x", "y"}), (Outcomes{{1, 1, 1}}));
  }
}

TEST(AtomicBlock, WaitsForTheBuffer) {
  TinyProgram tiny({"x"});
  const ThreadId p = tiny.thread("P").store("x", 1).atomic_begin().atomic_end().id();
  for (const Model model : kBuffered) {
    const ReferenceMachine machine(tiny.program(), model);
    EXPECT_FALSE(can_move(machine, after_instruction(machine, machine.initial(), p), p));
  }
}

TEST(AtomicBlock, RunsUnderTheOwnLock) {
  TinyProgram tiny({"x"});
  tiny.thread("P").lock().atomic_begin().store("x", 1).atomic_end().unlock();
  for (const Model model : kModels) EXPECT_EQ(outcomes(tiny.program(), model, {"x"}), (Outcomes{{1}}));
}

TEST(AtomicBlock, AFalseAssumptionDisablesTheBlockInsteadOfSticking) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").atomic_begin().store("y", 1).load("r", "x").assume_equal("r", 1).atomic_end();
  tiny.thread("Q").load("s", "y").store("x", 1);
  tiny.program().properties.deadlock = true;
  for (const Model model : kModels) {
    EXPECT_EQ(outcomes(tiny.program(), model, {"Q.s", "x", "y"}), (Outcomes{{0, 1, 1}}));
    EXPECT_EQ(violations(tiny.program(), model), Violations{});
  }
}

TEST(AtomicBlock, ABlockThatCannotEndIsADeadlock) {
  TinyProgram tiny({"x"});
  tiny.thread("P").atomic_begin().load("r", "x").assume_equal("r", 1).atomic_end();
  tiny.program().properties.deadlock = true;
  EXPECT_EQ(violations(tiny.program(), Model::kSc), (Violations{{ViolationKind::kDeadlock, 0}}));
  EXPECT_EQ(explore_all(tiny.program(), Model::kSc).state_count, 1u);
}

TEST(AtomicBlock, ResolvesChoicesInEveryWay) {
  TinyProgram tiny({"x"});
  TinyThread p = tiny.thread("P").atomic_begin().choose("r", 0, 3);
  const ExprId odd = tiny.program().binary(ExprOp::kBitAnd, p.value("r"), tiny.program().constant(1));
  p.add({.op = Opcode::kAssume, .a = odd}).store_register("x", "r").atomic_end();
  for (const Model model : kModels) EXPECT_EQ(outcomes(tiny.program(), model, {"x"}), (Outcomes{{1}, {3}}));
}

TEST(AtomicBlock, ALoopInsideEndsTheSearchOnceNothingIsNew) {
  TinyProgram tiny({"x"});
  TinyThread p = tiny.thread("P").atomic_begin();
  const LocationId loop = p.here();
  p.jump_to(loop).atomic_end();
  EXPECT_EQ(explore_all(tiny.program(), Model::kTso).state_count, 2u);
}

TEST(AtomicBlock, AFailingInstructionInsideIsAViolationEvenIfTheEndIsOutOfReach) {
  TinyProgram tiny({"x"});
  TinyThread p = tiny.thread("P").atomic_begin().load("r", "x").assert_equal("r", 1);
  p.assume_equal("r", 1).atomic_end();
  for (const Model model : kModels) EXPECT_EQ(violations(tiny.program(), model), kOnlyAssertion);
}

TEST(AtomicBlock, StatesInsideAreNotObserved) {
  TinyProgram tiny({"x"});
  TinyThread p = tiny.thread("P").atomic_begin().store("x", 1);
  const LocationId inside = p.here();
  p.store("x", 0).atomic_end();
  Program& program = tiny.program();
  program.properties.goals = {{{p.id(), inside}}};
  const ExprId x = program.add_expression({.op = ExprOp::kSharedCell, .constant = 0});
  program.properties.invariants.push_back({.expression = program.unary(ExprOp::kLogicalNot, x)});
  EXPECT_EQ(violations(program, Model::kSc), Violations{});
}

}  // namespace weir::test::memory_rules_test
