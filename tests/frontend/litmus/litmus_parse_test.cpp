// What litmus files mean: outcomes on the reference machine, which shares no code with the engines.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/explore.hpp"
#include "frontend/litmus/litmus.hpp"
#include "program/text/text.hpp"
#include "program/validate.hpp"

namespace weir::litmus_parse_test {

using Outcomes = std::set<std::vector<Value>>;

LitmusTest parsed(const std::string& text) {
  auto test = parse_litmus("test.litmus", text);
  if (!test) throw std::runtime_error(render(test.error().diagnostics.front(), test.error().sources));
  for (const Diagnostic& mistake : validate(test->program)) throw std::runtime_error(mistake.message);
  return std::move(*test);
}

// The values of the observed places where every thread has stopped.
Outcomes outcomes(const LitmusTest& test, Model model = Model::kSc) {
  const Program& program = test.program;
  const ReferenceMachine machine(program, model);
  const ReferenceExploration all = explore_all(program, model);
  EXPECT_TRUE(all.complete);
  EXPECT_TRUE(all.violations.empty());
  Outcomes result;
  for (const ReferenceState& state : all.terminal) {
    if (!machine.all_stopped(state)) continue;
    FinalState end;
    for (const ThreadState& thread : state.threads) end.registers.push_back(thread.stack[0].registers);
    for (const SharedObject& object : program.objects)
      for (std::size_t k = 0; k < object.initial.size(); ++k) {
        const Value address = object.base + static_cast<Value>(k) * object.stride;
        end.memory.emplace_back(address, read_memory(program, state.memory, address));
      }
    result.insert(test.question.values(end));
  }
  return result;
}

Outcomes outcomes(const std::string& text, Model model = Model::kSc) { return outcomes(parsed(text), model); }

// What one thread of X86 code leaves in registers and variables.
std::vector<Value> run(const std::string& code, const std::string& places, const std::string& initial = "") {
  const Outcomes all = outcomes(fmt::format("X86 t\n{{{}}}\nP0;\n{}\nlocations [{}]", initial, code, places));
  EXPECT_EQ(all.size(), 1u);
  return *all.begin();
}

std::vector<Value> run64(const std::string& code, const std::string& places,
                         const std::string& initial = "") {
  const Outcomes all =
      outcomes(fmt::format("X86_64 t\n{{{}}}\nP0;\n{}\nlocations [{}]", initial, code, places));
  EXPECT_EQ(all.size(), 1u);
  return *all.begin();
}

using Values = std::vector<Value>;

TEST(LitmusHeader, HasANameAndLinesAboutTheTest) {
  const LitmusTest test = parsed(
      "(* before { *)\nX86 SB+x-y.1 \n\"Fre { PodWR\"\nCom=Fr Fr\n(* Not=this *) \nOrig = "
      "no\nCycle=PodWR\n{}\nP0;\nNOP;\n"
      "exists (x=0)");
  EXPECT_EQ(test.question.name, "SB+x-y.1");
  EXPECT_EQ(test.about("Com"), "Fr Fr");
  EXPECT_EQ(test.about("Cycle"), "PodWR");
  EXPECT_EQ(test.about("Not"), "");
}

TEST(LitmusHeader, NamesTheArchitectureThatIsNotKnown) {
  for (const std::string language : {"AArch64", "RISCV", "PPC", "ARM"}) {
    const auto test = parse_litmus("test.litmus", language + " SB\n{}\nP0;\nNOP;\nexists (x=0)");
    ASSERT_FALSE(test.ok());
    EXPECT_EQ(test.error().diagnostics.front().message,
              "a litmus test for " + language + ", whose memory model Weir does not know");
  }
}

TEST(LitmusQuestions, RemarksBehindTheConditionAreLeftAlone) {
  const std::string test = "X86 t\n{ x=1; };\nP0;\nMOV EAX,[x];\nexists (0:EAX=1)";
  for (const std::string remark : {"\n<< log @ 1 >>", "\nwith\ntso: Allowed;\nsc: Forbidden;",
                                   "\nObservation t Always 1 0", "\n\"a quotation\""})
    EXPECT_EQ(outcomes(test + remark), (Outcomes{{1}})) << remark;
  for (const std::string mistake : {"\nexists (0:EAX=2)", " (0:EAX=2)", " nonsense", "\n\\/"})
    EXPECT_FALSE(parse_litmus("test.litmus", test + mistake).ok()) << mistake;
}

TEST(LitmusInitialState, SetsVariablesRegistersAndArrays) {
  EXPECT_EQ(run("MOV EAX,[x];", "0:EAX; 0:EBX; x; y;", "x=3; int y = -1; 0:EBX=0x10"),
            (Values{3, 16, 3, -1}));
  EXPECT_EQ(run64("movq 8(%rax),%rcx;", "0:rcx; t[0];", "int64_t t[2] = {7,-9}; 0:rax=t;"), (Values{-9, 7}));
}

TEST(LitmusInitialState, AddressesAreValues) {
  const LitmusTest test = parsed(
      "X86 t\n{p=x; *q=&y; x=5; y=6}\nP0;\nMOV EAX,[p];\nMOV EBX,[EAX];\nexists (0:EAX=x /\\ 0:EBX=5)");
  EXPECT_EQ(outcomes(test).size(), 1u);
  EXPECT_TRUE(test.question.condition.holds(*outcomes(test).begin()));
  EXPECT_EQ(question_text(test.program, test.question), "exists (0:EAX=x /\\ 0:EBX=5)");
}

TEST(LitmusX86, ArithmeticAndMoves) {
  EXPECT_EQ(
      run("MOV EAX,$5; ADD EAX,$-2; MOV EBX,EAX; SUB EBX,$10; NEG EBX; INC EBX; DEC EAX;", "0:EAX; 0:EBX;"),
      (Values{2, 8}));
  EXPECT_EQ(run("MOV EAX,12; AND EAX,$10; OR [x],$6; XOR [y],$-1; NOT EAX; ADD [x],EAX;", "0:EAX; x; y;",
                "x=1;y=5"),
            (Values{-9, -2, -6}));
  EXPECT_EQ(run("LEA EAX,[x]; MOV EBX,[EAX]; XCHG EBX,ECX;", "0:EBX; 0:ECX;", "x=4; 0:ECX=9"),
            (Values{9, 4}));
}

TEST(LitmusX86, ReadModifyWrites) {
  EXPECT_EQ(run("MOV EAX,$2; XCHG EAX,[x]; MOV EBX,$3; LOCK XADD [x],EBX; XADD [x],EBX;", "0:EAX; 0:EBX; x;",
                "x=1"),
            (Values{1, 5, 7}));
  EXPECT_EQ(run("MOV EAX,$1; MOV EBX,$9; LOCK CMPXCHG [x],EBX; LOCK CMPXCHG [x],EBX;", "0:EAX; x;", "x=1"),
            (Values{9, 9}));
  EXPECT_EQ(
      run("MOV EBX,$9; CMPXCHG [x],EBX; SETE CL; LOCK INC [x]; LOCK SUB [x],$5;", "0:CL; 0:EAX; x;", "x=1"),
      (Values{0, 1, -3}));
}

// Every conditional jump against the comparison it stands for, signed and unsigned.
TEST(LitmusX86, ConditionsAfterComparisons) {
  const std::vector<Value> numbers = {0, 1, -1, 5, INT32_MAX, INT32_MIN};
  for (const Value a : numbers)
    for (const Value b : numbers) {
      const auto ua = static_cast<std::uint32_t>(a), ub = static_cast<std::uint32_t>(b);
      const std::pair<const char*, bool> conditions[] = {
          {"E", a == b},  {"NE", a != b}, {"L", a < b},     {"LE", a <= b}, {"G", a > b},
          {"GE", a >= b}, {"B", ua < ub}, {"BE", ua <= ub}, {"A", ua > ub}, {"AE", ua >= ub}};
      for (const auto& [condition, holds] : conditions)
        EXPECT_EQ(
            run(fmt::format("CMP EAX,EBX; J{} yes; MOV ECX,$1; JMP end; yes: MOV ECX,$2; end: ;", condition),
                "0:ECX;", fmt::format("0:EAX={}; 0:EBX={}", a, b)),
            Values{holds ? 2 : 1})
            << a << " " << condition << " " << b;
    }
}

TEST(LitmusX86, FlagsOfArithmetic) {
  EXPECT_EQ(
      run("ADD EAX,$1; SETO BL; SETC CL; SETS DL; MOV EAX,$0; ", "0:BL; 0:CL; 0:DL;", "0:EAX=2147483647"),
      (Values{1, 0, 1}));
  EXPECT_EQ(run("ADD EAX,$1; SETC BL; SETZ CL; INC EDX; SETC DL;", "0:BL; 0:CL; 0:DL;", "0:EAX=-1"),
            (Values{1, 1, 1}));
  EXPECT_EQ(run("LOCK DEC [x]; SETZ BL; TEST EAX,EAX; CMOVE EDX,ECX;", "0:BL; 0:EDX;", "x=1; 0:ECX=8"),
            (Values{1, 8}));
}

TEST(LitmusX86, PartsOfRegisters) {
  EXPECT_EQ(run("MOV AL,$255; MOV BX,$-1;", "0:EAX; 0:EBX; 0:AL;", "0:EAX=0x100; 0:EBX=0x70000"),
            (Values{-1, 0x1ff, 0x7ffff}));
  EXPECT_EQ(run64("movl $-1,%eax; movb $1,%bl; movw $2,%cx;", "0:rax; 0:rbx; 0:rcx;",
                  "0:rax=-1; 0:rbx=0x200; 0:rcx=0x30000"),
            (Values{0xffffffff, 0x201, 0x30002}));
}

TEST(LitmusX8664, HasItsDestinationLast) {
  EXPECT_EQ(run64("movq $5,%rax; subq $2,%rax; movq %rax,(x); cmpq $3,%rax; jne no; incq (x); no: ;", "x;",
                  "uint64_t x;"),
            Values{4});
  EXPECT_EQ(run64("movl $1,x(%rip); movl x(%rip),%eax; lock addl $4,(x); xchgl %eax,(x);", "0:eax; x;"),
            (Values{5, 1}));
  EXPECT_EQ(run64("movl $1,%ebx; lock cmpxchgl %ebx,(x); MOVL (x),%ECX;", "0:ecx;"), Values{1});
}

TEST(LitmusX8664, TypesOfTheInitialStateSayHowValuesAreShown) {
  const LitmusTest test =
      parsed("X86_64 t\n{uint64_t x; uint64_t 0:rax;}\nP0;\nmovq $-1,(x);\nmovq (x),%rax;\nforall (0:rax=x)");
  EXPECT_EQ(final_value_text(test.program, test.question.places[0], -1), "18446744073709551615");
}

TEST(LitmusC, AtomicsAndPlainAccesses) {
  EXPECT_EQ(
      outcomes(
          "C t\n{ int x = 4; }\nP0 (int* x, atomic_int* y) {\n  int a = *x + 1; *x = a * 2 - 3;\n"
          "  int b = atomic_exchange(y, a); int c = atomic_fetch_sub_explicit(y, 1, memory_order_acquire);\n"
          "  atomic_fetch_or(y, 8);\n}\nlocations [0:a; 0:b; 0:c; x; y;]"),
      (Outcomes{{5, 0, 5, 7, 12}}));
  EXPECT_EQ(
      outcomes("C t\n{}\nP0 (atomic_long* x) {\n int e = 1; int r = atomic_compare_exchange_weak(x, &e, 5);\n"
               "  int s = atomic_compare_exchange_strong(x, &e, 5); int t = cmpxchg(x, 5, 6);\n}\n"
               "locations [0:e; 0:r; 0:s; 0:t; x;]"),
      (Outcomes{{0, 0, 1, 5, 6}}));
}

TEST(LitmusC, Statements) {
  EXPECT_EQ(outcomes("C t\n{}\nP0 (int* x) {\n  int i = 0, s = 0; // count\n  while (i < 4) { i = i + 1; if "
                     "(i == 2) { s = s + "
                     "10; } else s = s + 1; }\n  do { i = i - 1; } while (!(i <= 1 && s > 0)); /* down */\n"
                     "  *x = (i ^ 7) << 2 | (s & 1);\n}\nlocations [0:i; 0:s; x;]"),
            (Outcomes{{1, 13, 25}}));
}

// The value that is read last must not be written to its variable while that is still needed.
TEST(LitmusC, AssignmentsReadTheirOperandsFirst) {
  EXPECT_EQ(outcomes("C t\n{ x = 4; }\nP0 (int* x) {\n  int r = 1; r = *x + r; int s = r; s = s - "
                     "*x;\n}\nlocations [0:r; 0:s;]"),
            (Outcomes{{5, 1}}));
}

TEST(LitmusC, OrdersMatter) {
  const auto message = [](const char* order) {
    return fmt::format(
        "C t\n{{}}\nP0 (atomic_int* x, atomic_int* y) {{\n  atomic_store_explicit(x, 1, "
        "memory_order_relaxed);\n"
        "  atomic_store_explicit(y, 1, memory_order_{});\n}}\nP1 (atomic_int* x, atomic_int* y) {{\n"
        "  int a = atomic_load(y); int b = atomic_load(x);\n}}\nexists (1:a=1 /\\ 1:b=0)",
        order);
  };
  EXPECT_TRUE(outcomes(message("relaxed"), Model::kPso).contains({1, 0}));
  EXPECT_FALSE(outcomes(message("release"), Model::kPso).contains({1, 0}));
  EXPECT_FALSE(outcomes(message("relaxed"), Model::kTso).contains({1, 0}));
}

TEST(LitmusQuestions, ConditionsNest) {
  const LitmusTest test = parsed(
      "X86 t\n{x=1;y=2}\nP0;\nNOP;\nlocations [y int; 0:EBX]\nfilter (x=1 \\/ false)\n"
      "~exists (not (x=1 /\\ (y=0 \\/ y!=3)) \\/ 0:EAX=[x] => true)");
  EXPECT_EQ(test.question.quantifier, Quantifier::kNotExists);
  EXPECT_EQ(question_text(test.program, test.question),
            "~exists (not ([x]=1 /\\ ([y]=0 \\/ not ([y]=3))) \\/ 0:EAX=[x] => true)");
  const std::vector<Value> values = *outcomes(test).begin();
  EXPECT_EQ(values, (Values{0, 0, 1, 2}));
  EXPECT_TRUE(test.question.filter.holds(values));
  EXPECT_TRUE(test.question.condition.holds(values));
}

TEST(LitmusQuestions, MoreConditionsCanBeAskedLater) {
  LitmusTest test = parsed("X86 t\n{x=1}\nP0;\nMOV EAX,[x];\nexists (x=2)");
  auto condition = parse_final_condition(test, "0:EAX=1 /\\ x=1");
  ASSERT_TRUE(condition.ok());
  EXPECT_TRUE(condition->holds(*outcomes(test).begin()));
  EXPECT_FALSE(parse_final_condition(test, "z=1").ok());
  EXPECT_FALSE(parse_final_condition(test, "x=1 /\\").ok());
}

TEST(LitmusPrograms, GoThroughTheTextForm) {
  const LitmusTest test = parsed(
      "X86 t\n{p=x}\nP0 | P1;\nMOV [x],$1 | again: MOV EAX,[p];\nLOCK INC [x] | JE again;\nexists (x=2)");
  auto again = parse_program_text("again", print(test.program));
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(print(*again), print(test.program));
}

}  // namespace weir::litmus_parse_test
