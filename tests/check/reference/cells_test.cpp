// Declared objects: strides, constants, uninitialised cells and what copies them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/text_program.hpp"
#include "support/tiny_program.hpp"

namespace weir::test::cells_test {

using ::testing::HasSubstr;
using Outcomes = std::set<std::vector<Value>>;

constexpr Model kModels[] = {Model::kSc, Model::kTso, Model::kPso};
constexpr const char* kObjects =
    "shared x : u32 at 16 stride 8 = 1, 2\nshared y : u32 at 20 stride 8 = 3, uninitialised\n"
    "constant k : u8 at 64 stride 2 = 5, 6\nshared z : u64 at 128 = uninitialised\nshared w = 0\n";

std::string failure(const std::vector<std::string>& code) {
  return first_violation(TextProgram(kObjects).thread("P", code).program(), Model::kTso);
}

Outcomes result(const std::vector<std::string>& code, const std::string& what = "P.r") {
  return outcomes(TextProgram(kObjects).thread("P", code).program(), Model::kTso, {what});
}

TEST(Strides, SpaceCellsOut) {
  EXPECT_EQ(result({"r := load u32 [24]"}), Outcomes{{2}});
  EXPECT_EQ(result({"r := 1", "r := load u32 x[r]"}), Outcomes{{2}});
  EXPECT_EQ(result({"store u32 x[1] := 9u32", "r := load u32 [24]"}), Outcomes{{9}});
  EXPECT_THAT(failure({"r := load u32 [17]"}), HasSubstr("outside every object"));
  EXPECT_THAT(failure({"r := load u32 [32]"}), HasSubstr("outside every object"));
  EXPECT_THAT(failure({"r := load u8 [24]"}), HasSubstr("32 bits wide but accessed with 8 bits"));
}

constexpr const char* kBytes =
    "byte memory\nshared x : u32 at 16 stride 4 = 67305985, 134678021\nshared g : i8 at 28 stride 2 = -1, "
    "-2\n"
    "constant k : u16 at 40 stride 2 = 513, 1027\nshared z : u16 at 48 stride 2 = uninitialised, 5\n";

Outcomes in_bytes(const std::vector<std::string>& code, Model model = Model::kTso) {
  return outcomes(TextProgram(kBytes).thread("P", code).program(), model, {"P.r"});
}

// What hits a part of a cell, or several, sees and changes just these bytes.
TEST(ByteMemory, IsAccessedInAnySize) {
  EXPECT_EQ(in_bytes({"r := load u8 [17]"}), Outcomes{{2}});
  EXPECT_EQ(in_bytes({"r := load u16 [19]"}), Outcomes{{0x0504}});
  EXPECT_EQ(in_bytes({"r := load [16]"}), Outcomes{{0x0807060504030201}});
  EXPECT_EQ(in_bytes({"store u16 [19] := 48042u16", "r := load [16]"}), Outcomes{{0x080706BBAA030201}});
  EXPECT_EQ(in_bytes({"rmw add u16 [19], 257u16", "r := load [16]"}), Outcomes{{0x0807060605030201}});
  EXPECT_EQ(in_bytes({"store i8 [28] := -3i8", "r := load u8 [28]"}), Outcomes{{253}});
  EXPECT_EQ(in_bytes({"r := load u32 [40]"}), Outcomes{{0x04030201}});
  EXPECT_EQ(in_bytes({"r := load u16 [41]"}), Outcomes{{0x0302}});
}

TEST(ByteMemory, IsUninitialisedAsAWhole) {
  const auto explored = [](const std::string& access) {
    return explore_all(TextProgram(kBytes).thread("P", {access}).program(), Model::kSc);
  };
  EXPECT_FALSE(explored("r := load u32 [48]").violations.empty());
  EXPECT_FALSE(explored("r := load u32 copies [48]").complete) << "some bytes are initialised, others not";
  EXPECT_EQ(in_bytes({"store u8 [48] := 1u8", "store u8 [49] := 2u8", "r := load u32 [48]"}),
            Outcomes{{0x00050201}});
}

TEST(ByteMemory, HasGaps) {
  const auto explored = [](const std::string& access) {
    return explore_all(TextProgram(kBytes).thread("P", {access}).program(), Model::kSc);
  };
  for (const char* access : {"r := load u32 [14]", "r := load u16 [28]", "store u32 [26] := 1u32"}) {
    EXPECT_FALSE(explored(access).complete) << access;
    EXPECT_TRUE(explored(access).violations.empty()) << access;
  }
  for (const char* access :
       {"r := load u8 [24]", "r := load u32 [12]", "store u8 [41] := 1u8", "store u32 [40] := 1u32"})
    EXPECT_FALSE(explored(access).violations.empty()) << access << " is outside every object, or constant";
}

// Two halves in the buffer, and the rest in memory.
TEST(ByteMemory, ForwardsEachByteFromTheNewestStore) {
  for (const Model model : {Model::kSc, Model::kTso, Model::kPso}) {
    EXPECT_EQ(in_bytes({"store u8 [17] := 170u8", "store u16 [17] := 52411u16", "store u8 [18] := 221u8",
                        "r := load [16]"},
                       model),
              Outcomes{{0x0807060504DDBB01}});
    EXPECT_EQ(in_bytes({"store [16] := 0", "store u8 [20] := 7u8", "r := load u16 [20]"}, model),
              Outcomes{{7}});
  }
}

// A store reaches memory in one step, and a load sees one moment. Stores to different bytes may change places under PSO.
TEST(ByteMemory, IsSeenAsAWhole) {
  TextProgram text("byte memory\nshared x : u16 at 16 stride 2 = 0, 0\n");
  text.thread("P", {"store u32 [16] := 65537u32", "store u8 [16] := 2u8", "store u8 [18] := 2u8"});
  text.thread("Q", {"r := load u32 [16]"});
  const Outcomes in_order = {{0}, {0x00010001}, {0x00010002}, {0x00020002}};
  for (const Model model : {Model::kSc, Model::kTso})
    EXPECT_EQ(outcomes(text.program(), model, {"Q.r"}), in_order);
  Outcomes in_any_order = in_order;
  in_any_order.insert({0x00020001});
  EXPECT_EQ(outcomes(text.program(), Model::kPso, {"Q.r"}), in_any_order);
}

TEST(Constants, CannotBeWritten) {
  EXPECT_EQ(result({"r := load u8 k[1]"}), Outcomes{{6}});
  EXPECT_THAT(failure({"store u8 k := 5u8"}), HasSubstr("k[0] is constant"));
  EXPECT_THAT(failure({"rmw add u8 k, 0u8"}), HasSubstr("is constant"));
  EXPECT_THAT(failure({"store u32 k := 5u32"}), HasSubstr("is constant")) << "before the width";
  EXPECT_THAT(failure({"r := load u32 k"}), HasSubstr("8 bits wide"));
}

TEST(Constants, AreLoadedWithoutTheLock) {
  TextProgram text(kObjects);
  text.thread("L", {"lock"}).thread("P", {"r := load u8 k"}).thread("Q", {"r := load u32 x"});
  const Program program = text.program();
  for (const Model model : kModels) {
    const ReferenceMachine machine(program, model);
    const ReferenceState state = after_instruction(machine, machine.initial(), ThreadId(0));
    EXPECT_TRUE(can_move(machine, state, ThreadId(1)));
    EXPECT_FALSE(can_move(machine, state, ThreadId(2)));
  }
}

TEST(Uninitialised, CellsFailWhenRead) {
  EXPECT_THAT(failure({"r := load u32 y[1]"}), HasSubstr("y[1] is read but not initialised"));
  EXPECT_THAT(failure({"rmw exchange u32 y[1], 1u32"}), HasSubstr("not initialised"));
  EXPECT_THAT(failure({"r := load u32 y[1] wait 0"}), HasSubstr("not initialised"))
      << "waiting does not help";
  EXPECT_EQ(result({"store u32 y[1] := 4u32", "r := load u32 y[1]"}), Outcomes{{4}});
}

TEST(Uninitialised, CellsCanBeCopied) {
  EXPECT_EQ(result({"r := load u32 copies y[1]"}), Outcomes{{kUninitialised}});
  EXPECT_EQ(result({"p := load u32 copies y[1]", "store u32 copies x := p", "r := load u32 copies x"}),
            Outcomes{{kUninitialised}});
  EXPECT_THAT(failure({"p := load u32 copies y[1]", "store u32 copies x := p", "r := load u32 x"}),
              HasSubstr("not initialised"));
  EXPECT_EQ(result({"p := load u32 copies x[1]", "store u32 copies y[1] := p", "r := load u32 y[1]"}),
            Outcomes{{2}});
}

TEST(Uninitialised, CopiesGoThroughBuffers) {
  TextProgram text(kObjects);
  text.thread("P", {"p := load u32 copies y[1]", "store u32 copies x := p"});
  text.thread("Q", {"r := load u32 copies x"});
  for (const Model model : kModels)
    EXPECT_EQ(outcomes(text.program(), model, {"Q.r"}), (Outcomes{{1}, {kUninitialised}}));
}

TEST(Uninitialised, TheMarkIsNoNumber) {
  const std::string number = std::to_string(kUninitialised);
  EXPECT_THAT(failure({"store u64 z := " + number}), HasSubstr("marks uninitialised memory"));
  EXPECT_THAT(failure({"store w := " + number}), HasSubstr("marks uninitialised memory"));
  EXPECT_THAT(failure({"store w := " + number + " + 1", "rmw sub w, 1"}),
              HasSubstr("marks uninitialised memory"));
  EXPECT_EQ(failure({"r := rmw compare_exchange w, 1, " + number}), "") << "it does not store";
  EXPECT_EQ(failure({"store u32 x := " + number}), "") << "wrapped, it is another number";
  EXPECT_EQ(result({"store copies w := " + number, "r := load copies w"}), Outcomes{{kUninitialised}});
}

TEST(Uninitialised, DivisionByZeroComesFirst) {
  EXPECT_EQ(failure({"r := load u32 y[1] wait 1 / 0"}), "division by zero");
  EXPECT_EQ(failure({"store u8 k := 1 / 0"}), "division by zero");
  EXPECT_EQ(failure({"free heap 1 / 0"}), "division by zero");
  EXPECT_EQ(failure({"p := allocate heap 1 / 0"}), "division by zero");
}

TEST(Updates, HaveMinimaAndMaximaOfBothKinds) {
  const auto after = [](const std::string& update) {
    const std::vector<std::string> code = {"store u8 [frame(0)] := 200u8", update, "r := load u8 [frame(0)]"};
    return *outcomes(TextProgram().thread("P", code, "  private a : 1\n").program(), Model::kSc, {"P.r"})
                .begin();
  };
  EXPECT_EQ(after("rmw min u8 [frame(0)], 1u8"), std::vector<Value>{200}) << "-56 is less than 1";
  EXPECT_EQ(after("rmw max u8 [frame(0)], 1u8"), std::vector<Value>{1});
  EXPECT_EQ(after("rmw umin u8 [frame(0)], 1u8"), std::vector<Value>{1});
  EXPECT_EQ(after("rmw umax u8 [frame(0)], 1u8"), std::vector<Value>{200});
  EXPECT_EQ(after("rmw nand u8 [frame(0)], 12u8"), std::vector<Value>{0xF7});
  EXPECT_EQ(after("rmw min i8 [frame(0)], 456"), std::vector<Value>{200}) << "456 is 200 in 8 bits";
}

}  // namespace weir::test::cells_test
