// Blocks: addresses, bounds, release and use after it, through buffers; leaks.
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/replay.hpp"
#include "program/address.hpp"
#include "support/text_program.hpp"
#include "support/tiny_program.hpp"

namespace weir::test::blocks_test {

using ::testing::HasSubstr;
using Outcomes = std::set<std::vector<Value>>;
using Violations = std::set<ViolationKey>;

constexpr Model kModels[] = {Model::kSc, Model::kTso, Model::kPso};

const Violations kNone;
const Violations kBadAccess = {{ViolationKind::kMemory, 0}};
const Violations kLeaks = {{ViolationKind::kMemory, kLeak}};

std::string failure(const std::vector<std::string>& code) {
  return first_violation(TextProgram("shared x : u64 = 0\n").thread("P", code).program(), Model::kTso);
}

Outcomes result(const std::vector<std::string>& code) {
  return outcomes(TextProgram("shared x : u64 = 0\n").thread("P", code).program(), Model::kTso, {"P.r"});
}

TEST(Blocks, HaveAddressesThatSayEverything) {
  TextProgram text;
  text.thread("P", {});
  text.thread("Q", {"p := allocate heap 5", "p := allocate zeroed 6", "q := allocate stack 7"});
  const Value second = encode(BlockAddress{1, 1, BlockKind::kZeroed, 6, 0});
  const Value on_stack = encode(BlockAddress{1, 0, BlockKind::kStack, 7, 0});
  EXPECT_EQ(outcomes(text.program(), Model::kSc, {"Q.p", "Q.q"}), (Outcomes{{second, on_stack}}));
}

TEST(Blocks, HoldWhatIsStored) {
  EXPECT_EQ(result({"p := allocate heap 8", "store u32 [p + 4u64] := 7u32", "r := load u32 [p + 4u64]"}),
            Outcomes{{7}});
  EXPECT_EQ(result({"p := allocate zeroed 8", "r := load i32 [p]"}), Outcomes{{0}});
  EXPECT_EQ(result({"p := allocate zeroed 1", "rmw sub u8 [p], 1u8", "r := load i8 [p]"}), Outcomes{{-1}});
}

// A load of another signedness sees the same bits, and so does whoever compares states.
TEST(Blocks, HoldUnsignedNumbers) {
  for (const char* bits : {"8", "16", "32"}) {
    const std::string type = std::string("i") + bits;
    const std::string store = "store " + type + " [p] := -1" + type;
    EXPECT_EQ(result({"p := allocate heap 8", store, "r := load " + type + " [p]"}), Outcomes{{-1}});
    TextProgram text;
    text.thread("P", {"p := allocate heap 8", store});
    const ReferenceExploration exploration = explore_all(text.program(), Model::kSc);
    ASSERT_EQ(exploration.terminal.size(), 1u);
    for (const auto& [address, byte] : exploration.terminal.begin()->memory) EXPECT_EQ(byte, 0xFF) << type;
  }
}

TEST(Blocks, StartUninitialisedUnlessZeroed) {
  EXPECT_THAT(failure({"p := allocate heap 4", "r := load u32 [p]"}), HasSubstr("not initialised"));
  EXPECT_THAT(failure({"p := allocate stack 4", "rmw add u32 [p], 1u32"}), HasSubstr("not initialised"));
  EXPECT_EQ(result({"p := allocate heap 4", "r := load u32 copies [p]"}), Outcomes{{kUninitialised}});
}

TEST(Blocks, HaveBounds) {
  EXPECT_THAT(failure({"p := allocate heap 8", "store u32 [p + 5u64] := 1u32"}),
              HasSubstr("outside its block"));
  EXPECT_THAT(failure({"p := allocate heap 0", "store u8 [p] := 1u8"}), HasSubstr("outside its block"));
  EXPECT_THAT(failure({"p := allocate zeroed 8", "r := load u8 [p - 1u64]"}), HasSubstr("outside its block"));
  EXPECT_EQ(failure({"p := allocate heap 8", "store u32 [p + 4u64] := 1u32", "free heap p"}), "");
}

TEST(Blocks, AreNotUsedAfterTheyWereFreed) {
  EXPECT_THAT(failure({"p := allocate zeroed 4", "free heap p", "r := load u32 [p]"}),
              HasSubstr("after its block"));
  EXPECT_THAT(failure({"p := allocate zeroed 4", "free heap p", "store u32 [p] := 1u32"}),
              HasSubstr("after its block"));
  EXPECT_THAT(failure({"p := allocate zeroed 4", "free heap p", "free heap p"}), HasSubstr("a second time"));
  EXPECT_EQ(failure({"p := allocate zeroed 4", "free heap p", "p := allocate zeroed 4", "r := load u32 [p]"}),
            "");
}

TEST(Blocks, AreFreedByTheirKindAtTheirStart) {
  EXPECT_THAT(failure({"p := allocate stack 4", "free heap p"}), HasSubstr("is on the stack"));
  EXPECT_THAT(failure({"p := allocate zeroed 4", "free stack p"}), HasSubstr("not on the stack"));
  EXPECT_THAT(failure({"p := allocate heap 4", "free heap p + 1u64"}), HasSubstr("not the start of a block"));
  EXPECT_THAT(failure({"free heap 5"}), HasSubstr("not the start of a block"));
  EXPECT_THAT(failure({"free heap 0", "free heap frame(0)"}), HasSubstr("not the start of a block"));
  EXPECT_EQ(failure({"p := allocate stack 4", "free stack p", "p := allocate zeroed 4", "free zeroed p",
                     "free stack 0"}),
            "");
}

// Q gets the block, may free it, and P may use it.
TEST(Blocks, MayBeFreedByAnotherThreadTooEarly) {
  TextProgram text("shared x : u64 = 0\n");
  text.thread("P", {"p := allocate zeroed 4", "store u64 x := p", "r := load u32 [p]"});
  text.thread("Q", {"q := load u64 x wait 0", "free heap q"});
  for (const Model model : kModels) EXPECT_EQ(violations(text.program(), model), kBadAccess);
}

TEST(Blocks, AreFreedForOthersOnlyWhenTheFlushHappened) {
  TextProgram text("shared x : u64 = 0\n");
  text.thread("P", {"p := allocate zeroed 4", "free heap p", "r := 1"});
  const Program program = text.program();
  for (const Model model : {Model::kTso, Model::kPso}) {
    const ReferenceMachine machine(program, model);
    ReferenceState state = after_instruction(machine, machine.initial(), ThreadId(0));
    const Value block = observe(program, state, "P.p");
    state = after_instruction(machine, state, ThreadId(0));
    EXPECT_EQ(read_memory(program, state.memory, status_address(block)), 0);
    ASSERT_EQ(state.buffers[0].size(), 1u);
    EXPECT_EQ(state.buffers[0].front().address, status_address(block));
    const WitnessStep flush = machine.flush(state, ThreadId(0), 0);
    EXPECT_EQ(flush.address, status_address(block));
    EXPECT_EQ(flush.value, 1);
    EXPECT_EQ(read_memory(program, state.memory, status_address(block)), 1);
  }
}

// Neither thread sees the other's release as long as it is in the buffer.
TEST(Blocks, MayBeFreedTwiceThroughBuffers) {
  TextProgram text("shared x : u64 = 0\n");
  text.thread("P", {"p := allocate heap 4", "store u64 sequential x := p", "free heap p"});
  text.thread("Q", {"q := load u64 x wait 0", "free heap q"});
  const Program program = text.program();
  const auto both_free = [&](Model model) {
    const ReferenceMachine machine(program, model);
    const std::set<ReferenceState> ends = explore_all(program, model).terminal;
    return std::ranges::any_of(ends, [&](const ReferenceState& end) { return machine.all_stopped(end); });
  };
  for (const Model model : kModels) EXPECT_EQ(violations(program, model), kBadAccess);
  EXPECT_FALSE(both_free(Model::kSc));
  EXPECT_TRUE(both_free(Model::kTso));
  EXPECT_TRUE(both_free(Model::kPso));
}

// Under PSO the release of a block is not overtaken by earlier stores into it.
TEST(Blocks, AreFreedLikeAReleaseStore) {
  TextProgram text("shared x = 0\n");
  text.thread("P", {"p := allocate heap 4", "store x := 1", "free heap p", "r := 1"});
  const Program program = text.program();
  const ReferenceMachine machine(program, Model::kPso);
  ReferenceState state = machine.initial();
  for (int i = 0; i < 3; ++i) state = after_instruction(machine, state, ThreadId(0));
  EXPECT_EQ(machine.flushable(state, ThreadId(0)).size(), 1u) << "only the store to x";
}

TEST(Blocks, AreFreedStraightInAtomicBlocks) {
  TextProgram text;
  text.thread("P", {"p := allocate heap 4", "atomic_begin", "free heap p", "atomic_end", "free heap p"});
  const Program program = text.program();
  const ReferenceMachine machine(program, Model::kPso);
  ReferenceState state = after_instruction(machine, machine.initial(), ThreadId(0));
  state = after_instruction(machine, state, ThreadId(0));
  EXPECT_TRUE(state.buffers[0].empty());
  for (const Model model : kModels) EXPECT_EQ(violations(program, model), kBadAccess);
}

TEST(Blocks, WaitForTheLockToBeFreed) {
  TextProgram text;
  text.thread("L", {"lock"});
  text.thread("P", {"p := allocate heap 4", "free heap p"});
  text.thread("Q", {"free heap 0"});
  const Program program = text.program();
  for (const Model model : kModels) {
    const ReferenceMachine machine(program, model);
    ReferenceState state = after_instruction(machine, machine.initial(), ThreadId(0));
    state = after_instruction(machine, state, ThreadId(1));
    EXPECT_FALSE(can_move(machine, state, ThreadId(1)));
    EXPECT_TRUE(can_move(machine, state, ThreadId(2)));
  }
}

TEST(Blocks, EndTheExecutionWhenThereAreTooMany) {
  TextProgram text("deadlock\nshared x = 0\n");
  text.thread("P", {"p := allocate heap 524288", "store x := 1"});
  const ReferenceExploration exploration = explore_all(text.program(), Model::kSc);
  EXPECT_EQ(exploration.violations, kNone);
  ASSERT_EQ(exploration.terminal.size(), 1u);
  EXPECT_TRUE(exploration.terminal.begin()->halted);
  EXPECT_TRUE(exploration.memories.size() == 1u) << "x is never written";

  TextProgram negative;
  negative.thread("P", {"p := allocate heap -1"});
  EXPECT_TRUE(explore_all(negative.program(), Model::kSc).terminal.begin()->halted);

  TextProgram loop;
  loop.declare("function f()\n  register p : u64\n  s:\n    p := allocate stack 1 -> s\nend\nthread P = f()");
  const ReferenceExploration many = explore_all(loop.program(), Model::kSc);
  EXPECT_EQ(many.state_count, kMostBlocks + 2);
  EXPECT_TRUE(many.terminal.begin()->halted);
}

// Accesses of different sizes.

TEST(Blocks, AreAccessedInAnySize) {
  EXPECT_EQ(result({"p := allocate heap 8", "store u32 [p] := 67305985u32", "r := load u16 [p + 1u64]"}),
            Outcomes{{0x0302}});
  EXPECT_EQ(result({"p := allocate zeroed 8", "store u8 [p + 5u64] := 1u8", "r := load [p]"}),
            Outcomes{{0x010000000000}});
  EXPECT_EQ(result({"p := allocate zeroed 8", "store u32 [p] := 1u32", "r := load i32 [p]",
                    "r := load u16 [p + 4u64]", "r := load u16 [p + 6u64]"}),
            Outcomes{{0}});
  EXPECT_THAT(failure({"p := allocate heap 8", "store u32 [p] := 1u32", "r := load [p]"}),
              HasSubstr("not initialised"));
}

// Leaks.

TEST(Leaks, AreBlocksNobodyFreed) {
  const auto found = [](const std::vector<std::string>& code) {
    return violations(TextProgram("leaks\n").thread("P", code).program(), Model::kTso);
  };
  EXPECT_EQ(found({"p := allocate heap 4"}), kLeaks);
  EXPECT_EQ(found({"p := allocate heap 4", "free heap p"}), kNone);
  EXPECT_EQ(found({"p := allocate heap 4", "q := allocate zeroed 4", "free heap p"}), kLeaks);
  EXPECT_EQ(found({"p := allocate stack 4"}), kNone);
  EXPECT_EQ(found({"p := allocate heap 4", "assume 0"}), kNone) << "the thread never stops";
  EXPECT_EQ(found({"p := allocate heap 4", "stop"}), kLeaks);
}

TEST(Leaks, AreOnlyLookedForWhenAsked) {
  EXPECT_EQ(violations(TextProgram().thread("P", {"p := allocate heap 4"}).program(), Model::kSc), kNone);
}

TEST(Leaks, CountWhenDormantThreadsSleepOn) {
  TextProgram text("shared x = 0\nleaks\n");
  text.thread("P", {"p := allocate heap 4"});
  text.dormant_thread("W", {"r := load x wait 0"});
  EXPECT_EQ(violations(text.program(), Model::kPso), kLeaks);
}

TEST(Leaks, Replay) {
  TextProgram text("leaks\n");
  text.thread("P", {"p := allocate heap 4", "free heap p"});
  text.thread("Q", {"q := allocate zeroed 4"});
  const Program program = text.program();
  for (const Model model : kModels) {
    std::optional<Witness> witness = shortest_witness(program, model);
    ASSERT_TRUE(witness.has_value());
    EXPECT_EQ(witness->violation.message, "Q.heap0 is never released");
    EXPECT_TRUE(replay(program, *witness).reproduced);
    witness->violation.property = 0;
    EXPECT_THAT(replay(program, *witness).failure, HasSubstr("does not fail"));
    witness->violation.property = kLeak;
    witness->steps.pop_back();
    EXPECT_THAT(replay(program, *witness).failure, HasSubstr("no block is left"));
  }
}

TEST(FailedAccesses, AreNoLeaks) {
  TextProgram text("leaks\n");
  text.thread("P", {"p := allocate heap 4", "r := load u32 [p]"});
  const Program program = text.program();
  std::optional<Witness> witness = shortest_witness(program, Model::kSc);
  ASSERT_TRUE(witness.has_value());
  EXPECT_TRUE(replay(program, *witness).reproduced);
  witness->violation.property = kLeak;
  EXPECT_THAT(replay(program, *witness).failure, HasSubstr("claims that a block is left"));
}

}  // namespace weir::test::blocks_test
