// What is not supported is said, at its place, with what would work; odd modules are no reason to crash.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/c/lowered_source.hpp"

namespace weir::lowering_diagnostics_test {

using namespace weir::test;
using testing::AllOf;
using testing::HasSubstr;

TEST(Refusals, FunctionsThatNobodyDefines) {
  EXPECT_THAT(
      refusal("int fork(void);\nint main(void) {\n  return fork();\n}"),
      AllOf(HasSubstr("test.c:3:10: error: the function `fork` is called"), HasSubstr("pthread_create")));
  EXPECT_THAT(refusal("int putss(const char *);\nint main(void) { putss(\"a\"); }"),
              HasSubstr("did you mean `puts`?"));
}

TEST(Refusals, VariablesThatNobodyDefines) {
  EXPECT_THAT(refusal("extern int x;\nint main(void) {\n  return x;\n}"),
              HasSubstr("test.c:3:10: error: the variable `x` is declared"));
}

// Only initialisers mention them, so no line of code does; an access would meet no variable.
TEST(Refusals, VariablesBehindPointersThatNobodyDefinesOrThatAreTooBig) {
  EXPECT_THAT(refusal("extern int x;\nint *p = &x;\nint **q = &p;\nint main(void) { **q = 1; }"),
              HasSubstr("test.c:2:1: error: the variable `x` is declared"));
  EXPECT_THAT(refusal("int big[1 << 28];\nint *p = big;\nint main(void) { p[5] = 1; }"),
              HasSubstr("test.c:2:1: error: the variable `big` is too big"));
}

// Nothing as large as they are is made for them.
TEST(Refusals, EnormousVariables) {
  lowered("_Thread_local long unused[1L << 34];\nint main(void) { return 0; }");
  EXPECT_THAT(refusal("_Thread_local long big[1L << 34];\nint main(void) { return big[0]; }"),
              HasSubstr("test.c:2:25: error: the variable `big` is too big"));
  EXPECT_THAT(
      refusal("struct { char c __attribute__((aligned(1 << 28))); } x;\nint main(void) { return x.c; }"),
      HasSubstr("the variable `x` is too big"));
}

TEST(Refusals, AssemblyIsShown) {
  EXPECT_THAT(
      refusal("int main(void) {\n  __asm__ volatile(\"hlt\" ::: \"memory\");\n}"),
      AllOf(HasSubstr("test.c:2:3: error: inline assembly \"hlt\""), HasSubstr("locked instructions")));
}

TEST(Refusals, WideNumbers) {
  EXPECT_THAT(refusal("long double x;\nint main(void) {\n  x = 1;\n}"),
              HasSubstr("test.c:3:5: error: a store of long double"));
  lowered("__int128 x;\nint main(void) {\n  return x * 3 != 0;\n}");
  EXPECT_THAT(refusal("__int128 x;\nint main(void) {\n  return x / 3 != 0;\n}"),
              HasSubstr("test.c:3:12: error: the operation `sdiv` on type i128"));
}

TEST(Refusals, WritesToAPartOfASharedVariableAndPadding) {
  lowered("int x;\nint main(void) {\n  x = 1;\n  ((char *)&x)[1] = 2;\n}");
  EXPECT_THAT(refusal("struct { char c; int n; } x;\nstruct __attribute__((packed)) half { short v; };\n"
                      "int main(void) {\n  x.n = 1;\n  ((struct half *)((char *)&x + 3))->v = 2;\n}"),
              HasSubstr("error: this writes a part of a shared variable"));
}

TEST(Refusals, NoneOfArgumentListsThatAreRead) {
  const std::string before = "#include <stdarg.h>\n#include <stdio.h>\n";
  lowered(before +
          "int f(int n, ...) { va_list a; va_start(a, n); n = va_arg(a, int); va_end(a); return n; }\n"
          "int main(void) { return f(1, 2); }");
  lowered(before +
          "void f(const char *t, ...) { va_list a; va_start(a, t); vprintf(t, a); va_end(a); }\n"
          "int main(void) { f(\"%d\", 2); }");
}

TEST(Refusals, BlocksThatDoNotMatch) {
  const std::string before = "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); int x;\n";
  EXPECT_THAT(refusal(before + "int main(void) {\n  __VERIFIER_atomic_end();\n}"),
              HasSubstr("test.c:3:3: error: an atomic block ends here"));
  EXPECT_THAT(
      refusal(before +
              "int main(void) { if (x) __VERIFIER_atomic_begin(); x = 1; if (x) __VERIFIER_atomic_end(); }"),
      HasSubstr("both inside and outside"));
  EXPECT_THAT(
      refusal(before +
              "void f(int n) { if (n) f(n - 1); __VERIFIER_atomic_begin(); }\nint main(void) { f(1); }"),
      HasSubstr("still open"));
}

TEST(Refusals, UnknownPointers) {
  EXPECT_THAT(refusal("void *__VERIFIER_nondet_pointer(void);\nint main(void) { return "
                      "__VERIFIER_nondet_pointer() != 0; }"),
              HasSubstr("`__VERIFIER_nondet_pointer` is not supported"));
  EXPECT_THAT(
      refusal("unsigned __VERIFIER_nondet_uint(void);\nint main(void) { return __VERIFIER_nondet_uint(); }",
              COptions{.nondet_low = -5, .nondet_high = -1}),
      HasSubstr("leaves no value"));
}

TEST(Refusals, ComeTogether) {
  const std::string text = refusal("int a(void); int b(void);\nint main(void) {\n  a();\n  b();\n  a();\n}");
  EXPECT_THAT(text, AllOf(HasSubstr("test.c:3:3"), HasSubstr("test.c:4:3"), HasSubstr("test.c:5:3")));
}

// --- Modules that no C compiler writes
// ----------------------------------------------------------------------

std::string module_with(const std::string& body, const std::string& before = "") {
  return "target datalayout = "
         "\"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"\n"
         "target triple = \"x86_64-pc-linux-gnu\"\n@x = global i32 0\n@d = global double 0.0\n@p = global "
         "ptr null\n"
         "declare void @__VERIFIER_error()\n" +
         before + "\ndefine i32 @main() {\n" + body + "\n}\n";
}

Program from_llvm(const std::string& body, const std::string& before = "") {
  return lowered(module_with(body, before), {}, "test.ll");
}

TEST(OddModules, EveryComparisonOfFloatingPointNumbers) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::pair<double, double>> pairs = {{1, 2}, {2, 1}, {1, 1}, {nan, 1}};
  const std::vector<std::pair<std::string, std::vector<bool>>> rows = {
      {"oeq", {0, 0, 1, 0}}, {"one", {1, 1, 0, 0}}, {"ogt", {0, 1, 0, 0}}, {"oge", {0, 1, 1, 0}},
      {"olt", {1, 0, 0, 0}}, {"ole", {1, 0, 1, 0}}, {"ord", {1, 1, 1, 0}}, {"uno", {0, 0, 0, 1}},
      {"ueq", {0, 0, 1, 1}}, {"une", {1, 1, 0, 1}}, {"ugt", {0, 1, 0, 1}}, {"uge", {0, 1, 1, 1}},
      {"ult", {1, 0, 0, 1}}, {"ule", {1, 0, 1, 1}}};
  std::string body;
  for (const auto& [name, expected] : rows)
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const auto text = [](double v) {
        return v != v ? std::string("0x7FF8000000000000") : v == 1 ? "1.0" : "2.0";
      };
      const std::string id = name + std::to_string(i);
      body += "store double " + text(pairs[i].first) + ", ptr @d\n%a" + id + " = load double, ptr @d\n%c" +
              id + " = fcmp " + name + " double %a" + id + ", " + text(pairs[i].second) + "\nbr i1 %c" + id +
              ", label %" + (expected[i] ? "ok" : "bad") + id + ", label %" + (expected[i] ? "bad" : "ok") +
              id + "\nbad" + id + ":\ncall void @__VERIFIER_error()\nbr label %ok" + id + "\nok" + id + ":\n";
    }
  EXPECT_TRUE(is_safe(from_llvm(body + "ret i32 0")));
}

