// The rules of `validate` about memory, and about what else C programs need: one test per rule.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program/text/text.hpp"
#include "program/validate.hpp"

namespace weir::validate_memory_test {

using ::testing::HasSubstr;

Program parsed(const std::string& text) {
  auto result = parse_program_text("test.weir", "weir 1\n" + text);
  if (!result) ADD_FAILURE() << render(result.error().diagnostics[0], result.error().sources);
  return result ? std::move(*result) : Program{};
}

std::string complaint(const Program& program) {
  const auto found = validate(program);
  return found.empty() ? "" : program.sources.describe(found[0].position) + ": " + found[0].message;
}

std::string complaint(const std::string& text) { return complaint(parsed(text)); }

// Lines before a function with one edge, which may use registers p (u64), f (u32) and c (u8).
std::string with_edge(const std::string& edge, const std::string& before = "",
                      const std::string& inside = "") {
  return before + "function f()\n  register p : u64\n  register f : u32\n  register c : u8\n" + inside +
         "  s:\n    " + edge + " -> t\n  t:\nend\nthread T = f()\n";
}

std::string with_objects(const std::string& objects) { return with_edge("nop", objects); }

TEST(ValidateMemory, LetsObjectsLieInEachOthersGaps) {
  EXPECT_EQ(
      complaint(with_objects("shared a : u32 at 0 stride 8 = 0 * 4\nshared b : u8 at 4 stride 8 = 0 * 4\n")),
      "");
  EXPECT_EQ(complaint(with_objects("shared a at 0 stride 6 = 0 * 10\nshared b at 1 stride 4 = 0 * 10\n")), "")
      << "one has even addresses, the other odd ones";
}

TEST(ValidateMemory, FindsCellsAtOneAddress) {
  EXPECT_THAT(complaint(with_objects("shared a at 0 stride 8 = 0 * 4\nshared b at 16 stride 8 = 0\n")),
              HasSubstr("test.weir:3:1: shared object 'b' overlaps 'a'"));
  EXPECT_THAT(complaint(with_objects("shared a at 0 stride 6 = 0 * 10\nshared b at 2 stride 4 = 0 * 10\n")),
              HasSubstr("overlaps"))
      << "both have a cell at 6";
  EXPECT_THAT(complaint(with_objects("shared a at 0 stride 5 = 0 * 4\nshared b at 1\nshared c at 15\n")),
              HasSubstr("shared object 'c' overlaps 'a'"));
}

TEST(ValidateMemory, KeepsObjectsAwayFromBlocksAndPrivateMemory) {
  EXPECT_THAT(complaint(with_objects("shared a at 17592186044416\n")), HasSubstr("lies where blocks"));
  EXPECT_THAT(complaint(with_objects("shared a at 17592186044410 stride 6 = 0, 0\n")),
              HasSubstr("lies where blocks"));
  EXPECT_THAT(complaint(with_objects("shared a at 4611686018427387904\n")), HasSubstr("lies where blocks"));
  EXPECT_EQ(complaint(with_objects("shared a at 17592186044415\n")), "");
  EXPECT_EQ(complaint("open memory\n" + with_objects("shared a at 1152921504606846976\n")), "");
}

TEST(ValidateMemory, WantsStrides) {
  Program program = parsed(with_objects("shared a = 0, 0\n") + "invariant a[1] == 0\n");
  program.objects[0].stride = 0;
  EXPECT_THAT(complaint(program), HasSubstr("has cells 0 apart"));
  program.objects[0].stride = INT64_MAX;
  program.objects[0].base = -5;
  EXPECT_THAT(complaint(program), HasSubstr("lies where blocks"));
  program.objects[0].base = 5;
  EXPECT_THAT(complaint(program), HasSubstr("beyond the last address"));
}

TEST(ValidateMemory, TakesUninitialisedCellsOfAnyType) {
  EXPECT_EQ(complaint(with_objects("shared a : u1 = uninitialised\n")), "");
  EXPECT_THAT(complaint("open memory\n" + with_objects("shared a = uninitialised\n")),
              HasSubstr("open memory never is"));
}

TEST(ValidateMemory, LaysBytesOutOnce) {
  EXPECT_EQ(complaint("byte memory\n" + with_objects("shared a : u32 stride 4 = 0, 0\nshared b : u64 = 0\n")),
            "");
  EXPECT_THAT(complaint("byte memory\n" + with_objects("shared a : u32 stride 3 = 0, 0\n")),
              HasSubstr("has cells 3 apart, but 4 bytes long"));
  EXPECT_THAT(complaint("byte memory\nopen memory\n" + with_objects("")), HasSubstr("not both"));
}

TEST(ValidateMemory, WantsPrivateObjectsInOrder) {
  const auto inside = [](const std::string& lines) { return with_edge("nop", "", lines); };
  EXPECT_EQ(complaint(inside("  private a : 4\n  private b : 0\n  private c : 4 at 8\n")), "");
  EXPECT_THAT(complaint(inside("  private a : 4\n  private b : 4 at 3\n")),
              HasSubstr("private object 'b' of 'f' begins before"));
  EXPECT_THAT(complaint(inside("  private a : 2 at 1099511627775\n")), HasSubstr("ends beyond byte"));
  EXPECT_THAT(complaint(inside("  private a : 9223372036854775807\n")), HasSubstr("ends beyond byte"));
}

TEST(ValidateMemory, KeepsOpenMemoryOld) {
  EXPECT_THAT(complaint("open memory\n" + with_objects("constant a = 0\n")),
              HasSubstr("constant or has gaps"));
  EXPECT_THAT(complaint("open memory\n" + with_objects("shared a stride 2 = 0\n")),
              HasSubstr("constant or has gaps"));
  EXPECT_THAT(complaint("open memory\n" + with_edge("p := allocate heap 4")), HasSubstr("has no blocks"));
  EXPECT_THAT(complaint("open memory\n" + with_edge("free heap p")), HasSubstr("has no blocks"));
  EXPECT_THAT(complaint("open memory\n" + with_edge("p := load copies [3]")), HasSubstr("nothing can copy"));
  EXPECT_THAT(complaint("open memory\n" + with_edge("p := (frame(0) : u64)")),
              HasSubstr("no private memory"));
  EXPECT_THAT(complaint("open memory\n" + with_edge("nop", "", "  private a : 4\n")),
              HasSubstr("cannot be in a program with open memory"));
  EXPECT_EQ(complaint("open memory\n" + with_edge("p := load [3] wait self")), "");
}

TEST(ValidateMemory, WantsWideRegistersForAddressesAndCopies) {
  EXPECT_EQ(complaint(with_edge("p := allocate stack 4")), "");
  EXPECT_THAT(complaint(with_edge("f := allocate heap 4")),
              HasSubstr("test.weir:7:5: the result is put into register 'f', which has 32 bits"));
  EXPECT_EQ(complaint(with_edge("p := load u8 copies [p]")), "");
  EXPECT_THAT(complaint(with_edge("c := load u8 copies [p]")), HasSubstr("register 'c', which has 8 bits"));
  EXPECT_EQ(complaint(with_edge("store u8 copies [p] := c")), "");
  EXPECT_THAT(complaint(with_edge("allocate heap 4")), HasSubstr("without the register"));
}

TEST(ValidateMemory, WantsFlagsWhereTheyMeanSomething) {
  EXPECT_THAT(complaint(with_edge("p := load copies [p] wait 0")), HasSubstr("cannot wait"));
  const auto flagged = [](const std::string& edge, bool Instruction::*flag) {
    Program program = parsed(with_edge(edge));
    program.edges[0].instruction.*flag = true;
    return complaint(program);
  };
  EXPECT_THAT(flagged("store [p] := p", &Instruction::waits), HasSubstr("only a load can wait"));
  EXPECT_THAT(flagged("rmw add [p], p", &Instruction::plain), HasSubstr("can be plain"));
  EXPECT_THAT(flagged("p := load [p]", &Instruction::until), HasSubstr("only a load that waits"));
  EXPECT_THAT(flagged("p := p", &Instruction::copies), HasSubstr("can copy"));
  EXPECT_THAT(flagged("p := load [p]", &Instruction::waits), HasSubstr("without its operand"));
}

TEST(ValidateMemory, CountsThreadsThatAllocate) {
  std::string text = with_edge("p := allocate heap 4");
  for (int i = 1; i < 64; ++i) text += "thread T" + std::to_string(i) + " = f()\n";
  EXPECT_EQ(complaint(text), "");
  EXPECT_THAT(complaint(text + "thread Last = f()\n"), HasSubstr("at most 64 threads, but this one has 65"));
}

TEST(ValidateMemory, WantsFloatingPointOfItsOwnTypes) {
  EXPECT_EQ(complaint(with_edge("f := fadd(f, ftof(p, u32))")), "");
  EXPECT_EQ(complaint(with_edge("c := (feq(p, p) : u8)")), "");
  EXPECT_EQ(complaint(with_edge("c := ftoi(f, u8)")), "");
  EXPECT_EQ(complaint(with_edge("f := itof(c, u32)")), "");
  EXPECT_THAT(complaint(with_edge("c := fadd(c, c)")),
              HasSubstr("the operand of a floating point operation has type u8"));
  EXPECT_THAT(complaint(with_edge("p := feq(1, 2)")), HasSubstr("has type i64"));
  EXPECT_THAT(complaint(with_edge("f := fmul(f, p)")), HasSubstr("the right operand has type u64"));
  EXPECT_THAT(complaint(with_edge("c := itof(f, u8)")),
              HasSubstr("the result of a floating point operation"));
  EXPECT_THAT(complaint(with_edge("c := ftof(f, u8)")),
              HasSubstr("the result of a floating point operation"));
  EXPECT_THAT(complaint(with_edge("c := ftoi(c, i64)")), HasSubstr("the operand of a floating point"));
  Program program = parsed(with_edge("f := fadd(f, f)"));
  program.expressions.back().type = Type{64, false};
  EXPECT_THAT(complaint(program), HasSubstr("the left operand has type u32"));
}

TEST(ValidateMemory, KeepsFramesInTheirFunction) {
  EXPECT_EQ(complaint(with_edge("p := (frame(8) : u64)")), "");
  EXPECT_THAT(complaint(with_edge("f := (frame(8) : u32)")), HasSubstr("has 64 bits, not 32"));
  EXPECT_THAT(complaint(with_edge("p := (frame(1099511627776) : u64)")), HasSubstr("has no byte"));
  EXPECT_THAT(complaint(with_edge("nop") + "invariant frame(8) == 0\n"), HasSubstr("no private memory"));
  Program program = parsed(with_edge("p := self"));
  program.properties.invariants.push_back({program.edges[0].instruction.a, "self", {}});
  EXPECT_THAT(complaint(program), HasSubstr("belongs to no thread"));
}

// The function main, and one that it may call.
std::string blocks(const std::string& body, const std::string& helper = "return") {
  return "function main()\n" + body + "end\nfunction helper()\n  u:\n    " + helper +
         "\nend\nthread T = main()\n";
}

TEST(ValidateMemory, LetsBlocksEndWithHaltButNotWithStop) {
  EXPECT_EQ(complaint(blocks("s:\n atomic_begin -> a\na:\n halt -> b\nb:\n")), "");
  EXPECT_EQ(complaint(blocks("s:\n atomic_begin -> a\na:\n call helper() -> b\nb:\n atomic_end -> c\nc:\n",
                             "halt -> u")),
            "");
  EXPECT_THAT(complaint(blocks("s:\n atomic_begin -> a\na:\n stop\n")),
              HasSubstr("stops inside an atomic block"));
  EXPECT_THAT(complaint(blocks("s:\n atomic_begin -> a\na:\n call helper() -> b\nb:\n atomic_end -> c\nc:\n",
                               "stop")),
              HasSubstr("or stops the thread"));
  EXPECT_EQ(complaint(blocks("s:\n call helper() -> s\n", "stop")), "");
}

}  // namespace weir::validate_memory_test
