// Functions become graphs with few registers, in which every access of the source stands once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/c/lowered_source.hpp"
#include "program/expressions.hpp"

namespace weir::lowering_test {

using namespace weir::test;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr Opcode kComputing[] = {Opcode::kAssign, Opcode::kNop};

std::size_t computing(const Program& program, std::uint32_t line) {
  std::size_t number = 0;
  for (const Opcode op : kComputing) number += count(program, line, op);
  return number;
}

TEST(Registers, AnExpressionIsComputedWhereItIsUsed) {
  const Program program = lowered("int x, y, z;\nint main(void) {\n z = (x + y) * 2 - 1;\n}");
  EXPECT_EQ(count(program, 3, Opcode::kLoad), 2u);
  EXPECT_EQ(count(program, 3, Opcode::kStore), 1u);
  EXPECT_EQ(computing(program, 3), 0u);
}

TEST(Registers, AreSharedByVariablesThatDoNotLiveTogether) {
  std::string source = "int x;\nint main(void) {\n";
  for (int i = 0; i < 20; ++i) {
    const std::string name = "v" + std::to_string(i);
    source += "{ int " + name + " = x; x = " + name + " + 1; if (" + name + " > 3) x = " + name + "; }\n";
  }
  const Program program = lowered(source + "}");
  EXPECT_LE(function(program, "__weir_program_main")->registers.size(), 6u);
}

TEST(Registers, ALoopNeedsOneForItsCounter) {
  const Program program =
      lowered("int a[4];\nint main(void) {\n for (int i = 0; i < 4; i++)\n  a[i] = i;\n}");
  EXPECT_EQ(computing(program, 3), 2u);  // i := 0, i := i + 1
  EXPECT_EQ(computing(program, 4), 0u);
  const auto& registers = function(program, "__weir_program_main")->registers;
  EXPECT_TRUE(
      std::any_of(registers.begin(), registers.end(), [](const Register& r) { return r.name == "i"; }));
}

TEST(Registers, VariablesCanBeSwapped) {
  EXPECT_TRUE(
      holds("int a = 1, b = 2, c = 3; for (int i = 0; i < 4; i++) { int t = a; a = b; b = c; c = t; }\n"
            "check(a == 2 && b == 3 && c == 1);"));
}

TEST(Branches, AreComplementary) {
  const Program program = lowered(
      "int x; double d;\nint main(void) { if (x) x = 1; if (x > 3 && d < 1) x = 2; while (!x) ; return x ? 1 "
      ": 2; }");
  for (const Location& location : program.locations) {
    if (location.edges.size() != 2) continue;
    const Instruction& a = program.edge(location.edges[0]).instruction;
    const Instruction& b = program.edge(location.edges[1]).instruction;
    ASSERT_EQ(a.op, Opcode::kAssume);
    ASSERT_EQ(b.op, Opcode::kAssume);
    EXPECT_TRUE(complementary(program, a.a, b.a));
  }
}

TEST(Branches, ASwitchHasOneEdgePerTarget) {
  const Program program = lowered(
      "int x, y;\nint main(void) {\n int v = x;\n switch (v) {\n case 1: case 2: case 3: case 9: y = 1; "
      "break;\n"
      " case -5: y = 2; break;\n case 7: case 100: y = 3; }\n}");
  EXPECT_EQ(count(program, 4, Opcode::kAssume), 4u);
  EXPECT_TRUE(
      holds("int n = 0; for (int i = -10; i < 110; i++) switch (i) { case 1: case 2: case 3: case 9: n += 1; "
            "break;\n"
            "case -5: n += 100; break; case 7: case 100: n += 1000; break; default: n += 10000; }\n"
            "check(n == 4 + 100 + 2000 + 10000 * 113);"));
}

TEST(Accesses, HaveTheOrdersOfTheSource) {
  const Program program = lowered(
      "#include <stdatomic.h>\natomic_int x; int y;\nint main(void) {\n"
      " atomic_store_explicit(&x, 1, memory_order_relaxed);\n atomic_store_explicit(&x, 1, "
      "memory_order_release);\n"
      " x = 1;\n atomic_load_explicit(&x, memory_order_acquire);\n y = 1;\n"
      " atomic_fetch_add_explicit(&x, 1, memory_order_acq_rel);\n}");
  const auto only = [&](std::uint32_t line, Opcode op) {
    const auto found = of_kind(on_line(program, line), op);
    EXPECT_EQ(found.size(), 1u) << line;
    return found.empty() ? Instruction{} : found.front();
  };
  EXPECT_EQ(only(4, Opcode::kStore).order, Order::kRelaxed);
  EXPECT_FALSE(only(4, Opcode::kStore).plain);
  EXPECT_EQ(only(5, Opcode::kStore).order, Order::kRelease);
  EXPECT_EQ(only(6, Opcode::kStore).order, Order::kSequential);
  EXPECT_EQ(only(7, Opcode::kLoad).order, Order::kAcquire);
  EXPECT_TRUE(only(8, Opcode::kStore).plain);
  EXPECT_EQ(only(9, Opcode::kRmw).order, Order::kAcquireRelease);
}

TEST(Accesses, FencesThatBindTheMachine) {
  const Program program = lowered(
      "#include <stdatomic.h>\nint main(void) {\n atomic_thread_fence(memory_order_seq_cst);\n"
      " atomic_thread_fence(memory_order_release);\n atomic_thread_fence(memory_order_acquire);\n"
      " atomic_signal_fence(memory_order_seq_cst);\n __asm__ volatile(\"\" ::: \"memory\");\n"
      " __asm__ volatile(\"mfence\" ::: \"memory\");\n __sync_synchronize();\n}");
  const auto fences = [&](std::uint32_t line) { return of_kind(on_line(program, line), Opcode::kFence); };
  ASSERT_EQ(fences(3).size(), 1u);
  EXPECT_EQ(fences(3)[0].fence, FenceKind::kFull);
  ASSERT_EQ(fences(4).size(), 1u);
  EXPECT_EQ(fences(4)[0].fence, FenceKind::kStoreStore);
  EXPECT_TRUE(fences(5).empty() && fences(6).empty() && fences(7).empty());
  EXPECT_EQ(fences(8).size(), 1u);
  EXPECT_EQ(fences(9).size(), 1u);
}

TEST(Accesses, CompareExchangeSaysWhetherItStored) {
  EXPECT_TRUE(
      holds("int e = 5; check(!__atomic_compare_exchange_n(&x, &e, 7, 0, 5, 5) && e == 0 && x == 0);\n"
            "check(__atomic_compare_exchange_n(&x, &e, 7, 0, 5, 5) && x == 7);",
            "int x;"));
}

TEST(Values, TheLeastAndTheLargestFloatingPointNumber) {
  EXPECT_TRUE(
      holds("volatile double one = 1, two = 2, none = __builtin_nan(\"\");\n"
            "check(__builtin_fmin(one, two) == 1 && __builtin_fmin(two, one) == 1);\n"
            "check(__builtin_fmax(one, two) == 2 && __builtin_fmax(two, one) == 2);\n"
            "check(__builtin_fmin(none, two) == 2 && __builtin_fmin(two, none) == 2);\n"
            "check(__builtin_fmax(none, one) == 1 && __builtin_fmax(one, none) == 1);\n"
            "volatile float least = -3; check(__builtin_fmaxf(least, 0) == 0 && __builtin_fminf(0, least) == "
            "-3);"));
}

TEST(Copies, StructuresAreCopiedCellByCell) {
  const Program program = lowered("struct s { int a; char b; long c; } x, y;\nint main(void) {\n x = y;\n}");
  const auto loads = of_kind(on_line(program, 3), Opcode::kLoad);
  ASSERT_EQ(loads.size(), 3u);
  EXPECT_TRUE(loads[0].copies);
  EXPECT_EQ(loads[0].type.bits, 32);
  EXPECT_EQ(loads[1].type.bits, 8);
  EXPECT_EQ(loads[2].type.bits, 64);
  EXPECT_EQ(count(program, 3, Opcode::kStore), 3u);
}

TEST(Copies, LongArraysAreCopiedByALoop) {
  const Program program =
      lowered("#include <string.h>\nint a[100], b[100];\nint main(void) {\n memcpy(a, b, sizeof a);\n}");
  EXPECT_EQ(count(program, 4, Opcode::kLoad), 1u);
  EXPECT_EQ(count(program, 4, Opcode::kStore), 1u);
}

TEST(Copies, WhatIsUninitialisedMayBePassedOn) {
  const std::string types =
      "struct p { char c; int x; short y; }; struct q { int a, b, c; };\n"
      "struct p make(int n) { struct p p; p.x = n; return p; }\n"
      "int get(struct p p) { return p.x; }\n"
      "struct q pass(struct q q) { return q; }\n";
  EXPECT_TRUE(
      holds("struct p a = make(3), b; b = a; check(get(b) == 3);\n"
            "struct q q; q.b = 4; q = pass(q); check(q.b == 4);",
            types));
  EXPECT_FALSE(holds("struct p a = make(3); check(a.y == 0);", types));
  EXPECT_FALSE(holds("struct q q; q.b = 4; q = pass(q); check(q.c == 0);", types));
}

TEST(Uninitialised, IsNoticedWhereItIsUsed) {
  EXPECT_TRUE(
      mentions(lowered("int x;\nint main(void) { int u; x = u; }"), "`u` is read before it is initialised"));
  EXPECT_FALSE(holds("int u; x = u + 1;", "int x;"));
  EXPECT_FALSE(holds("int u; if (x) u = 1; x = u;", "int x;"));
  EXPECT_TRUE(holds("int u; if (!x) u = 1; x = u;", "int x;"));
  EXPECT_TRUE(holds("int u; for (int i = 0; i < 3; i++) { if (i == 0) u = 5; u++; } check(u == 8);"));
  EXPECT_FALSE(holds("for (int i = 0; i < 2; i++) { int u; if (i == 0) u = 5; x = u; }", "int x;"));
}

TEST(Calls, RecursionStaysACall) {
  const Program program = lowered(
      "int f(int n) { return n ? n * f(n - 1) : 1; }\nint main(void) { return f(5) - 120 ? *(int *)0 : 0; }");
  ASSERT_NE(function(program, "f"), nullptr);
  EXPECT_EQ(function(program, "f")->parameter_count, 1u);
  EXPECT_TRUE(is_safe(program));
}

TEST(Calls, RecursionWithStructures) {
  EXPECT_TRUE(
      holds("struct s r = f((struct s){1, 2, 3}, 4); check(r.a == 11 && r.b == 2 && r.c == -7);\n"
            "struct big b = {{0}}; b = g(b, 5); check(b.v[5] == 5 && b.v[0] == 0);",
            "struct s { int a; char b; long c; }; struct big { long v[6]; };\n"
            "struct s f(struct s s, int n) { if (!n) return s; s.a += n; s.c -= n; return f(s, n - 1); }\n"
            "struct big g(struct big b, int n) { if (!n) return b; b.v[n] = n; return g(b, n - 1); }"));
}

TEST(Calls, PointersAreComparedWithFunctions) {
  const std::string before = "int f(int x) { return x + 1; } int g(int x) { return x + 2; } int (*p)(int);\n";
  EXPECT_TRUE(holds("p = f; check(p(1) == 2); p = g; check(p(1) == 3);", before));
  EXPECT_FALSE(holds("p(1);", before));
  EXPECT_FALSE(holds("p = (int (*)(int))8; p(1);", before));
  EXPECT_TRUE(mentions(lowered(before + "int main(void) { if (!p) p = f; return p(1); }"), "null pointer"));
}

TEST(Blocks, InnerOnesArePartOfTheOuterOne) {
  const Program program = lowered(
      "#include <pthread.h>\nvoid __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);\n"
      "pthread_mutex_t m; int x;\nint main(void) {\n __VERIFIER_atomic_begin();\n pthread_mutex_lock(&m);\n "
      "x = 1;\n"
      " pthread_mutex_unlock(&m);\n __VERIFIER_atomic_end();\n}");
  EXPECT_EQ(count(program, 5, Opcode::kAtomicBegin), 1u);
  EXPECT_EQ(count(program, 6, Opcode::kAtomicBegin), 0u);
  EXPECT_EQ(count(program, 8, Opcode::kAtomicEnd), 0u);
  EXPECT_EQ(count(program, 9, Opcode::kAtomicEnd), 1u);
}

TEST(Blocks, FunctionsCalledInsideAreLoweredApart) {
  const Program program = lowered(
      "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); int x;\n"
      "void f(int n) { __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end(); if (n) f(n - 1); }\n"
      "int main(void) { f(2); __VERIFIER_atomic_begin(); f(2); __VERIFIER_atomic_end(); return x == 6 ? 0 : "
      "*(int *)0; }");
  EXPECT_NE(function(program, "f"), nullptr);
  EXPECT_NE(function(program, "f in a block"), nullptr);
  EXPECT_TRUE(is_safe(program));
}

TEST(Verification, AssumptionsEndTheExecution) {
  EXPECT_TRUE(holds("__VERIFIER_assume(x == 1); check(0);", "void __VERIFIER_assume(int); int x;"));
  EXPECT_FALSE(holds("__VERIFIER_assume(x == 0); check(0);", "void __VERIFIER_assume(int); int x;"));
  EXPECT_TRUE(holds("abort(); check(0);", "#include <stdlib.h>"));
  EXPECT_TRUE(holds("exit(3); check(0);", "#include <stdlib.h>"));
}

TEST(Verification, ErrorsAreViolations) {
  EXPECT_TRUE(mentions(lowered("void reach_error(void);\nint main(void) { reach_error(); }"),
                       "reach_error() is called"));
  EXPECT_FALSE(holds("__VERIFIER_error();", "void __VERIFIER_error(void);"));
}

TEST(Verification, UnknownNumbersAreAChoice) {
  const Program program = lowered(
      "int __VERIFIER_nondet_int(void); unsigned char __VERIFIER_nondet_uchar(void); _Bool "
      "__VERIFIER_nondet_bool(void);\n"
      "int main(void) {\n int a = __VERIFIER_nondet_int();\n unsigned char b = __VERIFIER_nondet_uchar();\n"
      " _Bool c = __VERIFIER_nondet_bool();\n return a + b + c;\n}",
      COptions{.nondet_low = -2, .nondet_high = 300});
  const auto choice = [&](std::uint32_t line) {
    return of_kind(on_line(program, line), Opcode::kChoose).at(0);
  };
  EXPECT_EQ(choice(3).low, -2);
  EXPECT_EQ(choice(3).high, 300);
  EXPECT_EQ(choice(4).low, 0);
  EXPECT_EQ(choice(4).high, 255);
  EXPECT_EQ(choice(5).high, 1);
  EXPECT_THAT(program.restrictions, ElementsAre("__VERIFIER_nondet_int() gives -2 to 300 only"));
}

TEST(Memory, StackBlocksAreReleased) {
  const Program program = lowered(
      "int *out;\nint f(int n) { int cell = n; out = &cell; return n ? f(n - 1) : *out; }\nint main(void) { "
      "return f(2); }");
  std::size_t allocated = 0, released = 0;
  for (const Edge& edge : program.edges) {
    allocated += edge.instruction.op == Opcode::kAllocate;
    released += edge.instruction.op == Opcode::kFree && edge.instruction.block == BlockKind::kStack;
  }
  EXPECT_EQ(allocated, 1u);
  EXPECT_GE(released, 1u);
  EXPECT_FALSE(holds("f(2); return *out;",
                     "int *out; int f(int n) { int c = n; out = &c; return n ? f(n - 1) : 0; }"));
}

TEST(Memory, VariableLengthArrays) {
  EXPECT_TRUE(
      holds("int s = 0; for (int n = 1; n < 4; n++) { int a[n]; for (int i = 0; i < n; i++) a[i] = i; s += "
            "a[n - 1]; }\n"
            "check(s == 3);"));
  EXPECT_FALSE(holds("int n = x + 3; int a[n]; a[3] = 1;", "int x;"));
}

TEST(Positions, EdgesStandWhereTheSourceDoes) {
  const Program program = lowered("int x;\nint f(void) {\n return x;\n}\nint main(void) {\n x = f();\n}");
  ASSERT_EQ(count(program, 3, Opcode::kLoad), 1u);
  EXPECT_EQ(count(program, 6, Opcode::kStore), 1u);
  EXPECT_EQ(program.sources.file(FileId(0)).line(3), " return x;");
}

}  // namespace weir::lowering_test
