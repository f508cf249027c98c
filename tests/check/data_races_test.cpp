// Data races: who must be able to do what at the same time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/replay.hpp"
#include "support/text_program.hpp"
#include "support/tiny_program.hpp"

namespace weir::test::data_races_test {

using ::testing::HasSubstr;
using Code = std::vector<std::string>;

constexpr Model kModels[] = {Model::kSc, Model::kTso, Model::kPso};

constexpr const char* kObjects =
    "shared x = 0\nshared y = 0\nconstant k = 1\nshared u = uninitialised\nshared m = 0\nshared b : u64 = "
    "0\nraces\n";

bool race(const Code& p, const Code& q, Model model = Model::kTso) {
  const std::set<ViolationKey> found = violations(
      TextProgram(kObjects).thread("P", p, "  private a : 8\n").thread("Q", q, "  private a : 8\n").program(),
      model);
  return found.contains({ViolationKind::kRace, 0});
}

TEST(DataRaces, NeedAWriteAndAPlainAccess) {
  for (const Model model : kModels) {
    EXPECT_TRUE(race({"store plain x := 1"}, {"r := load plain x"}, model));
    EXPECT_TRUE(race({"store plain x := 1"}, {"store plain x := 2"}, model));
    EXPECT_TRUE(race({"store x := 1"}, {"r := load plain x"}, model));
    EXPECT_TRUE(race({"r := load x"}, {"store plain x := 2"}, model));
    EXPECT_TRUE(race({"rmw add x, 1"}, {"r := load plain x"}, model));
    EXPECT_FALSE(race({"r := rmw compare_exchange x, 7, 1"}, {"r := load plain x"}, model))
        << "a compare-exchange that finds another value only reads";
    EXPECT_TRUE(race({"r := rmw compare_exchange x, 0, 1"}, {"r := load plain x"}, model));
    EXPECT_TRUE(race({"r := rmw compare_exchange x, 7, 1"}, {"store plain x := 2"}, model));
    EXPECT_FALSE(race({"store x := 1"}, {"store x := 2"}, model));
    EXPECT_FALSE(race({"r := load plain x"}, {"r := load plain x"}, model));
    EXPECT_FALSE(race({"store plain x := 1"}, {"r := load plain y"}, model));
  }
}

TEST(DataRaces, ReplayNamesBothAccesses) {
  const Program program = TextProgram(kObjects)
                              .thread("P", {"r := load y", "store plain x := 1"})
                              .thread("Q", {"r := load x"})
                              .program();
  Witness witness{.violation = {.kind = ViolationKind::kRace}};
  EXPECT_FALSE(replay(program, witness).reproduced);
  EXPECT_TRUE(replay(program, witness).race.empty());
  witness.steps.push_back({.thread = ThreadId(0), .edge = EdgeId(0), .address = program.objects[1].base});
  const ReplayResult result = replay(program, witness);
  ASSERT_TRUE(result.reproduced) << result.failure;
  ASSERT_EQ(result.race.size(), 2u);
  EXPECT_EQ(result.race[0].thread, ThreadId(0));
  EXPECT_EQ(program.edge(result.race[0].edge).instruction.op, Opcode::kStore);
  EXPECT_EQ(result.race[1].thread, ThreadId(1));
  EXPECT_EQ(program.edge(result.race[1].edge).instruction.op, Opcode::kLoad);
  EXPECT_EQ(program.address_name(result.race[1].address), "x");
}

TEST(DataRaces, AreOnlyLookedForWhenAsked) {
  TextProgram text("shared x = 0\n");
  text.thread("P", {"store plain x := 1"}).thread("Q", {"store plain x := 1"});
  EXPECT_TRUE(violations(text.program(), Model::kSc).empty());
}

TEST(DataRaces, NeedTwoThreads) {
  TextProgram text("shared x = 0\nraces\n");
  text.declare(
      "function f()\n  a:\n    store plain x := 1 -> b\n    store plain x := 2 -> b\n  b:\nend\nthread P = "
      "f()");
  EXPECT_TRUE(violations(text.program(), Model::kSc).empty());
}

TEST(DataRaces, AreNotInPrivateOrConstantMemory) {
  EXPECT_FALSE(race({"store plain [frame(0)] := 1"}, {"store plain [frame(0)] := 1"}));
  EXPECT_FALSE(race({"r := load plain k"}, {"r := load plain k"}));
}

TEST(DataRaces, AreNotBetweenAtomicBlocks) {
  EXPECT_FALSE(race({"atomic_begin", "store plain x := 1", "atomic_end"},
                    {"atomic_begin", "store plain x := 2", "atomic_end"}));
}

TEST(DataRaces, AreBetweenABlockAndAPlainAccess) {
  const Code writes = {"atomic_begin", "store x := 1", "atomic_end"},
             reads = {"atomic_begin", "r := load x", "atomic_end"};
  for (const Model model : kModels) {
    EXPECT_TRUE(race(writes, {"r := load plain x"}, model));
    EXPECT_TRUE(race(reads, {"store plain x := 2"}, model));
    EXPECT_FALSE(race(reads, {"r := load plain x"}, model));
    EXPECT_FALSE(race(writes, {"store x := 2"}, model)) << "not plain";
    EXPECT_FALSE(race({"atomic_begin", "r := load y", "assume r == 1", "store x := 1", "atomic_end"},
                      {"store plain x := 2", "store sequential y := 1"}, model))
        << "the block cannot be executed before";
  }
}

// A lock in m: taking it is an atomic block, releasing it a store.
Code locked(const std::string& access) {
  return {"atomic_begin", "r := load m", "assume r == 0",       "store m := 1",
          "atomic_end",   access,        "store release m := 0"};
}

TEST(DataRaces, AreAvoidedByLocks) {
  for (const Model model : kModels) {
    EXPECT_FALSE(race(locked("store plain x := 1"), locked("store plain x := 2"), model));
    EXPECT_TRUE(race(locked("store plain x := 1"), {"store plain x := 2"}, model));
  }
}

TEST(DataRaces, NeedExecutableInstructions) {
  EXPECT_FALSE(
      race({"store plain x := 1", "store sequential y := 1"}, {"r := load y wait 0", "s := load plain x"}));
  EXPECT_FALSE(race({"lock", "store plain x := 1", "fence full", "unlock"},
                    {"lock", "store plain x := 2", "fence full", "unlock"}));
  EXPECT_FALSE(race({"halt", "store plain x := 1"}, {"store plain x := 2"}));
  EXPECT_TRUE(race({"r := load plain x wait 5"}, {"store plain x := 2"}));
  EXPECT_FALSE(race({"r := load plain x wait 0"}, {"store x := 2"}))
      << "once x is 2, nothing writes it any more";
}

// A buffered store to x may reach memory when nobody looks: flushes do not count.
TEST(DataRaces, AreAboutInstructionsNotFlushes) {
  EXPECT_FALSE(
      race({"store plain x := 1", "store y := 1"}, {"r := load y wait 0", "s := load x"}, Model::kPso));
}

TEST(DataRaces, AreInBlocks) {
  TextProgram text(kObjects);
  text.thread("P",
              {"p := allocate zeroed 8", "store u64 release b := p", "store u32 plain [p + 4u64] := 1u32"});
  text.thread("Q", {"q := load u64 acquire b wait 0", "r := load u32 plain [q + 4u64]"});
  for (const Model model : kModels)
    EXPECT_EQ(first_violation(text.program(), model), "threads P and Q access P.heap0+4 at the same time");
}

TEST(DataRaces, AreNotAccessesThatFailWhateverMemoryHolds) {
  EXPECT_FALSE(race({"store plain k := 1"}, {"r := load plain k"}));
  EXPECT_FALSE(race({"store plain [77] := 1"}, {"store plain [77] := 1"}));
  EXPECT_FALSE(race({"store u8 plain x := 1u8"}, {"r := load plain x"}));
  EXPECT_FALSE(race({"store plain x := 1 / 0"}, {"r := load plain x"}));
  EXPECT_FALSE(race({"store plain x := " + std::to_string(kUninitialised)}, {"r := load plain x"}));
}

TEST(DataRaces, MayBeAccessesThatFailBecauseOfWhatMemoryHolds) {
  EXPECT_TRUE(race({"store u := 1"}, {"r := load plain u"}));
  EXPECT_TRUE(race({"rmw add u, 1"}, {"store plain u := 1"}));
  EXPECT_TRUE(race({"p := allocate zeroed 1", "store u64 b := p", "free heap p", "fence full",
                    "store u8 plain [p] := 1u8"},
                   {"q := load u64 b wait 0", "store u8 plain [q] := 2u8"}));
}

TEST(DataRaces, Replay) {
  TextProgram text(kObjects);
  text.thread("P", {"nop", "store plain x := 1"}).thread("Q", {"nop", "r := load plain x"});
  Program program = text.program();
  for (const Model model : kModels) {
    std::optional<Witness> witness = shortest_witness(program, model);
    ASSERT_TRUE(witness.has_value());
    EXPECT_EQ(witness->steps.size(), 2u);
    EXPECT_TRUE(replay(program, *witness).reproduced);
    witness->steps.pop_back();
    EXPECT_THAT(replay(program, *witness).failure, HasSubstr("there is no data race"));
  }
  const std::optional<Witness> witness = shortest_witness(program, Model::kSc);
  program.properties.races = false;
  EXPECT_THAT(replay(program, *witness).failure, HasSubstr("does not ask"));
}

}  // namespace weir::test::data_races_test
