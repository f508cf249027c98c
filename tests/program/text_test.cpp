// Protects the promise that any program survives being printed and parsed, with its ids and positions.
#include "program/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "program/odd_programs.hpp"
#include "program/validate.hpp"

namespace weir {
namespace {

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

void expect_same_shape(const Program& a, const Program& b) {
  RC_ASSERT(a.edges.size() == b.edges.size());
  for (std::size_t i = 0; i < a.edges.size(); ++i) {
    RC_ASSERT(a.edges[i].source == b.edges[i].source);
    RC_ASSERT(a.edges[i].target == b.edges[i].target);
    RC_ASSERT(a.edges[i].position == b.edges[i].position);
    RC_ASSERT(a.edges[i].instruction.op == b.edges[i].instruction.op);
    RC_ASSERT(a.edges[i].instruction.message == b.edges[i].instruction.message);
  }
  RC_ASSERT(a.locations.size() == b.locations.size());
  for (std::size_t i = 0; i < a.locations.size(); ++i) {
    RC_ASSERT(a.locations[i].label == b.locations[i].label);
    RC_ASSERT(a.locations[i].edges == b.locations[i].edges);
    RC_ASSERT(a.locations[i].position == b.locations[i].position);
  }
  for (std::size_t i = 0; i < a.functions.size(); ++i)
    RC_ASSERT(a.functions[i].entry == b.functions[i].entry);
  for (std::size_t i = 0; i < a.objects.size(); ++i) {
    RC_ASSERT(a.objects[i].base == b.objects[i].base);
    RC_ASSERT(a.objects[i].initial == b.objects[i].initial);
  }
  RC_ASSERT(a.properties.goal == b.properties.goal);
  RC_ASSERT(a.properties.exclusive == b.properties.exclusive);
}

TEST(ProgramText, EveryProgramSurvivesPrintingAndParsing) {
  EXPECT_TRUE(rc::check("print, parse, print is print", [] {
    const Program program = weir::testing::OddProgramBuilder().build();
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
    std::string text = print(weir::testing::OddProgramBuilder().build());
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

}  // namespace
}  // namespace weir
