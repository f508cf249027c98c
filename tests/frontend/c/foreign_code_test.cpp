// LLVM code that clang does not write: it is refused by name, or means what LLVM says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/c/lowered_source.hpp"

namespace weir {
namespace {

using namespace weir::test;
using testing::HasSubstr;

std::string refused(const std::string& text) { return refusal(text, {}, "test.ll"); }
Program accepted(const std::string& text) { return lowered(text, {}, "test.ll"); }

// main with this body, before it returns 0.
std::string main_with(const std::string& body) {
  return "define i32 @main() {\n" + body + "\n ret i32 0\n}\n";
}

TEST(ForeignCode, ScalableVectorsAreRefused) {
  EXPECT_THAT(refused(main_with("%v = alloca <vscale x 4 x i32>")), HasSubstr("scalable vectors"));
  EXPECT_THAT(
      refused("@x = global i32 0\n" + main_with("%p = getelementptr <vscale x 4 x i32>, ptr @x, i64 1\n"
                                                "store i32 1, ptr %p")),
      HasSubstr("`main` uses scalable vectors"));
}

TEST(ForeignCode, AddressSpacesAreRefused) {
  EXPECT_THAT(refused("@x = addrspace(3) global i32 0\n" + main_with("store i32 1, ptr addrspace(3) @x")),
              HasSubstr("`x` uses the address space 3"));
}

TEST(ForeignCode, VectorsOfBitsInMemoryAreRefused) {
  EXPECT_THAT(refused("@x = global <9 x i1> zeroinitializer\n" + main_with("%b = load i8, ptr @x")),
              HasSubstr("elements that are not whole bytes"));
}

TEST(ForeignCode, VariablesLargerThanMemoryAreRefused) {
  EXPECT_THAT(
      refused("@x = global [4611686018427387904 x i64] zeroinitializer\n" + main_with("store i8 1, ptr @x")),
      HasSubstr("`x` uses more than 2^40 bytes"));
  EXPECT_THAT(refused(main_with("%v = alloca i64, i64 -1\n store volatile i64 1, ptr %v")),
              HasSubstr("more than 2^40 bytes"));
  EXPECT_THAT(refused(main_with("%v = alloca [4294967296 x i8]\n store volatile i8 1, ptr %v\n"
                                "%p = getelementptr i8, ptr %v, i64 77\n store volatile i8 1, ptr %p")),
              HasSubstr("too large"));
}

TEST(ForeignCode, FunctionsChosenByTheLoaderAreRefused) {
  EXPECT_THAT(refused("@f = ifunc i32 (), ptr @choose\ndefine ptr @choose() {\n ret ptr @main\n}\n" +
                      main_with("%x = call i32 @f()")),
              HasSubstr("`f` is chosen when the program is loaded"));
}

TEST(ForeignCode, NamesOfTheRuntimeAreRefused) {
  EXPECT_THAT(
      refused("declare void @__weir_allocate(ptr)\n" + main_with("call void @__weir_allocate(ptr null)")),
      HasSubstr("`__weir_allocate` is a name of Weir's own"));
}

TEST(ForeignCode, VariableArgumentsAreRefusedEvenIfNobodyNeedsThem) {
  EXPECT_THAT(refused("@x = global i64 0\n" + main_with("%v = va_arg ptr @x, i32")), HasSubstr("va_arg"));
}

TEST(ForeignCode, FramesShownToOthersAreRefused) {
  EXPECT_THAT(
      refused("declare void @llvm.localescape(...)\n" + main_with("call void (...) @llvm.localescape()")),
      HasSubstr("localescape"));
}

// An array of one element is one scalar, but not a scalar itself.
TEST(ForeignCode, ArraysOfOneOddElementAreLoaded) {
  accepted("@x = global [1 x i24] zeroinitializer\n@y = global [1 x i24] zeroinitializer\n" +
           main_with("%v = load [1 x i24], ptr @x\n %e = extractvalue [1 x i24] %v, 0\n"
                     "store i24 %e, ptr @y"));
}

TEST(ForeignCode, CallsThatMustBeTheLastAreCalls) {
  EXPECT_FALSE(is_safe(
      accepted("define internal i32 @zero(i32 %n) {\n ret i32 0\n}\n"
               "define internal i32 @f(i32 %n) {\n %r = musttail call i32 @zero(i32 %n)\n ret i32 %r\n}\n" +
               main_with("%x = call i32 @f(i32 1)\n%d = udiv i32 1, %x"))));
}

TEST(ForeignCode, WideIndicesAreTakenModulo) {
  EXPECT_TRUE(is_safe(accepted("@x = global [4 x i8] c\"abcd\"\ndeclare void @reach_error()\n" +
                               main_with("%p = getelementptr i8, ptr @x, i128 18446744073709551618\n"
                                         "%c = load i8, ptr %p\n%wrong = icmp ne i8 %c, 99\n"
                                         "br i1 %wrong, label %bad, label %good\n"
                                         "bad:\ncall void @reach_error()\nbr label %good\ngood:"))));
  EXPECT_THAT(
      refused("@x = global [4 x i8] c\"abcd\"\n" + main_with("%p = getelementptr i8, ptr @x, i128 poison\n"
                                                             "store i8 1, ptr %p")),
      HasSubstr("getelementptr"));
}

TEST(ForeignCode, OffsetsFarOutOfBoundsAreNoLocalVariables) {
  const Program program =
      accepted(main_with("%v = alloca [2 x i32]\nstore i32 1, ptr %v\n"
                         "%p = getelementptr i32, ptr %v, i64 1392204809619889547\n"
                         "store volatile i32 1, ptr %p"));
  EXPECT_FALSE(is_safe(program));
}

TEST(ForeignCode, HugeCopiesAndFillsAreAnswered) {
  for (const char* size : {"9223372036854775807", "-1", "1152921504606846976"}) {
    const std::string of_size = std::string(", i64 ") + size + ", i1 false)\n";
    const auto answer = lower(
        "@x = global [4 x i32] zeroinitializer\n@y = global {i8, i32} zeroinitializer\n"
        "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n"
        "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n" +
            main_with("call void @llvm.memset.p0.i64(ptr @x, i8 0" + of_size +
                      "call void @llvm.memset.p0.i64(ptr @y, i8 0" + of_size +
                      "call void @llvm.memcpy.p0.p0.i64(ptr @x, ptr @y" + of_size),
        {}, "test.ll");
    EXPECT_TRUE(!answer || validate(answer.value()).empty());
  }
}

TEST(ForeignCode, LargeUnionsAreLaidOutAsLlvmDoes) {
  EXPECT_TRUE(validate(lowered("union u { char text[1 << 20]; long number; } u;\n"
                               "int main(void) { u.number = 1; return u.number; }"))
                  .empty());
}

// With debug information: f has it, main has it, and the call that was indirect has no position.
TEST(ForeignCode, CallsThatBecomeDirectNeedNoPosition) {
  accepted(
      "@pointer = internal constant ptr @f\n"
      "define internal i32 @f(i32 %n) !dbg !5 {\n %v = alloca i32, !dbg !7\n store volatile i32 %n, ptr %v\n"
      " %m = sub i32 %n, 1\n %r = call i32 @f(i32 %m), !dbg !7\n ret i32 %r\n}\n"
      "define i32 @main() !dbg !6 {\n %p = load ptr, ptr @pointer\n %r = call i32 %p(i32 1)\n ret i32 %r\n}\n"
      "!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!3}\n"
      "!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)\n"
      "!1 = !DIFile(filename: \"a.c\", directory: \"/\")\n!2 = !DISubroutineType(types: !{})\n"
      "!3 = !{i32 2, !\"Debug Info Version\", i32 3}\n"
      "!5 = distinct !DISubprogram(name: \"f\", file: !1, line: 3, type: !2, unit: !0, spFlags: "
      "DISPFlagDefinition)\n"
      "!6 = distinct !DISubprogram(name: \"main\", file: !1, line: 9, type: !2, unit: !0, spFlags: "
      "DISPFlagDefinition)\n!7 = !DILocation(line: 4, scope: !5)\n");
}

// The position of a variable that an inlined function declares is one of the caller.
TEST(ForeignCode, InlinedVariablesHavePositionsToo) {
  accepted(
      "define internal i32 @f(i32 %n) !dbg !5 {\n %v = alloca i32, !dbg !7\n store volatile i32 %n, ptr %v, "
      "!dbg !7\n"
      " ret i32 0\n}\n"
      "define i32 @main() !dbg !6 {\n %r = call i32 @f(i32 1), !dbg !8\n ret i32 %r\n}\n"
      "!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!3}\n"
      "!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)\n"
      "!1 = !DIFile(filename: \"a.c\", directory: \"/\")\n!2 = !DISubroutineType(types: !{})\n"
      "!3 = !{i32 2, !\"Debug Info Version\", i32 3}\n"
      "!5 = distinct !DISubprogram(name: \"f\", file: !1, line: 3, type: !2, unit: !0, spFlags: "
      "DISPFlagDefinition)\n"
      "!6 = distinct !DISubprogram(name: \"main\", file: !1, line: 9, type: !2, unit: !0, spFlags: "
      "DISPFlagDefinition)\n!7 = !DILocation(line: 4, scope: !5)\n!8 = !DILocation(line: 10, scope: !6)\n");
}

}  // namespace
}  // namespace weir
