// Protects the promise that any program survives being printed and parsed, with its ids and positions.
#include "program/text/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "program/odd_programs.hpp"
#include "program/validate.hpp"

namespace weir::text_test {

using ::testing::HasSubstr;

constexpr const char* kHandshake = R"(weir 1
program "handshake"
shared x = 0                        // i64 at address 0
shared flag : u8 = 0, 0             // two cells
function worker(me)
  register r : u8 = 0
  start:
    store u8 flag[me] := 1u8 -> wait
  wait:
    r := load u8 flag[1 - me] -> test
  test:
    assume r == 0u8 -> critical
    assume r != 0u8 -> wait
  critical:
end
thread P0 = worker(0)
thread P1 = worker(1)
exclusive P0 at critical, P1 at critical
)";

std::string error_of(const std::string& text) {
  const auto result = parse_program_text("bad.weir", text);
  if (result) return "accepted";
  return render(result.error().diagnostics.at(0), result.error().sources);
}

TEST(ProgramText, HandWrittenProgramMeansWhatItSays) {
  auto result = parse_program_text("handshake.weir", kHandshake);
  ASSERT_TRUE(result.ok());
  const Program& program = *result;
  EXPECT_TRUE(validate(program).empty());
  EXPECT_EQ(program.name, "handshake");
  ASSERT_EQ(program.objects.size(), 2u);
  EXPECT_EQ(program.objects[1].base, 1);
  EXPECT_EQ(program.objects[1].type, (Type{8, false}));
  ASSERT_EQ(program.edges.size(), 4u);
  EXPECT_EQ(program.edges[1].instruction.op, Opcode::kLoad);
  EXPECT_EQ(program.sources.describe(program.edges[1].position), "handshake.weir:10:5");
  EXPECT_EQ(program.threads[1].arguments, std::vector<Value>{1});
  EXPECT_EQ(program.properties.exclusive.at(0).size(), 2u);
}

TEST(ProgramText, PrintingAHandWrittenProgramKeepsItsPositions) {
  auto first = parse_program_text("handshake.weir", kHandshake);
  ASSERT_TRUE(first.ok());
  const std::string printed = print(*first);
  EXPECT_THAT(printed, HasSubstr("r := load u8 flag[1 - me] -> test @0:10:5"));
  auto second = parse_program_text("copy.weir", printed);
  ASSERT_TRUE(second.ok()) << error_of(printed);
  EXPECT_EQ(print(*second), printed);
  EXPECT_EQ(second->sources.describe(second->edges[1].position), "handshake.weir:10:5");
}

TEST(ProgramText, OperatorsBindAsInC) {
  auto result = parse_program_text(
      "p.weir",
      "weir 1\nfunction f(a, b)\ns:\nassume a + b * 2 == 7 && !a || b << 1 > -3 -> s\nend\n"
      "thread T = f(0, 0)\n");
  ASSERT_TRUE(result.ok());
  EXPECT_THAT(print(*result), HasSubstr("assume (((a + (b * 2)) == 7) && (!a)) || ((b << 1) > -3) -> s"));
}

constexpr const char* kMemory = R"(weir 1
constant limit : u32 at 64 stride 4 = 1, 2
shared cell : u32 stride 8 = uninitialised * 2, 3
function worker()
  register p : u64
  register f : u32
  private buffer : 16
  private tail : 1 at 32
  start:
    p := allocate heap 8u64 -> a
  a:
    store u64 plain copies [(frame(0) : u64)] := p -> b
  b:
    f := load u32 cell[self * 2] wait 0u32 -> c
  c:
    f := fadd(f, itof(self, u32)) -> d
  d:
    assume flt(f, 0u32) || (feq(f, f) : u8) != 0u8 -> e
  e:
    rmw umax u32 cell[1], f -> g
  g:
    free heap p -> h
  h:
    atomic_begin "locks m" -> i
  i:
    atomic_end -> j
  j:
    halt "too long" -> j
    stop
end
thread P = worker()
dormant thread Q = worker()
races
leaks
restriction "only 3 threads"
)";

