// Private memory: bytes, bounds, activations, and that nothing about it waits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/text_program.hpp"
#include "support/tiny_program.hpp"

namespace weir::test::private_memory_test {

using ::testing::HasSubstr;
using Outcomes = std::set<std::vector<Value>>;

constexpr Model kModels[] = {Model::kSc, Model::kTso, Model::kPso};

// What r holds at the end of a thread with 16 private bytes, of which 12 belong to an object.
Outcomes result(const std::vector<std::string>& code) {
  return outcomes(TextProgram().thread("P", code, "  private a : 8\n  private b : 4 at 12\n").program(),
                  Model::kTso, {"P.r"});
}

std::string failure(const std::vector<std::string>& code) {
  return first_violation(
      TextProgram().thread("P", code, "  private a : 8\n  private b : 4 at 12\n").program(), Model::kTso);
}

TEST(PrivateMemory, IsLittleEndianBytes) {
  EXPECT_EQ(result({"store u32 [frame(0)] := 305419896u32", "r := load u8 [frame(0)]"}), Outcomes{{0x78}});
  EXPECT_EQ(result({"store u32 [frame(0)] := 305419896u32", "r := load u16 [frame(1)]"}), Outcomes{{0x3456}});
  EXPECT_EQ(result({"store u16 [frame(0)] := 1u16", "store u16 [frame(2)] := 65535u16",
                    "r := load i32 [frame(0)]"}),
            Outcomes{{-65535}});
  EXPECT_EQ(result({"store [frame(0)] := -2", "store u8 [frame(7)] := 0u8", "r := load [frame(0)]"}),
            Outcomes{{0x00FF'FFFF'FFFF'FFFE}});
}

TEST(PrivateMemory, KeepsWholeBytesOfOddTypes) {
  EXPECT_EQ(result({"store i3 [frame(0)] := -1i3", "r := load i3 [frame(0)]"}), Outcomes{{-1}});
  EXPECT_EQ(result({"store u9 [frame(0)] := 511u9", "r := load u16 [frame(0)]"}), Outcomes{{511}});
}

TEST(PrivateMemory, HasComputedAddresses) {
  EXPECT_EQ(result({"r := 3", "store u8 [(frame(0) : u64) + (r as u64)] := 7u8", "r := load u8 [frame(3)]"}),
            Outcomes{{7}});
}

TEST(PrivateMemory, FailsOutsideOneObject) {
  EXPECT_THAT(failure({"store u8 [frame(8)] := 1u8"}), HasSubstr("not within one object"));
  EXPECT_THAT(failure({"store u32 [frame(5)] := 1u32"}), HasSubstr("not within one object"));
  EXPECT_THAT(failure({"store [frame(12)] := 1"}), HasSubstr("not within one object"));
  EXPECT_THAT(failure({"store u8 [frame(0) - 1] := 1u8"}), HasSubstr("outside every object"))
      << "one byte before the frame is not private memory at all";
  EXPECT_THAT(failure({"store u8 [frame(0) + 1099511627776] := 1u8"}), HasSubstr("has returned"));
  EXPECT_EQ(failure({"store u32 [frame(4)] := 1u32", "store u32 [frame(12)] := 1u32"}), "");
}

TEST(PrivateMemory, FailsWhenNotInitialised) {
  EXPECT_THAT(failure({"r := load u8 [frame(0)]"}), HasSubstr("not initialised"));
  EXPECT_THAT(failure({"store u8 [frame(0)] := 1u8", "r := load u16 [frame(0)]"}),
              HasSubstr("not initialised"));
  EXPECT_THAT(failure({"rmw add u8 [frame(0)], 1u8"}), HasSubstr("not initialised"));
}

TEST(PrivateMemory, CopiesWhatIsNotInitialised) {
  const std::vector<std::string> copy = {"store u8 [frame(0)] := 1u8", "store u8 [frame(1)] := 2u8",
                                         "p := load u16 copies [frame(2)]",
                                         "store u16 copies [frame(0)] := p"};
  std::vector<std::string> code = copy;
  code.push_back("r := load u8 [frame(1)]");
  EXPECT_THAT(failure(code), HasSubstr("not initialised")) << "both bytes lost their value";
  code.back() = "r := load u8 copies [frame(1)]";
  EXPECT_EQ(result(code), Outcomes{{kUninitialised}});
}

TEST(PrivateMemory, RefusesTheMarkAsANumber) {
  const std::string number = std::to_string(kUninitialised);
  EXPECT_THAT(failure({"store [frame(0)] := " + number}), HasSubstr("marks uninitialised memory"));
  EXPECT_THAT(failure({"store [frame(0)] := " + number + " - 1", "rmw add [frame(0)], 1"}),
              HasSubstr("marks uninitialised memory"));
  EXPECT_EQ(failure({"store u32 [frame(0)] := " + number}), "") << "wrapped, it is another number";
}

TEST(PrivateMemory, UpdatesLikeSharedMemory) {
  EXPECT_EQ(
      result({"store u8 [frame(0)] := 250u8", "rmw add u8 [frame(0)], 10u8", "r := load u8 [frame(0)]"}),
      Outcomes{{4}});
  EXPECT_EQ(result({"store u8 [frame(0)] := 1u8", "r := rmw compare_exchange u8 [frame(0)], 2, 3",
                    "r := load u8 [frame(0)]"}),
            Outcomes{{1}});
}

// P's store to x stays in the buffer while it uses its own memory, whatever the order of that.
TEST(PrivateMemory, WaitsNeitherForTheLockNorForTheBuffer) {
  const std::string locals = "  private a : 8\n";
  for (const Model model : {Model::kTso, Model::kPso}) {
    TextProgram text("shared x = 0\n");
    text.thread("Q", {"lock"});
    text.thread("P",
                {"store x := 1", "store [frame(0)] := 1", "store release [frame(0)] := 2",
                 "r := load sequential [frame(0)] wait 0"},
                locals);
    const Program program = text.program();
    const ReferenceMachine machine(program, model);
    ReferenceState state = after_instruction(machine, machine.initial(), ThreadId(0));
    for (int i = 0; i < 4; ++i) state = after_instruction(machine, state, ThreadId(1));
    EXPECT_EQ(observe(program, state, "P.r"), 2);
    EXPECT_EQ(state.buffers[1].size(), 1u);
  }
}

// A locked instruction drains the buffer, whatever it accesses.
TEST(PrivateMemory, UpdatesWaitForTheBuffer) {
  for (const char* access : {"rmw add [frame(0)], 1", "store sequential [frame(0)] := 1"})
    for (const Model model : {Model::kTso, Model::kPso}) {
      TextProgram text("shared x = 0\n");
      text.thread("P", {"store [frame(0)] := 0", "store x := 1", access}, "  private a : 8\n");
      const Program program = text.program();
      const ReferenceMachine machine(program, model);
      ReferenceState state = after_instruction(machine, machine.initial(), ThreadId(0));
      state = after_instruction(machine, state, ThreadId(0));
      const auto steps = machine.steps(state);
      ASSERT_EQ(steps.size(), 1u) << access;
      EXPECT_EQ(steps[0].steps[0].kind, WitnessStep::Kind::kFlush) << access;
    }
}

TEST(PrivateMemory, FailsWithoutWaitingForTheLock) {
  for (const char* access : {"store [frame(0)] := 1 / 0", "r := load [frame(0)]", "rmw add [frame(1)], 1"}) {
    TextProgram text;
    text.thread("L", {"lock"}).thread("P", {access}, "  private a : 8\n");
    const Program program = text.program();
    for (const Model model : kModels) {
      const ReferenceMachine machine(program, model);
      const ReferenceState locked = after_instruction(machine, machine.initial(), ThreadId(0));
      EXPECT_TRUE(can_move(machine, locked, ThreadId(1))) << access;
    }
  }
}

TEST(PrivateMemory, BelongsToOneActivation) {
  // g leaves a value in its own frame and returns; the next call of g finds nothing there.
  TextProgram text;
  text.function("g", {"store u8 copies [frame(0)] := " + std::to_string(kUninitialised), "return"},
                "  private a : 1\n");
  text.function("h", {"store u8 [frame(0)] := 1u8", "return"}, "  private a : 1\n");
  text.function("k", {"r := load u8 [frame(0)]", "return"}, "  private a : 1\n");
  text.thread("P", {"call g()", "call h()", "call k()"}, "  private a : 1\n");
  EXPECT_THAT(first_violation(text.program(), Model::kSc), HasSubstr("not initialised"));
}

TEST(PrivateMemory, OfACallerCanBeWrittenByACallee) {
  TextProgram text;
  text.declare("function set(to : u64)\n  s:\n    store u8 [to] := 9u8 -> e\n  e:\n    return\nend");
  text.thread("P", {"call set((frame(2) : u64))", "r := load u8 [frame(2)]"}, "  private a : 4\n");
  for (const Model model : kModels) EXPECT_EQ(outcomes(text.program(), model, {"P.r"}), Outcomes{{9}});
}

TEST(PrivateMemory, OfAnEndedActivationIsGone) {
  TextProgram text;
  text.declare(
      "function get()\n  private a : 4\n  s:\n    store u8 [frame(0)] := 1u8 -> e\n  e:\n"
      "    return (frame(0) : u64)\nend");
  text.thread("P", {"p := call get()", "r := load u8 [p]"});
  EXPECT_THAT(first_violation(text.program(), Model::kSc), HasSubstr("has returned"));
}

TEST(PrivateMemory, OfOtherThreadsCannotBeReached) {
  // The address of P's byte is an address of Q's own memory for Q.
  TextProgram text("shared x : u64 = 0\n");
  text.thread("P", {"store u8 [frame(0)] := 1u8", "store u64 x := (frame(0) : u64)"}, "  private a : 1\n");
  text.thread("Q", {"p := load u64 x wait 0", "store u8 [frame(0)] := 2u8", "r := load u8 [p]"},
              "  private a : 1\n");
  EXPECT_EQ(outcomes(text.program(), Model::kTso, {"Q.r"}), Outcomes{{2}});
}

}  // namespace weir::test::private_memory_test