TEST(OddModules, VectorsAreRefusedUnlessTheyAreOnlyMoved) {
  EXPECT_THAT(refusal(module_with("%v = load <2 x float>, ptr @d\n%w = fadd <2 x float> %v, %v\nstore <2 x "
                                  "float> %w, ptr @d\nret i32 0"),
                      {}, "test.ll"),
              HasSubstr("not supported"));
  from_llvm(
      "%a = alloca <2 x float>\n%v = load <2 x float>, ptr @d\nstore <2 x float> %v, ptr %a\nret i32 0");
}

TEST(OddModules, UndefinedValues) {
  EXPECT_FALSE(is_safe(from_llvm("%a = add i32 undef, 1\nstore i32 %a, ptr @x\nret i32 0")));
  EXPECT_TRUE(is_safe(from_llvm("br label %n\nn:\n%a = phi i32 [ undef, %0 ]\nret i32 0")));
  EXPECT_FALSE(
      is_safe(from_llvm("br label %n\nn:\n%a = phi i32 [ poison, %0 ]\nstore i32 %a, ptr @x\nret i32 0")));
}

TEST(OddModules, PhisThatChangePlaces) {
  EXPECT_TRUE(is_safe(
      from_llvm("br label %l\nl:\n%a = phi i32 [ 1, %0 ], [ %b, %l ]\n%b = phi i32 [ 2, %0 ], [ %a, %l ]\n"
                "%i = phi i32 [ 0, %0 ], [ %j, %l ]\n%s = phi i32 [ 0, %0 ], [ %t, %l ]\n%t = sub i32 %a, "
                "%b\n%j = add i32 %i, 1\n"
                "%c = icmp ult i32 %j, 3\nbr i1 %c, label %l, label %e\ne:\n%r = icmp eq i32 %t, -1\nbr i1 "
                "%r, label %ok, label %bad\n"
                "bad:\ncall void @__VERIFIER_error()\nbr label %ok\nok:\nret i32 0")));
}