TEST(ProgramText, MemoryOfCProgramsMeansWhatItSays) {
  auto result = parse_program_text("memory.weir", kMemory);
  ASSERT_TRUE(result.ok()) << error_of(kMemory);
  const Program& program = *result;
  ASSERT_TRUE(validate(program).empty()) << validate(program)[0].message;
  EXPECT_TRUE(program.objects[0].constant);
  EXPECT_EQ(program.objects[1].base, 72) << "behind the last cell of the object before";
  EXPECT_EQ(program.objects[1].stride, 8);
  EXPECT_EQ(program.objects[1].initial, (std::vector<Value>{kUninitialised, kUninitialised, 3}));
  ASSERT_EQ(program.functions[0].privates.size(), 2u);
  EXPECT_EQ(program.functions[0].privates[1].offset, 32u);
  EXPECT_EQ(program.edges[0].instruction.block, BlockKind::kHeap);
  EXPECT_TRUE(program.edges[1].instruction.plain && program.edges[1].instruction.copies);
  const Instruction& load = program.edges[2].instruction;
  EXPECT_TRUE(load.waits && load.c.valid());
  const Expression& scaled = program.expression(program.expression(load.a).b);
  EXPECT_EQ(scaled.op, ExprOp::kMul) << "an index counts cells";
  EXPECT_EQ(program.edges[5].instruction.rmw, RmwOp::kUnsignedMax);
  EXPECT_EQ(program.expression(program.edges[5].instruction.a).constant, 80);
  EXPECT_EQ(program.edges[7].instruction.message, "locks m");
  EXPECT_EQ(program.edges[9].instruction.message, "too long");
  EXPECT_EQ(program.edges[10].instruction.op, Opcode::kStop);
  EXPECT_TRUE(program.threads[1].dormant && !program.threads[0].dormant);
  EXPECT_TRUE(program.properties.races && program.properties.leaks);
  EXPECT_EQ(program.restrictions, std::vector<std::string>{"only 3 threads"});
}

// `goal` goes on with a goal, `or goal` starts another one; a thread can be single, a load wait for a value.
TEST(ProgramText, SeveralGoalsAndSingleThreads) {
  const std::string text =
      "weir 1\nshared x = 0\nfunction f()\n  register r\n  a:\n    r := load x until 1 -> b\n  b:\nend\n"
      "thread P = f()\nsingle thread Q = f()\n"
      "goal P at a\ngoal Q at b\nor goal P at b\nor goal Q at a\ngoal P at a\n";
  auto result = parse_program_text("goals.weir", text);
  ASSERT_TRUE(result.ok()) << error_of(text);
  const Program& program = *result;
  ASSERT_TRUE(validate(program).empty()) << validate(program)[0].message;
  EXPECT_TRUE(!program.threads[0].single && program.threads[1].single);
  EXPECT_TRUE(program.edges[0].instruction.waits && program.edges[0].instruction.until);
  const ThreadId p(0), q(1);
  const LocationId a(0), b(1);
  EXPECT_EQ(program.properties.goals,
            (std::vector<std::vector<ThreadLocation>>{{{p, a}, {q, b}}, {{p, b}}, {{q, a}, {p, a}}}));
  auto again = parse_program_text("again.weir", print(program));
  ASSERT_TRUE(again.ok()) << error_of(print(program));
  EXPECT_EQ(again->properties.goals, program.properties.goals);
  EXPECT_THAT(error_of("weir 1\nfunction f()\na:\nend\nthread P = f()\nor goal P at a\n"),
              HasSubstr("bad.weir:6:1: error: there is no goal yet"));
}

TEST(ProgramText, MemoryOfCProgramsSurvives) {
  auto first = parse_program_text("memory.weir", kMemory);
  ASSERT_TRUE(first.ok());
  const std::string printed = print(*first);
  EXPECT_THAT(printed, HasSubstr("constant limit : u32 at 64 stride 4 = 1, 2 "));
  EXPECT_THAT(printed, HasSubstr("shared cell : u32 stride 8 = uninitialised * 2, 3 "));
  EXPECT_THAT(printed, HasSubstr("  private tail : 1 at 32\n"));
  EXPECT_THAT(printed, HasSubstr("p := allocate heap 8u64 -> a "));
  EXPECT_THAT(printed, HasSubstr("store u64 plain copies [(frame(0) : u64)] := p -> b "));
  EXPECT_THAT(printed, HasSubstr("f := load u32 cell[self * 2] wait 0u32 -> c "));
  EXPECT_THAT(printed, HasSubstr("f := fadd(f, itof(self, u32)) -> d "));
  EXPECT_THAT(printed, HasSubstr("assume flt(f, 0u32) || ((feq(f, f) : u8) != 0u8) -> e "));
  EXPECT_THAT(printed, HasSubstr("rmw umax u32 cell[1], f -> g "));
  EXPECT_THAT(printed, HasSubstr("    stop @0"));
  auto second = parse_program_text("copy.weir", printed);
  ASSERT_TRUE(second.ok()) << error_of(printed);
  EXPECT_EQ(print(*second), printed);
}

