// One test per rule of `validate`: the smallest program that breaks it, and the message a user would read.
#include "program/validate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program/text/text.hpp"

namespace weir::validate_test {

using ::testing::HasSubstr;

Program parsed(const std::string& text) {
  auto result = parse_program_text("test.weir", "weir 1\n" + text);
  if (!result) ADD_FAILURE() << render(result.error().diagnostics[0], result.error().sources);
  return result ? std::move(*result) : Program{};
}

// The first message about the program, with its position.
std::string complaint(const Program& program) {
  const auto found = validate(program);
  return found.empty() ? "" : program.sources.describe(found[0].position) + ": " + found[0].message;
}

std::string complaint(const std::string& text) { return complaint(parsed(text)); }

// A function with the given edges, all of which may use registers a, b (i64) and c (u8).
std::string function(const std::string& edges) {
  return "shared x = 0\nshared y : u8 = 0\nfunction f(a)\n  register b\n  register c : u8\n  s:\n" + edges +
         "  t:\nend\nthread T = f(0)\n";
}

TEST(Validate, AcceptsAWellFormedProgram) {
  EXPECT_EQ(complaint(function("  b := load x -> t\n  store u8 y := c -> t\n")), "");
}

TEST(Validate, WantsThreads) { EXPECT_THAT(complaint("function f()\ns:\nend\n"), HasSubstr("no threads")); }

TEST(Validate, WantsIdsInRange) {
  Program program = parsed(function("  nop -> t\n"));
  Program broken = program;
  broken.edges[0].target = LocationId(99);
  EXPECT_THAT(complaint(broken), HasSubstr("location that does not exist"));
  broken = program;
  broken.functions[0].entry = LocationId();
  EXPECT_THAT(complaint(broken), HasSubstr("no entry"));
  broken = program;
  broken.threads[0].function = FunctionId(7);
  EXPECT_THAT(complaint(broken), HasSubstr("runs a function that does not exist"));
  broken = program;
  broken.locations[0].function = FunctionId(7);
  EXPECT_THAT(complaint(broken), HasSubstr("belongs to"));
  broken = program;
  broken.locations[0].edges.push_back(EdgeId(0));
  EXPECT_THAT(complaint(broken), HasSubstr("not listed once"));
  broken = program;
  broken.functions[0].parameter_count = 9;
  EXPECT_THAT(complaint(broken), HasSubstr("9 parameters"));
  broken = program;
  broken.edges[0].instruction = {.op = Opcode::kAssume};
  EXPECT_THAT(complaint(broken), HasSubstr("without its operand"));
  broken = program;
  broken.edges[0].instruction = {.op = Opcode::kLoad, .a = broken.constant(0)};
  EXPECT_THAT(complaint(broken), HasSubstr("without the register"));
  broken = program;
  broken.edges[0].instruction = {.op = Opcode::kAssign, .result = RegisterId(8), .a = broken.constant(0)};
  EXPECT_THAT(complaint(broken), HasSubstr("no register number 8"));
  broken = program;
  broken.edges[0].instruction = {.op = Opcode::kAssume, .a = broken.register_value(RegisterId(8))};
  EXPECT_THAT(complaint(broken), HasSubstr("no register number 8"));
  broken = program;
  broken.edges[0].instruction = {.op = Opcode::kCall, .callee = FunctionId(8)};
  EXPECT_THAT(complaint(broken), HasSubstr("call to a function that does not exist"));
  broken = program;
  broken.properties.goals = {{{ThreadId(3), LocationId(0)}}};
  EXPECT_THAT(complaint(broken), HasSubstr("goal names"));
  broken.properties.goals = {{}};
  EXPECT_THAT(complaint(broken), HasSubstr("a goal names no thread"));
  broken = program;
  broken.properties.exclusive.push_back({{ThreadId(0), LocationId(70)}});
  EXPECT_THAT(complaint(broken), HasSubstr("mutual exclusion names"));
}

TEST(Validate, RefusesCyclicExpressions) {
  Program program = parsed(function("  assume a + b -> t\n"));
  for (Expression& e : program.expressions)
    if (e.op == ExprOp::kAdd) e.a = ExprId(program.expressions.size() - 1);
  EXPECT_THAT(complaint(program), HasSubstr("does not come before it"));
}

TEST(Validate, WantsTypesFrom1To64Bits) {
  Program program = parsed(function("  b := load x -> t\n"));
  Program broken = program;
  broken.functions[0].registers[1].type.bits = 0;
  EXPECT_THAT(complaint(broken), HasSubstr("register 'b' of 'f' has 0 bits"));
  broken = program;
  broken.objects[0].type.bits = 65;
  EXPECT_THAT(complaint(broken), HasSubstr("cells of 65 bits"));
  broken = program;
  broken.edges[0].instruction.type.bits = 70;
  EXPECT_THAT(complaint(broken), HasSubstr("access of 70 bits"));
  broken = program;
  broken.expressions[0].type.bits = 0;
  EXPECT_THAT(complaint(broken), HasSubstr("0 bits"));
}

TEST(Validate, WantsValuesThatFit) {
  EXPECT_THAT(complaint("shared y : u8 = 256\n" + function("")), HasSubstr("initial value 256 of 'y'"));
  EXPECT_THAT(complaint(function("  assume c == 256u8 -> t\n")), HasSubstr("256 does not fit into u8"));
  EXPECT_THAT(complaint("function g()\n  register r : i8 = 128\n  s:\nend\n" + function("")),
              HasSubstr("128 of register 'r'"));
}

TEST(Validate, WantsOperandTypesToAgree) {
  EXPECT_THAT(complaint(function("  b := a + c -> t\n")),
              HasSubstr("test.weir:8:3: the right operand has type u8, but i64 is needed"));
  EXPECT_THAT(complaint(function("  assume a == c -> t\n")),
              HasSubstr("right side of a comparison has type u8"));
  EXPECT_THAT(complaint(function("  b := a ? b : c -> t\n")), HasSubstr("third operand"));
  EXPECT_EQ(complaint(function("  b := a + (c as i64) -> t\n")), "");
  EXPECT_EQ(complaint(function("  b := a && c -> t\n")), "");
  Program program = parsed(function("  b := -a -> t\n"));
  for (Expression& e : program.expressions)
    if (e.op == ExprOp::kNegate) e.type = Type{8, false};
  EXPECT_THAT(complaint(program), HasSubstr("the operand has type i64"));
  program = parsed(function("  b := a -> t\n"));
  program.expressions[0].type = Type{8, false};
  EXPECT_THAT(complaint(program), HasSubstr("register 'a' has type i64"));
}

TEST(Validate, WantsEdgesInsideOneFunction) {
  Program program = parsed("function f()\ns:\nend\nfunction g()\nt:\nend\nthread T = f()\n");
  Program broken = program;
  broken.add_edge(LocationId(0), LocationId(1), {});
  EXPECT_THAT(complaint(broken), HasSubstr("into another function"));
  broken = program;
  broken.functions[0].entry = LocationId(1);
  EXPECT_THAT(complaint(broken), HasSubstr("belongs to another function"));
}

TEST(Validate, CountsArguments) {
  EXPECT_THAT(complaint("function f(a)\ns:\nend\nthread T = f()\n"),
              HasSubstr("thread 'T' gives 0 arguments to function 'f', which takes 1"));
  EXPECT_THAT(complaint(function("  call f(a, b) -> t\n")), HasSubstr("the call gives 2 arguments"));
}

TEST(Validate, WantsObjectsApart) {
  EXPECT_THAT(complaint("shared z at 1 = 0, 0\nshared w at 2 = 0\nfunction f()\ns:\nend\nthread T = f()\n"),
              HasSubstr("test.weir:3:1: shared object 'w' overlaps 'z'"));
  Program program = parsed(function(""));
  program.objects[0].base = INT64_MAX;
  program.objects[0].initial = {0, 0};
  EXPECT_THAT(complaint(program), HasSubstr("beyond the last address"));
  program.objects[0].initial = {};
  EXPECT_THAT(complaint(program), HasSubstr("no cells"));
}

TEST(Validate, WantsPropertiesAboutTheThread) {
  Program program = parsed("function f()\ns:\nend\nfunction g()\nu:\nend\nthread T = f()\nthread U = g()\n");
  program.properties.goals = {{{ThreadId(0), LocationId(1)}}};
  EXPECT_THAT(complaint(program), HasSubstr("goal: location 'u' is not one of thread 'T'"));
}

TEST(Validate, KeepsInvariantsAndInstructionsApart) {
  Program program = parsed(function("  b := a -> t\n"));
  Program broken = program;
  broken.properties.invariants.push_back({ExprId(0), "a", {}});
  EXPECT_THAT(complaint(broken), HasSubstr("without saying of which thread"));
  broken = program;
  broken.edges[0].instruction.a = broken.add_expression({.op = ExprOp::kSharedCell, .constant = 0});
  EXPECT_THAT(complaint(broken), HasSubstr("inside an expression"));
  EXPECT_THAT(complaint(function("") + "invariant [77] == 0\n"),
              HasSubstr("address 77, where there is nothing"));
  EXPECT_EQ(complaint("open memory\n" + function("") + "invariant [77] == 0\n"), "");
  EXPECT_EQ(complaint(function("") + "invariant x + T.b <= 1, \"x + b\"\n"), "");
}

TEST(Validate, WantsChoicesWithValues) {
  EXPECT_THAT(complaint(function("  b := choose 3 .. 2 -> t\n")),
              HasSubstr("a choice from 3 to 2 has no value"));
}

// Two functions: main with the given locations, and a helper.
std::string blocks(const std::string& body, const std::string& helper = "  nop -> v\n") {
  return "function main()\n" + body + "end\nfunction helper()\n  u:\n" + helper +
         "  v:\n    return\nend\nthread T = main()\n";
}

TEST(Validate, FollowsAtomicBlocks) {
  EXPECT_EQ(complaint(blocks("s:\n atomic_begin -> a\na:\n call helper() -> b\nb:\n atomic_end -> s\n")), "");
  EXPECT_THAT(complaint(blocks("s:\n atomic_end -> a\na:\n")),
              HasSubstr("test.weir:4:2: an atomic block ends where"));
  EXPECT_THAT(complaint(blocks("s:\n atomic_begin -> a\na:\n atomic_begin -> s\n")),
              HasSubstr("begins inside another"));
  EXPECT_THAT(complaint(blocks("s:\n atomic_begin -> a\n nop -> a\na:\n atomic_end -> b\nb:\n")),
              HasSubstr("both inside and outside"));
  EXPECT_THAT(complaint(blocks("s:\n atomic_begin -> a\na:\n return\n")), HasSubstr("a return inside"));
  EXPECT_THAT(complaint(blocks("s:\n atomic_begin -> a\na:\n")), HasSubstr("stops inside"));
  EXPECT_THAT(complaint(blocks("s:\n atomic_begin -> a\na:\n lock -> b\nb:\n atomic_end -> s\n")),
              HasSubstr("global lock is used inside"));
  EXPECT_THAT(complaint(blocks("s:\n atomic_begin -> a\na:\n call helper() -> b\nb:\n atomic_end -> s\n",
                               "  unlock -> v\n")),
              HasSubstr("function 'helper', called inside an atomic block"));
}

TEST(Validate, FollowsCallsInsideAtomicBlocks) {
  const std::string text =
      "function inner()\ns:\n lock -> t\nt:\nend\nfunction middle()\ns:\n call inner() -> t\nt:\n "
      "return\nend\n"
      "function main()\ns:\n atomic_begin -> a\na:\n call middle() -> b\nb:\n atomic_end -> s\nend\nthread T "
      "= main()\n";
  EXPECT_THAT(complaint(text), HasSubstr("function 'middle', called inside"));
}

}  // namespace weir::validate_test
