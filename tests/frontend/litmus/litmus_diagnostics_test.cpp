// Mistakes in litmus files are found where they are, and said in words that help.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/litmus/litmus.hpp"

namespace weir::litmus_diagnostics_test {

using ::testing::HasSubstr;

// "line:column: message (hint)"
std::string mistake(const std::string& text) {
  const auto test = parse_litmus("test.litmus", text);
  if (test.ok()) return "none";
  const Diagnostic& first = test.error().diagnostics.front();
  return std::to_string(first.position.line) + ":" + std::to_string(first.position.column) + ": " +
         first.message + " (" + first.hint + ")";
}

std::string in_code(const std::string& code) { return mistake("X86 t\n{}\nP0;\n" + code + "\nexists (x=1)"); }
std::string in_c(const std::string& code) {
  return mistake("C t\n{}\nP0 (int* x) {\n" + code + "\n}\nexists (x=1)");
}

TEST(LitmusDiagnostics, Headers) {
  EXPECT_THAT(mistake("Z80 t\n{}\n"),
              HasSubstr("1:1: expected the language of the test, found 'Z80' (languages are"));
  for (const std::string machine : {"PPC", "AArch64", "RISCV"})
    EXPECT_THAT(mistake(machine + " t\n{}\n"),
                HasSubstr("1:1: a litmus test for " + machine + ", whose memory model Weir does not know"));
  EXPECT_THAT(mistake("X86\n{}\n"), HasSubstr("expected the name of the test"));
  EXPECT_THAT(mistake("X86 t\nno state"), HasSubstr("2:9: expected an initial state in braces"));
  EXPECT_THAT(mistake("X86 t\n(* never ends {}"), HasSubstr("2:1: this comment does not end"));
  EXPECT_THAT(mistake("X86 t\n\"never ends {}"), HasSubstr("2:1: this quotation does not end"));
}

TEST(LitmusDiagnostics, InitialStates) {
  EXPECT_THAT(mistake("X86 t\n{x=1; x=2}\nP0;\n"), HasSubstr("2:7: a second initial value of 'x'"));
  EXPECT_THAT(mistake("X86 t\n{float x}\nP0;\n"), HasSubstr("2:2: the type 'float' is not modelled"));
  EXPECT_THAT(mistake("X86 t\n{x=}\nP0;\n"), HasSubstr("2:4: expected an initial value, found '}'"));
  EXPECT_THAT(mistake("X86 t\n{1:EAX=1}\nP0;\nNOP;\n"),
              HasSubstr("2:4: there is no thread 1; the last one is 0"));
  EXPECT_THAT(mistake("X86 t\n{0:RAX=1}\nP0;\nNOP;\n"), HasSubstr("2:4: there is no register 'RAX'"));
  EXPECT_THAT(mistake("X86 t\n{int t[2]={1}}\nP0;\n"), HasSubstr("'t' has 2 cells, but 1 initial values"));
}

TEST(LitmusDiagnostics, X86Code) {
  EXPECT_THAT(in_code("CPUID ;"),
              HasSubstr("4:1: the instruction 'CPUID' is not modelled (moves, exchanges"));
  EXPECT_THAT(in_code("MOVNTI [x],EAX ;"), HasSubstr("the instruction 'MOVNTI' is not modelled"));
  EXPECT_THAT(in_code("MOV [x],[y] ;"), HasSubstr("4:9: an instruction has one operand in memory at most"));
  EXPECT_THAT(in_code("MOV $1,EAX ;"), HasSubstr("4:5: 'MOV' cannot write to a number"));
  EXPECT_THAT(in_code("MOV EAX,x ;"),
              HasSubstr("4:9: there is no register 'x' (the variable is written [x])"));
  EXPECT_THAT(in_code("MOV AL,EAX ;"), HasSubstr("'EAX' has 32 bits, but 'MOV' works on 8"));
  EXPECT_THAT(in_code("LOCK MOV [x],$1 ;"), HasSubstr("4:6: 'MOV' with LOCK is not modelled"));
  EXPECT_THAT(in_code("LOCK ADD EAX,$1 ;"), HasSubstr("with memory as destination"));
  EXPECT_THAT(in_code("JMP away ;"), HasSubstr("4:5: there is no label 'away' in this thread"));
  EXPECT_THAT(in_code("a: NOP ;\na: NOP ;"), HasSubstr("5:1: a second label 'a'"));
  EXPECT_THAT(in_code("NOP | NOP ;"), HasSubstr("4:7: this row has more columns than threads (1)"));
  EXPECT_THAT(in_code("MOV [x],$1 ;\nMOV AL,[x] ;"),
              HasSubstr("5:8: an access of 8 bits to 'x', which has 32"));
  EXPECT_THAT(mistake("X86 t\n{}\nP1;\n"), HasSubstr("3:1: expected P0, found 'P1'"));
}

TEST(LitmusDiagnostics, CCode) {
  EXPECT_THAT(in_c("int r = malloc(4);"), HasSubstr("4:9: the function 'malloc' is not modelled"));
  EXPECT_THAT(in_c("x = 1;"),
              HasSubstr("4:1: there is no variable 'x' in this thread (the shared variable is *x)"));
  EXPECT_THAT(in_c("*y = 1;"), HasSubstr("4:2: 'y' is no parameter of this thread"));
  EXPECT_THAT(in_c("int r = 1"), HasSubstr("expected ';' behind a statement, found '}'"));
  EXPECT_THAT(in_c("int r = 1 && *x;"),
              HasSubstr("an access to shared memory behind '&&' is not modelled (use 'if')"));
  EXPECT_THAT(in_c("atomic_store_explicit(x, 1, memory_order_strong);"), HasSubstr("is no memory order"));
  EXPECT_THAT(in_c("float r;"), HasSubstr("4:1: there is no variable 'float'"));
  EXPECT_THAT(in_c("int r = smp_mb();"), HasSubstr("'smp_mb' has no value"));
  EXPECT_THAT(mistake("C t\n{ long x; }\nP0 (int* x) { }\nexists (x=1)"),
              HasSubstr("'x' has 32 bits here, but 64 elsewhere"));
  EXPECT_THAT(mistake("C t\n{}\nP0 (int x) { }\n"), HasSubstr("expected '*' in the type of a parameter"));
}

TEST(LitmusDiagnostics, Questions) {
  EXPECT_THAT(mistake("X86 t\n{}\nP0;\nNOP;\nexists (0:QQQ=1)"),
              HasSubstr("5:11: there is no register 'QQQ'"));
  EXPECT_THAT(mistake("X86 t\n{}\nP0;\nNOP;\nexists (3:EAX=1)"), HasSubstr("there is no thread 3"));
  EXPECT_THAT(mistake("X86 t\n{}\nP0;\nNOP;\nexists (x=1"), HasSubstr("5:12: expected ')'"));
  EXPECT_THAT(mistake("X86 t\n{}\nP0;\nNOP;\nexists (x<1)"),
              HasSubstr("expected '=' behind a register or variable"));
  EXPECT_THAT(mistake("X86 t\n{}\nP0;\nNOP;\nexists (x=1) more"), HasSubstr("expected the end of the text"));
  EXPECT_THAT(mistake("X86 t\n{int t[2]}\nP0;\nNOP;\nexists (t[2]=1)"), HasSubstr("'t' has only 2 cells"));
}

TEST(LitmusDiagnostics, DeepNestingIsRefused) {
  const std::string deep(5000, '(');
  EXPECT_THAT(mistake("X86 t\n{}\nP0;\nNOP;\nexists " + deep + "x=1"), HasSubstr("nested too deeply"));
  EXPECT_THAT(in_c("int r = " + deep + "1;"), HasSubstr("nested too deeply"));
  EXPECT_THAT(in_c(std::string(5000, '{')), HasSubstr("expected '}' behind the code of a thread"));
  EXPECT_THAT(in_c("int r = " + std::string(5000, '!') + "1;"), HasSubstr("nested too deeply"));
}

}  // namespace weir::litmus_diagnostics_test
