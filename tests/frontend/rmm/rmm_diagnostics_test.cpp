// Every diagnostic of the RMM front end, with its line, its column and what it says.
#include <gtest/gtest.h>

#include "frontend/frontend_checks.hpp"
#include "frontend/rmm/rmm.hpp"

namespace weir::rmm_diagnostics_test {

using test::expect_error;

Expected<Program> parse(const std::string& text) { return parse_rmm("test.rmm", text); }

// The code stands on line 4.
Expected<Program> code(const std::string& text) {
  return parse(
      "forbidden End *\ndata x = 0 : [0:1] y = 0\nprocess data v = 0 : [0:1] registers $r = 0 $b = 0 : [0:1] "
      "text\n" +
      text + "; End: nop\nprocess data v = 0 w = 0 text write: v[my] := 1; write: v[0] := 0\n");
}

TEST(RmmDiagnostics, Words) {
  expect_error(parse("forbidden A process text A: nop ?"), 1, 33, "unexpected character '?'");
  expect_error(parse("forbidden A /* process"), 1, 13, "this comment does not end");
  expect_error(parse("forbidden A process registers $ r = 0"), 1, 31, "expected the name of a register");
  expect_error(parse("forbidden A data x = 12ab"), 1, 22, "'12ab' is neither a number nor a name");
  expect_error(parse("forbidden A data x = 9223372036854775808"), 1, 22, "does not fit into 64 bits");
  expect_error(parse("forbidden \x01"), 1, 11, "unexpected byte 0x01");
}

TEST(RmmDiagnostics, Declarations) {
  expect_error(parse(""), 1, 1, "expected 'forbidden' at the beginning");
  expect_error(parse("process text nop"), 1, 1, "expected 'forbidden' at the beginning");
  expect_error(parse("forbidden process text nop"), 1, 11, "expected a label or '*' for each process");
  expect_error(parse("forbidden A"), 1, 12, "expected 'data' or 'process', found the end of the text");
  expect_error(parse("forbidden A data process text A: nop"), 1, 18, "expected a variable");
  expect_error(parse("forbidden A data x = 0 x = 1 process text A: nop"), 1, 24,
               "a second variable named 'x'");
  expect_error(parse("forbidden A data x process text A: nop"), 1, 20, "expected '=' and an initial value");
  expect_error(parse("forbidden A data x = y process text A: nop"), 1, 22,
               "expected an initial value, a number or '*'");
  expect_error(parse("forbidden A data x = 0 : [1:0] process text A: nop"), 1, 26,
               "the range [1:0] is empty");
  expect_error(parse("forbidden A data x = 2 : [0:1] process text A: nop"), 1, 18,
               "'x' starts with 2, outside of its range [0:1]");
  expect_error(parse("forbidden A data x = 0 : N process text A: nop"), 1, 26,
               "expected a range such as [0:1], or Z");
  expect_error(parse("forbidden A process(0) text A: nop"), 1, 21, "a process has 1 to 1000 copies");
  expect_error(parse("forbidden A process registers r = 0 text A: nop"), 1, 31,
               "expected a register such as $r");
  expect_error(parse("forbidden A process registers $r = 0 $r = 1 text A: nop"), 1, 38,
               "a second register named 'r'");
  expect_error(parse("forbidden A process A: nop"), 1, 21, "expected 'text' and the code of the process");
}

TEST(RmmDiagnostics, Statements) {
  expect_error(code("nop nop"), 4, 5, "expected ';' between two statements, found 'nop'");
  expect_error(code("A: nop; A: nop"), 4, 9, "a second label named 'A'; the first is on line 4");
  expect_error(code("y := 1"), 4, 3, "expected ':' behind the label 'y', found ':='");
  expect_error(code("read: y := 1"), 4, 9, "expected '=', found ':='");
  expect_error(code("read: $r = y"), 4, 10, "expected ':=' behind the register of 'read'");
  expect_error(code("write: y = 1"), 4, 10, "expected ':=' behind what is written");
  expect_error(code("write: y := x"), 4, 13, "expected a register or a number, found 'x'");
  expect_error(code("locked fence"), 4, 8, "expected '{' or 'write' behind 'locked'");
  expect_error(code("either { nop or }"), 4, 17, "expected a statement");
  expect_error(code("{ nop or nop }"), 4, 7, "expected '}', found 'or'; the '{' at 4:1 is still open");
  expect_error(code("if $r then nop"), 4, 7, "expected a comparison");
  expect_error(code("if $r = 1 nop"), 4, 11, "expected 'then' behind the condition of 'if'");
  expect_error(code("then nop"), 4, 1, "expected a statement, but 'then' does not start one");
  expect_error(code("goto 7"), 4, 6, "expected a label");
  expect_error(code("cas(y, 0)"), 4, 9, "expected ',' behind the value to compare with");
  expect_error(code("read: v[self] = 0"), 4, 9, "expected 'my' or the number of another process");
}

TEST(RmmDiagnostics, Names) {
  expect_error(code("read: z = 0"), 4, 7, "unknown variable 'z'");
  expect_error(code("read: z[my] = 0"), 4, 7, "unknown variable 'z'");
  expect_error(code("$q := 1"), 4, 1, "unknown register '$q'");
  expect_error(code("assume: $q = 1"), 4, 9, "unknown register '$q'");
  expect_error(code("goto Nowhere"), 4, 6, "unknown label 'Nowhere'");
  expect_error(code("read: v = 0"), 4, 7, "'v' is a variable of each process; say of which");
  expect_error(code("read: y[my] = 0"), 4, 7, "'y' is a variable of all processes, not one of each");
  expect_error(code("read: y[0] = 0"), 4, 7, "'y' is a variable of all processes, not one of each");
  expect_error(code("read: v[1] = 0"), 4, 7, "there is no other process number 1");
  expect_error(code("read: w[my] = 0"), 4, 7, "this process has no variable 'w' of its own");
  expect_error(parse("forbidden A * process data v = 0 text A: read: v[0] = 0\nprocess text nop"), 1, 48,
               "P1, which is other process number 0 here, has no variable 'v'");
  expect_error(code("read: [2] = 0"), 4, 8, "there is no variable number 2");
}

TEST(RmmDiagnostics, Ranges) {
  expect_error(code("write: x := 2"), 4, 13, "2 is outside of [0:1], the range of x");
  expect_error(code("write: x := 1 + 1"), 4, 15, "2 is outside of [0:1], the range of x");
  expect_error(code("cas(x, 0, -1)"), 4, 11, "-1 is outside of [0:1], the range of x");
  expect_error(code("$b := 3"), 4, 7, "3 is outside of [0:1], the range of $b");
  expect_error(code("write: v[my] := 5"), 4, 17, "5 is outside of [0:1], the range of v[my]");
  expect_error(parse("forbidden A process registers $r = * text $r := $r + 1; A: nop"), 1, 31,
               "'r' starts with any number and has no range");
  expect_error(
      parse("forbidden A data x = * process registers $r = 0 text read: $r := x; $r := $r + 1; A: nop"), 1,
      18, "'x' starts with any number and has no range");
}

TEST(RmmDiagnostics, Forbidden) {
  expect_error(parse("forbidden A\nprocess(2) text A: nop"), 1, 11,
               "this list has 1 entry, but there are 2 processes");
  expect_error(parse("forbidden A ;\n A A\nprocess text A: nop"), 2, 2,
               "this list has 2 entries, but there is one process");
  expect_error(parse("forbidden * *\nprocess(2) text A: nop"), 1, 11, "forbids every state");
  expect_error(parse("forbidden A B\nprocess(2) text A: nop"), 1, 13, "P1 has no label 'B'");
  expect_error(parse("forbidden A\nprocess text locked { A: nop }"), 1, 11, "is inside a locked block");
}

TEST(RmmDiagnostics, LockedBlocksAreNotJumpedIntoOrOutOf) {
  expect_error(code("locked { nop; goto End }"), 4, 20, "jumps out of");
  expect_error(code("goto In; locked { In: nop }"), 4, 6, "'goto In' jumps into a locked block");
  EXPECT_TRUE(code("locked { In: $r := $r + 1; if $r < 2 then goto In }").ok());
}

TEST(RmmDiagnostics, DeepNestingIsRefused) {
  const auto repeated = [](const std::string& text, std::size_t times) {
    std::string all;
    for (std::size_t i = 0; i < times; ++i) all += text;
    return all;
  };
  for (const std::string opening : {"{ ", "either { ", "locked { ", "if $r = 0 then ", "while $r = 0 do "})
    EXPECT_NE(test::rendered(code(repeated(opening, 100'000) + "nop")).find("nested too deeply"),
              std::string::npos);
  for (const std::string opening : {"(", "-", "- (0 + "})
    EXPECT_NE(test::rendered(code("$r := " + repeated(opening, 100'000) + "1")).find("nested too deeply"),
              std::string::npos);
  for (const std::string opening : {"[", "not "})
    EXPECT_NE(
        test::rendered(code("assume: " + repeated(opening, 100'000) + "true")).find("nested too deeply"),
        std::string::npos);
  EXPECT_NE(test::rendered(code("$r := 0" + repeated(" + 1", 100'000))).find("too many operators"),
            std::string::npos);
  EXPECT_TRUE(code(repeated("{ ", 400) + "nop" + repeated(" }", 400)).ok());
}

TEST(RmmDiagnostics, AreShownInTheSource) {
  EXPECT_EQ(test::rendered(parse("forbidden A\nprocess text\n  A: read: x = 0")),
            "test.rmm:3:12: error: unknown variable 'x'\n"
            "    3 |   A: read: x = 0\n"
            "      |            ^\n"
            "      = hint: declare it with 'data', in the process or before the first one\n");
}

}  // namespace weir::rmm_diagnostics_test
