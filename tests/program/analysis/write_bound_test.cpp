#include "program/analysis/write_bound.hpp"

#include <gtest/gtest.h>

#include "support/text_program.hpp"
#include "support/tiny_program.hpp"

namespace weir::test::write_bound_test {

// The longest way counts, not all that is written anywhere.
TEST(WriteBound, OfBranches) {
  TinyProgram tiny({"x"});
  TinyThread p = tiny.thread("P");
  p.store("x", 1);
  const LocationId fork = p.here();
  p.store("x", 2).store("x", 3).load("r", "x");
  const LocationId end = p.here();
  p.continue_at(fork).fetch_add("r", "x", 1).jump_to(end);
  tiny.thread("Q").store("x", 4);
  EXPECT_EQ(most_writes(tiny.program()), 4u);
}

TEST(WriteBound, LoopsHaveNone) {
  TinyProgram tiny({"x"});
  TinyThread p = tiny.thread("P");
  const LocationId begin = p.here();
  p.store("x", 1).jump_to(begin);
  EXPECT_EQ(most_writes(tiny.program()), std::nullopt);
}

// What a function writes counts wherever it is called; one that calls itself has no bound.
TEST(WriteBound, Calls) {
  const char* kCalls = "shared x : u32 = 0\n";
  TextProgram twice(kCalls);
  twice.function("f", {"store u32 x := 1u32", "return"});
  twice.thread("P", {"call f()", "call f()"});
  EXPECT_EQ(most_writes(twice.program()), 2u);
  TextProgram itself(kCalls);
  itself.function("f", {"call f()", "return"});
  itself.thread("P", {"call f()"});
  EXPECT_EQ(most_writes(itself.program()), std::nullopt);
}

}  // namespace weir::test::write_bound_test
