// LLVM code that clang does not write: it is refused by name, or means what LLVM says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/explicit/explicit.hpp"
#include "frontend/c/lowered_source.hpp"

namespace weir::foreign_code_test {

using namespace weir::test;
using testing::HasSubstr;

std::string refused(const std::string& text) { return refusal(text, {}, "test.ll"); }
Program accepted(const std::string& text) { return lowered(text, {}, "test.ll"); }

// main with this body, before it returns 0.
std::string main_with(const std::string& body) {
  return "define i32 @main() {\n" + body + "\n ret i32 0\n}\n";
}

// f is !5 and begins in line 3, main is !6 and begins in line 9; !7 is line 4, in f, !8 line 10, in main.
const std::string kDebugInfo =
    "!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!3}\n"
    "!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)\n"
    "!1 = !DIFile(filename: \"a.c\", directory: \"/\")\n!2 = !DISubroutineType(types: !{})\n"
    "!3 = !{i32 2, !\"Debug Info Version\", i32 3}\n"
    "!5 = distinct !DISubprogram(name: \"f\", file: !1, line: 3, type: !2, unit: !0, spFlags: "
    "DISPFlagDefinition)\n"
    "!6 = distinct !DISubprogram(name: \"main\", file: !1, line: 9, type: !2, unit: !0, spFlags: "
    "DISPFlagDefinition)\n!7 = !DILocation(line: 4, scope: !5)\n!8 = !DILocation(line: 10, scope: !6)\n";

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

// The result is a number if one of the two is.
TEST(ForeignCode, AtomicMaximaOfNoNumbers) {
  for (const char* change : {"fmax", "fmin"})
    EXPECT_TRUE(
        is_safe(accepted("@x = global float 0x7FF8000000000000\ndeclare void @reach_error()\n" +
                         main_with(std::string("%old = atomicrmw ") + change +
                                   " ptr @x, float 1.0 seq_cst\n%new = load float, ptr @x\n"
                                   "%good = fcmp oeq float %new, 1.0\nbr i1 %good, label %yes, label %no\n"
                                   "no:\ncall void @reach_error()\nbr label %yes\nyes:"))))
        << change;
}

// A bit is 0 or -1 to whatever takes it as signed.
TEST(ForeignCode, SingleBitsAreSigned) {
  const auto is_one = [](const std::string& before) {
    return is_safe(
        accepted("@true = global i1 true\n@text = global [2 x i8] c\"ab\"\n"
                 "declare void @reach_error()\ndeclare i1 @llvm.smin.i1(i1, i1)\n"
                 "declare i1 @llvm.smax.i1(i1, i1)\ndeclare i1 @llvm.sadd.sat.i1(i1, i1)\n"
                 "declare i8 @llvm.scmp.i8.i1(i1, i1)\n" +
                 main_with("%t = load volatile i1, ptr @true\n%f = xor i1 %t, true\n" + before +
                           "br i1 %one, label %good, label %bad\n"
                           "bad:\ncall void @reach_error()\nbr label %good\ngood:")));
  };
  EXPECT_TRUE(is_one("%one = call i1 @llvm.smin.i1(i1 %f, i1 %t)\n"));
  EXPECT_FALSE(is_one("%one = call i1 @llvm.smax.i1(i1 %f, i1 %t)\n"));
  EXPECT_TRUE(is_one("%one = call i1 @llvm.sadd.sat.i1(i1 %t, i1 %t)\n"));
  EXPECT_TRUE(is_one("%c = call i8 @llvm.scmp.i8.i1(i1 %f, i1 %t)\n%one = icmp eq i8 %c, 1\n"));
  EXPECT_TRUE(is_one("%one = icmp slt i1 %t, %f\n"));
  EXPECT_TRUE(
      is_one("%p = getelementptr i8, ptr getelementptr (i8, ptr @text, i64 1), i1 %t\n"
             "%c = load i8, ptr %p\n%one = icmp eq i8 %c, 97\n"));
}

TEST(ForeignCode, OffsetsFarOutOfBoundsAreNoLocalVariables) {
  const Program program =
      accepted(main_with("%v = alloca [2 x i32]\nstore i32 1, ptr %v\n"
                         "%p = getelementptr i32, ptr %v, i64 1392204809619889547\n"
                         "store volatile i32 1, ptr %p"));
  EXPECT_FALSE(is_safe(program));
}

// Numbers whose sum with the size of an access is none of 64 bits.
TEST(ForeignCode, TheLastAddressesAreOutsideEveryVariable) {
  for (const char* address : {"9223372036854775807", "-9223372036854775808", "-1"}) {
    const Program program =
        accepted("@x = global i32 0\n" + main_with(std::string("%n = load i64, ptr inttoptr (i64 ") +
                                                   address + " to ptr)\n store i32 1, ptr @x"));
    EXPECT_FALSE(is_safe(program)) << address;
    Context context;
    EXPECT_EQ(check_explicit(program, {}, context).verdict, Verdict::kUnsafe) << address;
  }
}

TEST(ForeignCode, AtomicAccessesBeforeAVariableAreOutsideIt) {
  for (const char* type : {"{}", "{i8, i8}", "[2 x i32]"})
    for (const char* offset : {"-4", "-8", "8"})
      EXPECT_FALSE(
          is_safe(accepted(std::string("@x = global ") + type + " zeroinitializer\n" +
                           main_with(std::string("store atomic i32 0, ptr getelementptr (i8, ptr @x, i64 ") +
                                     offset + ") seq_cst, align 4"))))
          << type << offset;
}

// LLVM crashes when it is asked for the elements of such a vector.
TEST(ForeignCode, AddressesAsVectorsAreRefused) {
  EXPECT_THAT(
      refused("@x = global i64 0\n" + main_with("%v = bitcast i64 ptrtoint (ptr @x to i64) to <8 x i8>\n"
                                                "%n = bitcast <8 x i8> %v to i64\n store i64 %n, ptr @x")),
      HasSubstr("`bitcast` on type <8 x i8>"));
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

// An array of nothing has no cells, however long it is.
TEST(ForeignCode, ManyEmptyStructures) {
  accepted(
      "@x = global [281474976710655 x {}] zeroinitializer\n@p = global ptr null\n"
      "define i32 @main() {\n store ptr @x, ptr @p\n ret i32 0\n}\n");
}

// A copy of nothing that is known, longer than any memory.
TEST(ForeignCode, LongCopyOfAVariableThatIsNeverWritten) {
  accepted(
      "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
      "define i32 @main() {\n %a = alloca i32\n %b = alloca i32\n store i32 0, ptr %b\n"
      " call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 6003122963269510209, i1 true)\n"
      " %v = load i32, ptr %b\n ret i32 %v\n}\n");
}

// With debug information: f has it, main has it, and the call that was indirect has no position.
TEST(ForeignCode, CallsThatBecomeDirectNeedNoPosition) {
  accepted(
      "@pointer = internal constant ptr @f\n"
      "define internal i32 @f(i32 %n) !dbg !5 {\n %v = alloca i32, !dbg !7\n store volatile i32 %n, ptr %v\n"
      " %m = sub i32 %n, 1\n %r = call i32 @f(i32 %m), !dbg !7\n ret i32 %r\n}\n"
      "define i32 @main() !dbg !6 {\n %p = load ptr, ptr @pointer\n %r = call i32 %p(i32 1)\n ret i32 "
      "%r\n}\n" +
      kDebugInfo);
}

// The position of a variable that an inlined function declares is one of the caller.
TEST(ForeignCode, InlinedVariablesHavePositionsToo) {
  accepted(
      "define internal i32 @f(i32 %n) !dbg !5 {\n %v = alloca i32, !dbg !7\n store volatile i32 %n, ptr %v, "
      "!dbg !7\n"
      " ret i32 0\n}\n"
      "define i32 @main() !dbg !6 {\n %r = call i32 @f(i32 1), !dbg !8\n ret i32 %r\n}\n" +
      kDebugInfo);
}

// The nearest known line is better than none.
TEST(ForeignCode, RefusalsStandNearby) {
  EXPECT_THAT(
      refused("define i32 @main() !dbg !6 {\n %v = alloca <vscale x 4 x i32>\n ret i32 0\n}\n" + kDebugInfo),
      HasSubstr("a.c:9"));
  EXPECT_THAT(
      refused("define i32 @main() !dbg !6 {\n %v = alloca <vscale x 4 x i32>\n ret i32 0, !dbg !8\n}\n" +
              kDebugInfo),
      HasSubstr("a.c:10"));
  EXPECT_THAT(refused("@x = global fp128 zeroinitializer\n@y = global i32 0\n"
                      "define i32 @main() !dbg !6 {\n %v = load fp128, ptr @x\n store fp128 %v, ptr @x\n"
                      " store i32 1, ptr @y, !dbg !8\n ret i32 0\n}\n" +
                      kDebugInfo),
              HasSubstr("a.c:10:1: error: a load"));
}

}  // namespace weir::foreign_code_test
