// The Trencher grammar, rule by rule, and every diagnostic with its place.
#include <gtest/gtest.h>

#include "frontend/frontend_checks.hpp"
#include "frontend/trencher/trencher.hpp"

namespace weir::trencher_parse_test {

using test::expect_error;

Expected<Program> parse(const std::string& text) { return parse_trencher("test.trn", text); }

// A thread with one transition that has this instruction, on line 3.
std::string with_instruction(const std::string& instruction) {
  return "thread t\ninitial q0\ntransition q0 q1 " + instruction + "\nend\n";
}

Instruction parsed_instruction(const std::string& instruction, Program* keep = nullptr) {
  auto program = parse(with_instruction(instruction));
  EXPECT_TRUE(program.ok()) << test::rendered(program);
  if (!program.ok()) return {};
  const Instruction result = program->edges.at(0).instruction;
  if (keep != nullptr) *keep = std::move(*program);
  return result;
}

TEST(TrencherParse, InstructionsHaveTheirOpcodes) {
  EXPECT_EQ(parsed_instruction("write 1 0").op, Opcode::kStore);
  EXPECT_EQ(parsed_instruction("read r 0").op, Opcode::kLoad);
  EXPECT_EQ(parsed_instruction("local r 1").op, Opcode::kAssign);
  EXPECT_EQ(parsed_instruction("check r").op, Opcode::kAssume);
  EXPECT_EQ(parsed_instruction("noop").op, Opcode::kNop);
  EXPECT_EQ(parsed_instruction("lock").op, Opcode::kLock);
  EXPECT_EQ(parsed_instruction("unlock").op, Opcode::kUnlock);
  const Instruction fence = parsed_instruction("mfence");
  EXPECT_EQ(fence.op, Opcode::kFence);
  EXPECT_EQ(fence.fence, FenceKind::kFull);
}

TEST(TrencherParse, WriteTakesTheValueFirst) {
  Program program;
  const Instruction write = parsed_instruction("write 7 3", &program);
  EXPECT_EQ(program.expression(write.a).constant, 3) << "address";
  EXPECT_EQ(program.expression(write.b).constant, 7) << "value";
  EXPECT_EQ(write.order, Order::kRelaxed);
}

TEST(TrencherParse, EveryOperatorIsRead) {
  const std::pair<const char*, ExprOp> kOperators[] = {
      {"==", ExprOp::kEq}, {"!=", ExprOp::kNe}, {"<", ExprOp::kLt},          {"<=", ExprOp::kLe},
      {">", ExprOp::kGt},  {">=", ExprOp::kGe}, {"&&", ExprOp::kLogicalAnd}, {"||", ExprOp::kLogicalOr},
      {"+", ExprOp::kAdd}, {"-", ExprOp::kSub}, {"*", ExprOp::kMul},         {"&", ExprOp::kBitAnd}};
  for (const auto& [text, op] : kOperators) {
    Program program;
    const Instruction check = parsed_instruction(std::string("check ") + text + " r -5", &program);
    const Expression& e = program.expression(check.a);
    EXPECT_EQ(e.op, op) << text;
    EXPECT_EQ(program.expression(e.a).op, ExprOp::kRegister) << text;
    EXPECT_EQ(program.expression(e.b).constant, -5) << text;
  }
}

TEST(TrencherParse, SignsOfPapersAreOperators) {
  const std::pair<const char*, ExprOp> kSigns[] = {{"≠", ExprOp::kNe},
                                                   {"≤", ExprOp::kLe},
                                                   {"≥", ExprOp::kGe},
                                                   {"∧", ExprOp::kLogicalAnd},
                                                   {"∨", ExprOp::kLogicalOr}};
  for (const auto& [text, op] : kSigns) {
    Program program;
    const Instruction check = parsed_instruction(std::string("check ") + text + " r 1", &program);
    EXPECT_EQ(program.expression(check.a).op, op) << text;
  }
  Program program;
  EXPECT_EQ(program.expression(parsed_instruction("check ¬ r", &program).a).op, ExprOp::kLogicalNot);
}

TEST(TrencherFigure, MeansTheSameAsLines) {
  auto figure = parse(
      "program Dekker // Figure 1\n"
      "thread t1 regs r1, r2 init l0 final cs begin\n"
      "  l0: mem[x] ← 1; goto l1;\n"
      "  l1: r1 <- mem[y]; goto l2;\n"
      "  l2: if r1 ≠ 1 ∧ ¬(r2 >= 3); goto cs;\n"
      "  cs: r2 := -r1 + 2 * 3 - 1; goto cs;\n"
      "end\n"
      "thread t2 regs r1 init l0 begin l0: mfence; goto l0; l0: mem[7] := r1; goto l0; end");
  auto lines = parse(
      "name 4 x name 5 y\n"
      "thread t1 initial l0 final cs\n"
      "transition l0 l1 write 1 4\n"
      "transition l1 l2 read r1 5\n"
      "transition l2 cs check && != r1 1 ! >= r2 3\n"
      "transition cs cs local r2 - + - 0 r1 * 2 3 1\n"
      "end\n"
      "thread t2 initial l0 transition l0 l0 mfence transition l0 l0 write r1 7 end");
  ASSERT_TRUE(figure.ok()) << test::rendered(figure);
  ASSERT_TRUE(lines.ok()) << test::rendered(lines);
  EXPECT_EQ(figure->name, "Dekker");
  EXPECT_EQ(print_trencher(*figure).value(), print_trencher(*lines).value());
}

TEST(TrencherFigure, NamesAreNumbersThatNobodyElseHas) {
  auto program = parse(
      "program p thread t regs r init a begin a: mem[x] := 1; goto b; b: mem[2] := 0; goto c; c: r := "
      "mem[z]; goto c; end");
  ASSERT_TRUE(program.ok()) << test::rendered(program);
  ASSERT_EQ(program->objects.size(), 2u);
  EXPECT_EQ(program->objects[0].base, 3);
  EXPECT_EQ(program->objects[1].base, 4);
}

TEST(TrencherFigure, Mistakes) {
  const std::string head = "program p\nthread t regs r init a begin\n";
  expect_error(parse(head + "a: s := 1; goto a; end"), 3, 4, "'s' is no register");
  expect_error(parse(head + "a: r := s; goto a; end"), 3, 9, "'s' is no register");
  expect_error(parse(head + "b: r := 1; goto b; end"), 2, 22, "undeclared state 'a'");
  expect_error(parse(head + "a: r 1; goto a; end"), 3, 6, "expected '←', '<-' or ':='");
  expect_error(parse(head + "a: mem[r := 1; goto a; end"), 3, 10, "expected ']'");
  expect_error(parse(head + "a: mfence; a"), 3, 12, "expected 'goto'");
  expect_error(parse(head + "a: mfence; goto a; end thread t regs init a begin end"), 3, 31,
               "a second thread");
  expect_error(parse(head + "a: if " + std::string(2000, '(') + "r; goto a; end"), 3, 307,
               "nested too deeply");
  std::string sum = "1";
  for (int i = 0; i < 1100; ++i) sum += "+1";
  EXPECT_FALSE(parse(head + "a: r := " + sum + "; goto a; end").ok());
}

TEST(TrencherParse, PrefixNotationNests) {
  Program program;
  const Instruction check = parsed_instruction("check ! && == a 1 < b + a b", &program);
  const Expression& root = program.expression(check.a);
  ASSERT_EQ(root.op, ExprOp::kLogicalNot);
  const Expression& both = program.expression(root.a);
  ASSERT_EQ(both.op, ExprOp::kLogicalAnd);
  EXPECT_EQ(program.expression(both.a).op, ExprOp::kEq);
  const Expression& less = program.expression(both.b);
  EXPECT_EQ(less.op, ExprOp::kLt);
  EXPECT_EQ(program.expression(less.b).op, ExprOp::kAdd);
  EXPECT_EQ(program.functions.at(0).registers.size(), 2u);
}

TEST(TrencherParse, WholeFile) {
  auto program = parse(
      "# a comment\n"
      "memory_size 10\n"
      "memory 3 = -4\n"
      "name 0 flag[0]\n"
      "thread t0\n"
      "  # a comment inside\n"
      "\tinitial q0\r\n"
      "final q1\n"
      "final q2\n"
      "transition q0 q1 write 1 0\n"
      "transition q0 q2 noop\n"
      "end # and one behind\n"
      "thread t1\n initial a\n transition a a read r 3\nend");
  ASSERT_TRUE(program.ok()) << test::rendered(program);
  EXPECT_TRUE(validate(program.value()).empty());
  EXPECT_TRUE(program.value().open_memory);
  EXPECT_EQ(program.value().name, "test");
  ASSERT_EQ(program.value().threads.size(), 2u);
  EXPECT_EQ(program.value().functions.size(), 2u);
  EXPECT_EQ(program.value().location(program.value().functions[0].entry).label, "q0");
  EXPECT_EQ(program.value().properties.goals.at(0).size(), 2u);
  ASSERT_EQ(program.value().objects.size(), 2u);
  EXPECT_EQ(program.value().address_name(0), "flag[0]");
  EXPECT_EQ(program.value().address_name(3), "[3]");
  EXPECT_EQ(program.value().objects[1].initial, std::vector<Value>{-4});
  EXPECT_EQ(program.value().edges[0].position.line, 10u);
}

TEST(TrencherParse, LineBreaksAreBlanks) {
  const auto program =
      parse("thread t initial q0 transition q0 q1 write\n+ 1\n2 0 end thread u initial q0 end");
  ASSERT_TRUE(program.ok()) << test::rendered(program);
  EXPECT_EQ(program.value().threads.size(), 2u);
}

TEST(TrencherParse, KeywordsAreNamesInsideALine) {
  auto program = parse("thread end\ninitial thread\ntransition thread final write initial 0\nend\n");
  ASSERT_TRUE(program.ok()) << test::rendered(program);
  EXPECT_EQ(program.value().threads[0].name, "end");
}

TEST(TrencherParse, EqualBodiesShareAFunction) {
  const std::string body = "\ninitial q0\nfinal q1\ntransition q0 q1 write + r 1 0\nend\n";
  auto program = parse("thread a" + body + "thread b" + body + "thread c\ninitial q0\nfinal q1\n" +
                             "transition q0 q1 write + r 2 0\nend\n");
  ASSERT_TRUE(program.ok());
  EXPECT_EQ(program.value().functions.size(), 2u);
  EXPECT_EQ(program.value().threads[0].function, program.value().threads[1].function);
  EXPECT_NE(program.value().threads[0].function, program.value().threads[2].function);
  ASSERT_EQ(program.value().properties.goals.at(0).size(), 3u);
  EXPECT_EQ(program.value().properties.goals[0][0].location, program.value().properties.goals[0][1].location);
}

TEST(TrencherParse, MarksMakeBodiesDiffer) {
  auto program = parse(
      "thread a\ninitial q\nfinal q\ntransition q q noop\nend\nthread b\ninitial q\ntransition q q "
      "noop\nend\n");
  ASSERT_TRUE(program.ok());
  EXPECT_EQ(program.value().functions.size(), 2u);
}

TEST(TrencherParse, AThreadWithoutTransitionsHasItsInitialState) {
  EXPECT_TRUE(parse("thread t\ninitial q\nfinal q\nend\n").ok());
  expect_error(parse("thread t\ninitial q\nfinal p\nend\n"), 3, 7, "undeclared state 'p'");
}

TEST(TrencherParse, SixtyFourBitNumbers) {
  Program program;
  const Instruction write = parsed_instruction("write -9223372036854775808 +9223372036854775807", &program);
  EXPECT_EQ(program.expression(write.b).constant, std::numeric_limits<Value>::min());
  EXPECT_EQ(program.expression(write.a).constant, std::numeric_limits<Value>::max());
}

// Diagnostics.

TEST(TrencherDiagnostics, EmptyFiles) {
  expect_error(parse(""), 1, 1, "no thread in this file");
  expect_error(parse("# only\n# comments"), 1, 1, "no thread in this file");
}

TEST(TrencherDiagnostics, FileLevel) {
  expect_error(parse("\n  tread t\n"), 2, 3,
               "expected 'thread', 'memory', 'name' or a comment, found 'tread'");
  expect_error(parse("thread t\ninitial q\nend junk"), 3, 5, "unexpected 'junk' at the end of this line");
  expect_error(parse("memory x = 1"), 1, 8, "expected an address, as an integer, found 'x'");
  expect_error(parse("memory 1 1"), 1, 10, "expected '=', found '1'");
  expect_error(parse("memory 1 ="), 1, 11,
               "expected the initial value, as an integer, found the end of the line");
  expect_error(parse("memory 1 = 2\nmemory 1 = 3"), 2, 8, "address 1 has an initial value already");
  expect_error(parse("name 1 a\nname 1 b"), 2, 6, "address 1 has a name already");
  expect_error(parse("name 1 a\nname 2 a"), 2, 8, "a second address named 'a'; the first is on line 1");
  expect_error(parse("name 1\n"), 1, 7, "expected the name of the address");
  expect_error(parse("memory_size lots\n"), 1, 13, "expected the number of addresses");
}

TEST(TrencherDiagnostics, Threads) {
  expect_error(parse("thread"), 1, 7, "expected the name of a thread, found the end of the line");
  expect_error(parse("thread t\ninitial q\n"), 3, 1,
               "expected 'end' of thread 't', which starts on line 1, found the end of the text");
  expect_error(parse("thread t\nend\n"), 1, 8, "thread 't' has no 'initial' line");
  expect_error(parse("thread t\ninitial q\ninitial p\nend\n"), 3, 9,
               "second initial state; the first is on line 2");
  expect_error(parse("thread t\ninitial q\nend\nthread t\ninitial q\nend"), 4, 8,
               "a second thread named 't'; the first is on line 1");
  expect_error(parse("thread t\ninitial\nend\n"), 2, 8, "expected the name of the initial state");
  expect_error(parse("thread t\ninitial q\nstep q q noop\nend\n"), 3, 1,
               "expected 'transition', 'initial', 'final' or 'end', found 'step'");
  expect_error(parse("thread t\ninitial z\ntransition a b noop\nend"), 2, 9, "undeclared state 'z'");
  expect_error(parse("thread t\ninitial a\nfinal z\ntransition a b noop\nend"), 3, 7, "undeclared state 'z'");
}

TEST(TrencherDiagnostics, Transitions) {
  expect_error(parse(with_instruction("jump 1")), 3, 18, "unknown instruction 'jump'");
  expect_error(parse(with_instruction("")), 3, 17, "expected an instruction: write, read");
  expect_error(parse("thread t\ninitial q\ntransition q\nend"), 3, 13,
               "expected the state where the transition ends");
  expect_error(parse("thread t\ninitial q\ntransition\nend"), 3, 11,
               "expected the state where the transition starts");
  expect_error(parse(with_instruction("noop 1")), 3, 23, "unexpected '1' at the end of this line");
  expect_error(parse(with_instruction("mfence # why")), 3, 25, "unexpected '#'");
  expect_error(parse(with_instruction("write 1")), 3, 25, "expected the address, as an expression");
  expect_error(parse(with_instruction("write")), 3, 23, "expected the value, as an expression");
  expect_error(parse(with_instruction("read 5 0")), 3, 23, "expected the name of a register, found '5'");
  expect_error(parse(with_instruction("read r")), 3, 24, "expected the address, as an expression");
  expect_error(parse(with_instruction("local + 1")), 3, 24, "expected the name of a register, found '+'");
}

TEST(TrencherDiagnostics, Expressions) {
  expect_error(parse(with_instruction("check == r")), 3, 28,
               "expected an operand, found the end of the line");
  expect_error(parse(with_instruction("check / r 2")), 3, 24, "unknown operator '/'");
  expect_error(parse(with_instruction("check + r << 2")), 3, 28, "unknown operator '<<'");
  expect_error(parse(with_instruction("check 12ab")), 3, 24, "'12ab' is neither a number nor a register");
  expect_error(parse(with_instruction("check 9223372036854775808")), 3, 24, "does not fit into 64 bits");
  expect_error(parse(with_instruction("check == 1 -9223372036854775809")), 3, 29,
               "does not fit into 64 bits");
}

TEST(TrencherDiagnostics, NestingIsBounded) {
  std::string deep = "check ", fine = "check ";
  for (int i = 0; i < 100'000; ++i) deep += "! ";
  for (int i = 0; i < 999; ++i) fine += "! ";
  auto program = parse(with_instruction(fine + "r"));
  ASSERT_TRUE(program.ok());
  EXPECT_TRUE(validate(program.value()).empty());
  expect_error(parse(with_instruction(deep + "r")), 3, 24 + 2 * 999, "nested too deeply");
}

TEST(TrencherDiagnostics, LargeFilesFailFast) {
  std::string noise(20'000'000, '\0');
  std::uint32_t state = 1;
  for (char& c : noise) c = static_cast<char>((state = state * 1664525u + 1013904223u) >> 24);
  EXPECT_FALSE(parse(noise).ok());
  expect_error(parse(std::string(20'000'000, '\n') + "x"), 20'000'001, 1, "found 'x'");
}

}  // namespace weir::trencher_parse_test