TEST(ProgramText, ErrorsInMemoryAreLocated) {
  EXPECT_THAT(error_of("weir 1\nshared x stride 0 = 0\n"), HasSubstr("bad.weir:2:10: error: the cells"));
  EXPECT_THAT(error_of("weir 1\nfunction f()\n  private x : -1\ns:\nend\n"),
              HasSubstr("bad.weir:3:15: error: expected how many bytes"));
  EXPECT_THAT(error_of("weir 1\nfunction f(r)\ns:\n  r := allocate pool 1 -> s\nend\n"),
              HasSubstr("expected heap, zeroed or stack"));
  EXPECT_THAT(error_of("weir 1\nfunction f(r)\ns:\n  free r -> s\nend\n"),
              HasSubstr("expected heap, zeroed or stack"));
  EXPECT_THAT(error_of("weir 1\nfunction f(r)\ns:\n  r := ftoi(r) -> s\nend\n"), HasSubstr("expected ','"));
  EXPECT_THAT(error_of("weir 1\nfunction f(r)\ns:\n  r := (r : u8) -> s\nend\n"), HasSubstr("take a type"));
  EXPECT_THAT(error_of("weir 1\ndormant function f()\n"), HasSubstr("expected 'thread'"));
  EXPECT_THAT(error_of("weir 1\nsingle function f()\n"), HasSubstr("expected 'thread'"));
  EXPECT_THAT(error_of("weir 1\nrestriction few\n"), HasSubstr("expected a text in quotes"));
}

TEST(ProgramText, ErrorsAreLocated) {
  EXPECT_THAT(error_of(""), HasSubstr("expected 'weir 1'"));
  EXPECT_THAT(error_of("weir 2\n"), HasSubstr("version 1"));
  EXPECT_THAT(error_of("weir 1\nshared x = 5 6\n"),
              HasSubstr("bad.weir:2:14: error: expected the end of the line"));
  EXPECT_THAT(error_of("weir 1\nfunction f()\ns:\n  nop -> t\nend\n"),
              HasSubstr("bad.weir:4:10: error: there is no location 't'"));
  EXPECT_THAT(error_of("weir 1\nfunction f()\ns:\n  r := 1 -> s\nend\n"),
              HasSubstr("there is no register 'r'"));
  EXPECT_THAT(error_of("weir 1\nshared x\nfunction f()\ns:\n  assume x -> s\nend\n"),
              HasSubstr("load it into a register"));
  EXPECT_THAT(error_of("weir 1\nfunction f()\ns:\n  call g() -> s\nend\n"),
              HasSubstr("there is no function 'g'"));
  EXPECT_THAT(error_of("weir 1\nfunction f()\ns:\n"), HasSubstr("ends inside a function"));
  EXPECT_THAT(error_of("weir 1\nshared x = 99999999999999999999\n"), HasSubstr("does not fit into 64 bits"));
  EXPECT_THAT(error_of("weir 1\nshared x = 0 * 999999999\n"), HasSubstr("shared cells"));
  EXPECT_THAT(error_of("weir 1\nfunction f()\ns #4:\nend\n"), HasSubstr("location number 4 is too large"));
  EXPECT_THAT(error_of("weir 1\nprogram \"x\n"), HasSubstr("no closing quote"));
  EXPECT_THAT(error_of("weir 1\n\x01"), HasSubstr("the byte 0x01"));
}

TEST(ProgramText, DeepExpressionsAreRefusedNotCrashedOn) {
  const auto nested = [](const std::string& open, const std::string& close) {
    std::string text = "weir 1\nfunction f()\ns:\n  assume ";
    for (int i = 0; i < 200000; ++i) text += open;
    text += "1";
    for (int i = 0; i < 200000; ++i) text += close;
    return text + " -> s\nend\n";
  };
  EXPECT_THAT(error_of(nested("(", ")")), HasSubstr("nests deeper than"));
  EXPECT_THAT(error_of(nested("! ", "")), HasSubstr("nests deeper than"));
  EXPECT_THAT(error_of(nested("1 ? 1 : ", "")), HasSubstr("nests deeper than"));
}

TEST(ProgramText, DeepestAllowedExpressionSurvives) {
  Program program;
  const FunctionId f = program.add_function("f");
  const LocationId l = program.add_location(f, "s");
  program.functions[0].entry = l;
  ExprId e = program.constant(1);
  for (std::size_t i = 1; i < kMaxExpressionDepth; ++i)
    e = program.binary(ExprOp::kAdd, e, program.constant(2));
  program.add_edge(l, l, {.op = Opcode::kAssume, .a = e});
  program.add_thread("T", f);
  ASSERT_TRUE(validate(program).empty());
  const std::string text = print(program);
  auto again = parse_program_text("deep.weir", text);
  ASSERT_TRUE(again.ok()) << error_of(text);
  EXPECT_EQ(print(*again), text);
  program.edges[0].instruction.a = program.unary(ExprOp::kNegate, e);
  ASSERT_EQ(validate(program).size(), 1u);
  EXPECT_THAT(validate(program)[0].message, HasSubstr("nests deeper"));
}

