// Every diagnostic of the IMP front end, with its line, its column and what it says.
#include <gtest/gtest.h>

#include "frontend/frontend_checks.hpp"
#include "frontend/imp/imp.hpp"
#include "frontend/imp/invariant.hpp"

namespace weir::imp_diagnostics_test {

using test::expect_error;

Expected<Program> parse(const std::string& text) { return parse_imp("test.imp", text); }

// The body starts on line 4.
Expected<Program> body(const std::string& text) {
  return parse("program test\nvariables x = y = 0, a[3] = 0\nprocess P begin\n" + text + "\nend\n");
}

TEST(ImpDiagnostics, Header) {
  expect_error(parse(""), 1, 1, "expected 'program' at the start of the file, found the end of the text");
  expect_error(parse("prog p"), 1, 1, "expected 'program' at the start of the file, found 'prog'");
  expect_error(parse("program 7"), 1, 9, "expected the name of the program, found '7'");
  expect_error(parse("program end"), 1, 9, "expected the name of the program, but 'end' is a keyword");
  expect_error(parse("program p"), 1, 10, "no process in this file");
  expect_error(parse("program p\nx := 1"), 2, 1, "expected 'process', found 'x'");
  expect_error(parse("program p process P begin end end"), 1, 31, "expected 'process', found 'end'");
}

TEST(ImpDiagnostics, Variables) {
  expect_error(parse("program p variables x = 0, x = 1"), 1, 28,
               "a second variable named 'x'; the first is on line 1");
  expect_error(parse("program p variables while = 0"), 1, 21, "but 'while' is a keyword");
  expect_error(parse("program p variables me = 0"), 1, 21, "'me' is the number of a process");
  expect_error(parse("program p variables x = ;"), 1, 25, "expected an initial value, found ';'");
  expect_error(parse("program p variables x = 9223372036854775808"), 1, 25, "does not fit into 64 bits");
  expect_error(parse("program p variables a[0] = 0"), 1, 23, "the size of an array is from 1 to 65536");
  expect_error(parse("program p variables a[x] = 0"), 1, 23, "expected the size of an array, found 'x'");
  expect_error(parse("program p variables a[2] = {1}"), 1, 28, "1 values for 'a', which has 2");
  expect_error(parse("program p variables a[2 = 0"), 1, 25, "expected ']' after the size of an array");
}

TEST(ImpDiagnostics, Processes) {
  expect_error(parse("program p process begin"), 1, 19, "but 'begin' is a keyword");
  expect_error(parse("program p process P x"), 1, 21,
               "expected 'begin' after the name of a process, found 'x'");
  expect_error(parse("program p process P begin end\nprocess P begin end"), 2, 9,
               "a second process named 'P'");
  expect_error(parse("program p process P[2] begin end process P1 begin end"), 1, 42,
               "a second process named 'P1'");
  expect_error(parse("program p process P[0] begin end"), 1, 21,
               "the number of copies of a process is from 1 to");
}

TEST(ImpDiagnostics, MissingEnds) {
  expect_error(parse("program p\nprocess P begin\n skip"), 3, 6,
               "expected ';' or 'end', found the end of the text; the 'process' at 2:1 is still open");
  expect_error(body("while x do\n skip;\nskip fi"), 6, 6,
               "expected ';' or 'od', found 'fi'; the 'while' at 4:1");
  expect_error(body("if x then skip"), 5, 1,
               "expected ';', 'else' or 'fi', found 'end'; the 'if' at 4:1 is still open");
  expect_error(body("if x then skip else skip od"), 4, 26, "expected ';' or 'fi', found 'od'");
  expect_error(body("atomic { skip"), 5, 1, "expected ';' or '}', found 'end'; the 'atomic' at 4:1");
  expect_error(body("skip skip"), 4, 6, "expected ';' or 'end', found 'skip'; the 'process' at 3:1");
}

TEST(ImpDiagnostics, Statements) {
  expect_error(body("x = 1"), 4, 3, "expected ':=', found '='");
  expect_error(body("x 1"), 4, 3, "expected ':=' after 'x', found '1'");
  expect_error(body("1 x := 2"), 4, 3, "expected ':' after a label, found 'x'");
  expect_error(body("1: x := 1;\n1: skip"), 5, 1, "a second label named '1'; the first is on line 4");
  expect_error(body("1: then"), 4, 4, "expected a statement, but 'then' does not start one");
  expect_error(body(";"), 4, 1, "expected a statement, found ';'");
  expect_error(body("if x skip"), 4, 6, "expected 'then' after the condition of 'if', found 'skip'");
  expect_error(body("while x skip"), 4, 9, "expected 'do' after the condition of 'while'");
  expect_error(body("local do"), 4, 7, "expected the name of a local variable, but 'do' is a keyword");
  expect_error(body("atomic skip"), 4, 8, "expected '{' after 'atomic'");
  expect_error(body("atomic { skip; atomic { skip } }"), 4, 16, "an 'atomic' inside another one");
}

TEST(ImpDiagnostics, Names) {
  expect_error(body("z := 1"), 4, 1, "unknown variable 'z'");
  expect_error(body("x := 1 + z"), 4, 10, "unknown variable 'z'");
  expect_error(body("x := r; local r"), 4, 6, "unknown variable 'r'");
  expect_error(body("local r := r"), 4, 12, "unknown variable 'r'");
  expect_error(body("local x := 1"), 4, 7, "'x' is a shared variable already");
  expect_error(body("local r; skip; local r"), 4, 22, "a second local variable named 'r'");
  expect_error(body("local me"), 4, 7, "'me' is the number of a process");
  expect_error(body("x := me"), 4, 6, "'me' is known only in a process with copies");
  expect_error(parse("program p process P[2] begin me := 1 end"), 1, 30, "assignment to 'me'");
  expect_error(body("x := a"), 4, 6, "'a' is an array; say which element");
  expect_error(body("a := 1"), 4, 1, "'a' is an array; say which element");
  expect_error(body("x[1] := 1"), 4, 1, "'x' is not an array");
  expect_error(body("local r; r[1] := 1"), 4, 10, "'r' is a local variable, not an array");
  expect_error(body("local r; x := r[1]"), 4, 15, "'r' is a local variable, not an array");
  expect_error(body("a[3] := 1"), 4, 3, "'a' has the elements 0 to 2");
  expect_error(body("x := a[-1]"), 4, 8, "'a' has the elements 0 to 2");
}

TEST(ImpDiagnostics, Properties) {
  expect_error(parse("program p exclusive 9 process P begin skip end"), 1, 21, "no label '9'");
  expect_error(parse("program p exclusive Q:9 process P begin 9: skip end"), 1, 21, "unknown process 'Q'");
  expect_error(parse("program p goal P:8 process P begin 9: skip end"), 1, 18, "no label '8' in process 'P'");
  expect_error(parse("program p exclusive , process P begin 9: skip end"), 1, 21,
               "expected a label, found ','");
}

TEST(ImpDiagnostics, Expressions) {
  expect_error(body("x := "), 5, 1, "expected an expression, but 'end' is a keyword");
  expect_error(body("x := (1 + 2"), 5, 1, "expected ')' for the '(' at 4:6, found 'end'");
  expect_error(body("x := a[1"), 5, 1, "expected ']' for the '[' at 4:7");
  expect_error(body("x := 1 + * 2"), 4, 10, "expected an expression, found '*'");
  expect_error(body("x := 99999999999999999999"), 4, 6, "does not fit into 64 bits");
  expect_error(body("x := -9223372036854775809"), 4, 7, "does not fit into 64 bits");
  expect_error(body("x := 9223372036854775808"), 4, 6, "does not fit into 64 bits");
  expect_error(body("x := [7]"), 4, 6, "expected an expression, found '['");
}

TEST(ImpDiagnostics, Words) {
  expect_error(body("x := 12ab"), 4, 6, "'12ab' is neither a number nor a name");
  expect_error(body("x := $"), 4, 6, "unexpected character '$'");
  expect_error(body("x := \xff"), 4, 6, "unexpected byte 0xff");
  expect_error(body("x /* := 1"), 4, 3, "this comment does not end");
  expect_error(body("x (* := 1 */"), 4, 3, "this comment does not end");
}

TEST(ImpDiagnostics, NestingIsBounded) {
  const auto repeat = [](const std::string& text, int count) {
    std::string result;
    for (int i = 0; i < count; ++i) result += text;
    return result;
  };
  for (const std::string open : {"(", "- ", "not ", "a[", "1 + ", "1 + (", "1 - - "}) {
    const auto result = body("x := " + repeat(open, 100'000) + "1");
    EXPECT_NE(test::only_diagnostic(result).message.find("nested too deeply"), std::string::npos) << open;
  }
  for (const std::string open : {"if x then ", "while x do ", "if x then else "}) {
    const auto result = body(repeat(open, 100'000));
    EXPECT_NE(test::only_diagnostic(result).message.find("nested too deeply"), std::string::npos) << open;
  }
  const auto fine = body("x := " + repeat("(1 + ", 450) + "1" + repeat(")", 450));
  ASSERT_TRUE(fine.ok()) << test::rendered(fine);
  EXPECT_TRUE(validate(fine.value()).empty());
  EXPECT_TRUE(body("x := 1" + repeat(" + 1", 900)).ok());
  EXPECT_TRUE(body(repeat("if x then ", 450) + repeat(" fi", 450)).ok());
}

TEST(ImpDiagnostics, LargeFilesFailFast) {
  expect_error(parse(std::string(20'000'000, '\n') + "x"), 20'000'001, 1, "expected 'program'");
  expect_error(parse("/*" + std::string(20'000'000, 'x')), 1, 1, "this comment does not end");
  EXPECT_FALSE(parse("program p process P begin " + std::string(20'000'000, 'x')).ok());
}

// Invariants.

Program for_invariants() {
  auto program = parse(
      "program p variables x = 0, flag[2] = 0 process P begin local r := 4; r := x end process Q begin skip "
      "end");
  EXPECT_TRUE(program.ok());
  return std::move(*program);
}

void expect_bad_invariant(const std::string& text, std::uint32_t column, const std::string& fragment) {
  Program program = for_invariants();
  const auto diagnostic = add_invariant(program, text);
  ASSERT_TRUE(diagnostic) << text;
  EXPECT_EQ(diagnostic->position.column, column) << diagnostic->message;
  EXPECT_NE(diagnostic->message.find(fragment), std::string::npos) << diagnostic->message;
  EXPECT_EQ(program.sources.file(diagnostic->position.file).path, "<invariant>");
  EXPECT_TRUE(program.properties.invariants.empty());
}

TEST(Invariant, ReadsSharedVariablesAndRegisters) {
  Program program = for_invariants();
  ASSERT_FALSE(add_invariant(program, "x = 0 and flag[1] != 2 or P.r >= 4"));
  ASSERT_FALSE(add_invariant(program, "[0] = 0"));
  ASSERT_EQ(program.properties.invariants.size(), 2u);
  EXPECT_EQ(program.properties.invariants[0].text, "x = 0 and flag[1] != 2 or P.r >= 4");
  EXPECT_TRUE(validate(program).empty());
  EXPECT_TRUE(explore_all(program, Model::kSc).violations.empty());
  ASSERT_FALSE(add_invariant(program, "P.r = 4"));
  EXPECT_TRUE(explore_all(program, Model::kSc).violations.contains({ViolationKind::kUnsafe, 2}));
}

TEST(Invariant, FindsTrencherNames) {
  Program program;
  program.open_memory = true;
  program.objects.push_back({.name = "flag[0]", .base = 5, .initial = {1}});
  ASSERT_FALSE(add_invariant(program, "flag[0] = 1 and [77] = 0"));
  const Expression& both = program.expression(program.properties.invariants[0].expression);
  EXPECT_EQ(program.expression(program.expression(both.a).a).constant, 5);
}

TEST(Invariant, Diagnostics) {
  expect_bad_invariant("", 1, "expected an expression, found the end of the text");
  expect_bad_invariant("x =", 4, "expected an expression");
  expect_bad_invariant("z = 1", 1, "no shared variable 'z'");
  expect_bad_invariant("x = 1 x", 7, "expected the end of the invariant, found 'x'");
  expect_bad_invariant("flag = 1", 1, "'flag' is an array");
  expect_bad_invariant("1 = flag[2]", 10, "'flag' has the elements 0 to 1");
  expect_bad_invariant("flag[x]", 6, "expected a constant");
  expect_bad_invariant("R.r = 1", 1, "no thread 'R'");
  expect_bad_invariant("P.q = 1", 1, "thread 'P' has no register 'q'");
  expect_bad_invariant("[1234567]", 1, "there is nothing at address 1234567");
}

}  // namespace weir::imp_diagnostics_test