TEST(OddModules, AggregatesInRegisters) {
  EXPECT_TRUE(is_safe(from_llvm(
      "%s = insertvalue { i32, { i8, i64 } } poison, i32 5, 0\n%t = insertvalue { i32, { i8, i64 } } %s, i64 "
      "7, 1, 1\n"
      "%u = insertvalue { i32, { i8, i64 } } %t, i8 1, 1, 0\n%i = extractvalue { i32, { i8, i64 } } %u, 1\n"
      "%v = extractvalue { i8, i64 } %i, 1\n%c = icmp eq i64 %v, 7\nbr i1 %c, label %ok, label %bad\nbad:\n"
      "call void @__VERIFIER_error()\nbr label %ok\nok:\nret i32 0")));
}

TEST(OddModules, StrangeWidths) {
  EXPECT_TRUE(
      is_safe(from_llvm("%a = load i32, ptr @x\n%b = trunc i32 %a to i7\n%c = sub i7 %b, 1\n%d = zext i7 %c "
                        "to i32\n%e = icmp eq i32 %d, 127\n"
                        "%f = sext i7 %c to i33\n%g = icmp eq i33 %f, -1\n%h = and i1 %e, %g\n%i = lshr i7 "
                        "%c, 3\n%j = icmp eq i7 %i, 15\n"
                        "%k = and i1 %h, %j\nbr i1 %k, label %ok, label %bad\nbad:\ncall void "
                        "@__VERIFIER_error()\nbr label %ok\nok:\nret i32 0")));
}

TEST(OddModules, RareAtomicOperations) {
  EXPECT_TRUE(is_safe(from_llvm(
      "%a = atomicrmw uinc_wrap ptr @x, i32 1 seq_cst\n%b = atomicrmw uinc_wrap ptr @x, i32 1 seq_cst\n"
      "%c = atomicrmw udec_wrap ptr @x, i32 9 seq_cst\n%v = load i32, ptr @x\n%ok1 = icmp eq i32 %v, 9\n"
      "%f = atomicrmw fadd ptr @d, double 2.5 seq_cst\n%g = load double, ptr @d\n%ok2 = fcmp oeq double %g, "
      "2.5\n"
      "%k = and i1 %ok1, %ok2\nbr i1 %k, label %ok, label %bad\nbad:\ncall void @__VERIFIER_error()\nbr "
      "label %ok\nok:\nret i32 0")));
}

TEST(OddModules, UnreachableCodeIsAViolationIfReached) {
  const Program program = from_llvm("unreachable");
  EXPECT_TRUE(mentions(program, "reaches unreachable code"));
  EXPECT_FALSE(is_safe(program));
}

TEST(OddModules, ConstantsOfAllKinds) {
  from_llvm(
      "store i64 ptrtoint (ptr getelementptr inbounds ([4 x i32], ptr @a, i64 0, i64 2) to i64), ptr @n\n"
      "store ptr inttoptr (i64 64 to ptr), ptr @p\nstore i64 sub (i64 ptrtoint (ptr @n to i64), i64 ptrtoint "
      "(ptr @a to i64)), ptr @n\n"
      "store { i32, i8 } { i32 1, i8 2 }, ptr @s\nstore [2 x i32] zeroinitializer, ptr @a\nret i32 0",
      "@a = global [4 x i32] zeroinitializer\n@n = global i64 0\n@s = global { i32, i8 } zeroinitializer");
}

}  // namespace weir::lowering_diagnostics_test