void expect_same_instruction(const Instruction& a, const Instruction& b) {
  RC_ASSERT(a.op == b.op);
  RC_ASSERT(a.message == b.message);
  RC_ASSERT(a.waits == b.waits);
  RC_ASSERT(a.until == b.until);
  RC_ASSERT(a.plain == b.plain);
  RC_ASSERT(a.copies == b.copies);
  if (a.op == Opcode::kAllocate || a.op == Opcode::kFree) RC_ASSERT(a.block == b.block);
  RC_ASSERT(a.renews == b.renews);
  if (a.op == Opcode::kRmw) RC_ASSERT(a.rmw == b.rmw);
}

void expect_same_function(const Function& a, const Function& b) {
  RC_ASSERT(a.entry == b.entry);
  RC_ASSERT(a.privates.size() == b.privates.size());
  for (std::size_t i = 0; i < a.privates.size(); ++i) {
    RC_ASSERT(a.privates[i].name == b.privates[i].name);
    RC_ASSERT(a.privates[i].offset == b.privates[i].offset);
    RC_ASSERT(a.privates[i].size == b.privates[i].size);
  }
}

void expect_same_shape(const Program& a, const Program& b) {
  RC_ASSERT(a.edges.size() == b.edges.size());
  for (std::size_t i = 0; i < a.edges.size(); ++i) {
    RC_ASSERT(a.edges[i].source == b.edges[i].source);
    RC_ASSERT(a.edges[i].target == b.edges[i].target);
    RC_ASSERT(a.edges[i].position == b.edges[i].position);
    expect_same_instruction(a.edges[i].instruction, b.edges[i].instruction);
  }
  RC_ASSERT(a.locations.size() == b.locations.size());
  for (std::size_t i = 0; i < a.locations.size(); ++i) {
    RC_ASSERT(a.locations[i].label == b.locations[i].label);
    RC_ASSERT(a.locations[i].edges == b.locations[i].edges);
    RC_ASSERT(a.locations[i].position == b.locations[i].position);
  }
  for (std::size_t i = 0; i < a.functions.size(); ++i) expect_same_function(a.functions[i], b.functions[i]);
  for (std::size_t i = 0; i < a.threads.size(); ++i) {
    RC_ASSERT(a.threads[i].dormant == b.threads[i].dormant);
    RC_ASSERT(a.threads[i].single == b.threads[i].single);
  }
  for (std::size_t i = 0; i < a.objects.size(); ++i) {
    RC_ASSERT(a.objects[i].base == b.objects[i].base);
    RC_ASSERT(a.objects[i].initial == b.objects[i].initial);
    RC_ASSERT(a.objects[i].stride == b.objects[i].stride);
    RC_ASSERT(a.objects[i].constant == b.objects[i].constant);
  }
  RC_ASSERT(a.properties.goals == b.properties.goals);
  RC_ASSERT(a.properties.exclusive == b.properties.exclusive);
  RC_ASSERT(a.properties.races == b.properties.races);
  RC_ASSERT(a.properties.leaks == b.properties.leaks);
  RC_ASSERT(a.restrictions == b.restrictions);
  RC_ASSERT(a.open_memory == b.open_memory);
  RC_ASSERT(a.byte_memory == b.byte_memory);
}

TEST(ProgramText, EveryProgramSurvivesPrintingAndParsing) {
  EXPECT_TRUE(rc::check("print, parse, print is print", [] {
    const Program program = weir::test::OddProgramBuilder().build();
    const auto mistakes = validate(program);
    if (!mistakes.empty()) RC_FAIL(mistakes[0].message);
    const std::string text = print(program);
    auto again = parse_program_text("again.weir", text);
    if (!again.ok()) RC_FAIL(text + error_of(text));
    RC_ASSERT(print(*again) == text);
    RC_ASSERT(validate(*again).empty());
    expect_same_shape(program, *again);
  }));
}

TEST(ProgramText, DamagedTextsGiveDiagnosticsNotCrashes) {
  EXPECT_TRUE(rc::check("damage", [] {
    std::string text = print(weir::test::OddProgramBuilder().build());
    const int damages = *rc::gen::inRange(1, 4);
    for (int i = 0; i < damages; ++i) {
      const std::size_t at = *rc::gen::inRange<std::size_t>(0, text.size());
      switch (*rc::gen::inRange(0, 3)) {
        case 0: text[at] = *rc::gen::arbitrary<char>(); break;
        case 1: text.erase(at, *rc::gen::inRange<std::size_t>(1, 20)); break;
        default:
          text.insert(
              at, *rc::gen::element<std::string>("#", "(", "9999999999", "end", "\n", "\"", "@", "%", "-> "));
      }
      if (text.empty()) break;
    }
    auto result = parse_program_text("damaged.weir", text);
    if (result.ok()) {
      static_cast<void>(validate(*result));
    } else {
      RC_ASSERT(result.error().diagnostics.size() == 1u);
      RC_ASSERT(result.error().diagnostics[0].position.known());
    }
  }));
}

}  // namespace weir::text_test
