// What `auto` makes of a program to search it instead keeps no answer from it.
#include "verify/strategy.hpp"

#include <gtest/gtest.h>

#include "check/replay.hpp"
#include "support/tiny_program.hpp"

namespace weir::test::strategy_test {

constexpr Type kByte{8, false}, kTwoBytes{16, false};

// P notes in a loop what it saw, in a byte that no other thread names; Q reads it together with the byte before.
TEST(Strategy, BytesAroundOwnCellsAreStillRead) {
  TinyProgram tiny({});
  for (const char* name : {"low", "note", "flag"}) tiny.variable(name, kByte);
  Program& program = tiny.program();
  program.byte_memory = true;
  const auto at = [&](std::size_t object) { return program.constant(program.objects[object].base); };
  TinyThread p = tiny.thread("P"), q = tiny.thread("Q");
  const LocationId again = p.here();
  p.add({.op = Opcode::kLoad, .type = kByte, .result = p.reg("r", kByte), .a = at(2)});
  p.add({.op = Opcode::kStore, .type = kByte, .a = at(1), .b = program.register_value(p.reg("r"), kByte)});
  p.jump_to(again);
  q.add({.op = Opcode::kStore, .type = kByte, .a = at(2), .b = program.constant(1, kByte)});
  q.add({.op = Opcode::kLoad, .type = kTwoBytes, .result = q.reg("both"), .a = at(0)});
  q.assert_equal("both", 0);
  Context context;
  const Answer answer = verify::search_by_best_engine(program, {.model = Model::kTso}, context);
  ASSERT_EQ(answer.verdict, Verdict::kUnsafe) << answer.reason;
  EXPECT_TRUE(replay(program, *answer.witness).reproduced);
}

}  // namespace weir::test::strategy_test
