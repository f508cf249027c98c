// Cells that only one thread uses become registers: nothing is lost, nothing is added, and buffers stay short.
#include "engine/rewriting/own_cells.hpp"

#include <gtest/gtest.h>

#include "check/replay.hpp"
#include "engine/explicit/explicit.hpp"
#include "program/validate.hpp"
#include "selfcheck/agreement/rewriting_agreement.hpp"
#include "selfcheck/random/program_generator.hpp"
#include "support/tiny_program.hpp"

namespace weir::test::own_cells_test {

Answer search(const Program& program, std::optional<std::uint32_t> buffer = {}) {
  Context context({.timeout = std::chrono::milliseconds(500)}, {}, false);
  return check_explicit(program, {.model = Model::kTso, .buffer = buffer}, context);
}

// P waits for Q and notes each time what it saw, where nobody else looks.
TinyProgram waiting_and_noting() {
  TinyProgram tiny({"flag", "note"});
  TinyThread p = tiny.thread("P");
  const LocationId again = p.here();
  p.load("r", "flag").store_register("note", "r");
  const LocationId noted = p.here();
  p.assume_equal("r", 1).load("s", "note").assert_equal("s", 1);
  p.continue_at(noted).jump_to(again, {.op = Opcode::kAssume, .a = p.equal("r", 0)});
  tiny.thread("Q").store("flag", 1);
  return tiny;
}

TEST(OwnCells, KeepBuffersShort) {
  TinyProgram tiny = waiting_and_noting();
  EXPECT_EQ(search(tiny.program(), 8).verdict, Verdict::kUnknown);
  const OwnCells own(tiny.program());
  ASSERT_TRUE(own.any());
  EXPECT_TRUE(validate(own.program()).empty());
  EXPECT_EQ(search(own.program()).verdict, Verdict::kSafe);
}

TEST(OwnCells, AreNotThoseThatOthersUse) {
  TinyProgram tiny = waiting_and_noting();
  tiny.thread("R").load("t", "note");
  EXPECT_FALSE(OwnCells(tiny.program()).any());
}

TEST(OwnCells, AreNotThoseOfPropertiesOrLocks) {
  TinyProgram tiny = waiting_and_noting();
  Program with_invariant = tiny.program();
  const ExprId note =
      with_invariant.add_expression({.op = ExprOp::kSharedCell, .constant = with_invariant.objects[1].base});
  with_invariant.properties.invariants.push_back({note, "note", {}});
  EXPECT_FALSE(OwnCells(with_invariant).any());
  tiny.thread("R").lock().unlock();
  EXPECT_FALSE(OwnCells(tiny.program()).any());
}

// R reads the cell through a computed address. The search meets a failure that the program does not have.
TEST(OwnCells, AccessesByComputedAddressesAreNoticed) {
  TinyProgram tiny = waiting_and_noting();
  TinyThread r = tiny.thread("R");
  r.choose("p", tiny.program().objects[1].base, tiny.program().objects[1].base);
  r.add({.op = Opcode::kLoad, .result = r.reg("t"), .a = r.value("p")});
  const OwnCells own(tiny.program());
  ASSERT_TRUE(own.any());
  const Answer answer = search(own.program());
  ASSERT_EQ(answer.verdict, Verdict::kUnsafe);
  EXPECT_FALSE(replay(tiny.program(), own.original_witness(*answer.witness)).reproduced);
}

// What is found with registers is there with cells, store for store; and what is there is found.
TEST(OwnCells, AgreeWithTheProgramOnGeneratedOnes) {
  std::size_t with_own = 0, unsafe = 0, safe = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Program program = build(selfcheck::own_cell_genome(seed));
    const OwnCells own(program);
    if (!own.any()) continue;
    ++with_own;
    ASSERT_TRUE(validate(own.program()).empty()) << seed;
    const Answer expected = search(program, 3), found = search(own.program(), 3);
    // An access to what is no cell any more, by an address that was computed.
    const bool by_address = found.witness && found.witness->violation.kind == ViolationKind::kMemory;
    if (by_address) continue;
    if (found.verdict == Verdict::kUnsafe) {
      ++unsafe;
      const ReplayResult replayed = replay(program, own.original_witness(*found.witness));
      ASSERT_TRUE(replayed.reproduced) << seed << ": " << replayed.failure;
    }
    safe += found.verdict == Verdict::kSafe ? 1 : 0;
    if (found.verdict == Verdict::kSafe) {
      ASSERT_NE(expected.verdict, Verdict::kUnsafe) << seed;
    }
  }
  EXPECT_GT(with_own, 100u);
  EXPECT_GT(unsafe, 20u);
  EXPECT_GT(safe, 20u);
}

}  // namespace weir::test::own_cells_test
