// What RMM programs mean: every statement, judged by the reference machine, and where variables live.
#include <algorithm>
#include <gtest/gtest.h>

#include "frontend/frontend_checks.hpp"
#include "frontend/rmm/rmm.hpp"

namespace weir::rmm_parse_test {

Program parsed(const std::string& text, OutsideRange outside = OutsideRange::kFails) {
  auto program = parse_rmm("test.rmm", text, outside);
  EXPECT_TRUE(program.ok()) << test::rendered(program);
  if (!program.ok()) return {};
  const auto mistakes = validate(*program);
  EXPECT_TRUE(mistakes.empty()) << mistakes.front().message;
  return std::move(*program);
}

std::set<ViolationKey> violations(const Program& program, Model model) {
  const ReferenceExploration explored = explore_all(program, model, {.buffered_stores = 6});
  EXPECT_TRUE(explored.complete);
  return explored.violations;
}

bool reaches(const std::string& text, Model model = Model::kTso,
             OutsideRange outside = OutsideRange::kFails) {
  return !violations(parsed(text, outside), model).empty();
}

// One process that must not come to its label `Bad`.
std::string alone(const std::string& code, const std::string& registers = "$r = 0 $s = 0") {
  return "forbidden Bad data x = 0 y = 5 process registers " + registers + " text " + code;
}

const std::set<ViolationKey> kNone, kGoal{{ViolationKind::kGoal, 0}},
    kFailure{{ViolationKind::kAssertion, 0}};

TEST(RmmMeaning, StoreBuffering) {
  const std::string text =
      "/* a comment */ forbidden\n CS CS // another\n data x = 0 : [0:1], y = 0 : Z\n"
      "process text write: x := 1; read: y = 0; CS: nop\n"
      "process text write: y := 1; read: x = 0; CS: nop;\n";
  EXPECT_FALSE(reaches(text, Model::kSc));
  EXPECT_TRUE(reaches(text, Model::kTso));
}

TEST(RmmMeaning, FencesAndLockedWritesDrainTheBuffer) {
  for (const std::string store : {"write: x := 1; fence", "locked write: x := 1", "syncwr: x := 1",
                                  "cas(x, 0, 1)", "locked { write: x := 1 }"}) {
    const std::string other = "process text locked write: y := 1; read: x = 0; CS: nop";
    const std::string text =
        "forbidden CS CS data x = 0 y = 0 process text " + store + "; read: y = 0; CS: nop " + other;
    EXPECT_FALSE(reaches(text, Model::kTso)) << store;
    EXPECT_FALSE(reaches(text, Model::kPso)) << store;
  }
}

// Two processes that store, do something, and enter if they do not see the other's store.
std::string entering(const std::string& own, const std::string& other) {
  const auto process = [](const std::string& x, const std::string& block) {
    return "process registers $r = 0 text write: " + x + " := 1; " + block + "; CS: nop ";
  };
  return "forbidden CS CS data x = 0 y = 0 z = 0 " + process("x", own) + process("y", other);
}

TEST(RmmMeaning, BlocksThatOnlyReadAreNoFences) {
  for (const std::string y : {"locked { read: y = 0 }", "locked { nop; read: y = 0 or read: y = 7 }",
                              "locked { locked { read: y = 0 } }"}) {
    std::string x = y;
    std::ranges::replace(x, 'y', 'x');
    const std::string text = entering(y, x);
    EXPECT_FALSE(reaches(text, Model::kSc)) << y;
    EXPECT_TRUE(reaches(text, Model::kTso)) << y;
    EXPECT_TRUE(reaches(text, Model::kPso)) << y;
    EXPECT_TRUE(parsed(text).restrictions.empty()) << y;
  }
  // The block sees what its own process has in the buffer.
  EXPECT_TRUE(reaches(alone("write: x := 3; locked { read: x = 3 }; Bad: nop")));
  EXPECT_FALSE(reaches(alone("write: x := 3; locked { read: x = 0 }; Bad: nop")));
}

TEST(RmmMeaning, BlocksThatDoMoreAreFences) {
  for (const std::string block :
       {"locked { read: y = 0; write: z := 1 }", "locked { fence; read: y = 0 }",
        "locked { read: y = 0 or write: z := 1; assume: false }", "locked { read: y = 0; cas(z, 0, 1) }"}) {
    const std::string text = entering(block, "fence; read: x = 0");
    EXPECT_FALSE(reaches(text, Model::kTso)) << block;
    EXPECT_FALSE(reaches(text, Model::kPso)) << block;
    EXPECT_TRUE(parsed(text).restrictions.empty()) << block;
  }
}

// They would have to see several cells at once and the buffer, which no instruction does.
TEST(RmmMeaning, LongerBlocksThatOnlyReadAreNeverSaidToBeSafe) {
  for (const std::string block : {"locked { read: y = 0; read: z = 0 }", "locked { $r := 1; read: y = 0 }",
                                  "locked { either { read: y = 0 or read: z = 0 } }"})
    EXPECT_EQ(parsed(entering(block, block)).restrictions.size(), 1u) << block;
}

TEST(RmmMeaning, ArithmeticAndConditions) {
  EXPECT_TRUE(reaches(alone("read: $r := y; $s := -$r + (3 - -4) - 2; assume: $s = 0; Bad: nop")));
  EXPECT_FALSE(reaches(alone("$r := 1; assume: not $r = 1 || $r > 1 && true; Bad: nop")));
  EXPECT_TRUE(reaches(alone("$r := 1; assume: not [$r != 1 || $r < 1] && $r >= 1 && $r <= 1; Bad: nop")));
  EXPECT_TRUE(reaches(alone("assume: false || true; Bad: nop")));
}

TEST(RmmMeaning, ControlFlow) {
  EXPECT_TRUE(reaches(alone("while $r < 3 do $r := $r + 1; assume: $r = 3; Bad: nop")));
  EXPECT_FALSE(reaches(alone("while true do { $r := 1; $s := 2 }; Bad: nop")));
  EXPECT_TRUE(reaches(alone("if $r = 0 then if $s = 1 then nop else goto Bad; goto End; Bad: nop; End: nop")))
      << "an else belongs to the last if";
  EXPECT_FALSE(reaches(alone("if $r = 1 then goto Bad; goto End; Bad: nop; End: nop")));
  EXPECT_TRUE(
      reaches(alone("either { $r := 1 or $r := 2; $r := $r + 1 or $r := 7 }; assume: $r = 3; Bad: nop")));
  EXPECT_TRUE(
      reaches(alone("Start: { Inner: $r := $r + 1 }; if $r < 2 then goto Inner; if $r < 4 then goto Start; "
                    "Bad: nop")));
}

// Coming back to the start of a branch must not offer the other branches.
TEST(RmmMeaning, ALoopInABranchStaysThere) {
  EXPECT_FALSE(
      reaches(alone("either { while $r < 2 do $r := $r + 1 or assume: $r = 1; goto Bad }; goto End; "
                    "Bad: nop; End: nop")));
  EXPECT_FALSE(
      reaches(alone("either { Again: $r := $r + 1; if $r < 2 then goto Again or assume: $r = 1; goto Bad }; "
                    "goto End; Bad: nop; End: nop")));
}

TEST(RmmMeaning, AReadOfAValueWaits) {
  const std::string text =
      "forbidden End * data x = 0 process text read: x = 2; End: nop process text write: x := 1; ";
  EXPECT_FALSE(reaches(text + "nop"));
  EXPECT_TRUE(reaches(text + "write: x := 2; write: x := 3"));
  const Program program = parsed(text + "nop");
  const auto load =
      std::ranges::find(program.edges, Opcode::kLoad, [](const Edge& e) { return e.instruction.op; });
  EXPECT_TRUE(load->instruction.waits && load->instruction.until);
}

TEST(RmmMeaning, CasIsAtomicAndWaits) {
  const std::string twice =
      "forbidden CS CS data lock = 0 process(2) text cas(lock, 0, 1); CS: write: lock := 0";
  EXPECT_FALSE(reaches(twice));
  EXPECT_FALSE(reaches("forbidden End data lock = 1 process text cas(lock, 0, 1); End: nop"));
}

TEST(RmmMeaning, LockedBlocksAreOneStepOrNone) {
  const std::string other = " process text read: x = 1; read: y = 0; End: nop";
  EXPECT_TRUE(reaches("forbidden * End data x = 0 y = 0 process text write: x := 1; write: y := 1" + other));
  EXPECT_FALSE(reaches(
      "forbidden * End data x = 0 y = 0 process text locked { write: x := 1; write: y := 1 }" + other));
  EXPECT_FALSE(reaches(alone("locked { read: x = 1 or read: y = 4; write: x := 1 }; Bad: nop")));
  EXPECT_TRUE(reaches(
      alone("locked { read: x = 1 or read: y = 5; locked { nop or cas(x, 0, 3) } }; read: x = 3; Bad: nop")));
  EXPECT_FALSE(reaches(alone("locked { write: x := 7; assume: false or nop }; read: x = 7; Bad: nop")));
}

TEST(RmmMeaning, SeveralListsAreSeveralGoals) {
  const Program program =
      parsed("forbidden A B ; * A ; B *\nprocess text A: assume: false; B: nop process text A: nop; B: nop");
  EXPECT_EQ(violations(program, Model::kSc),
            (std::set<ViolationKey>{{ViolationKind::kGoal, 0}, {ViolationKind::kGoal, 1}}));
}

TEST(RmmMeaning, PredicatesAreIgnored) {
  EXPECT_TRUE(reaches("forbidden A predicates x = 1, $r[0] <= 2; y data x = 0 process text A: nop"));
}

TEST(RmmMeaning, MacrosAreTheirWords) {
  const std::string macros =
      "macro set(place, value) write: place := value; fence endmacro\n"
      "macro twice(first, second) set(first, second); set(y, second) endmacro macro none() nop endmacro ";
  EXPECT_TRUE(reaches(macros + alone("twice(x, 3 - (1 + 1)); none(); read: x = 1; read: y = 1; Bad: nop")));
  EXPECT_FALSE(reaches(macros + alone("twice(x, 3 - (1 + 1)); read: x = 3; Bad: nop")));
  EXPECT_TRUE(reaches("macro plus(a, b) a + b endmacro " +
                      alone("write: x := plus(plus(1, 2), 4); read: x = 7; Bad: nop")));
}

TEST(RmmMeaning, MacrosThatAreNoneAreRefused) {
  const auto refused = [](const std::string& text, const std::string& fragment) {
    const Diagnostic diagnostic = test::only_diagnostic(parse_rmm("test.rmm", text));
    EXPECT_NE(diagnostic.message.find(fragment), std::string::npos) << diagnostic.message;
  };
  refused("macro m(a) n(a) endmacro macro n(a) m(a) endmacro " + alone("m(1)"), "the macro 'm' uses itself");
  refused("macro m(a) nop endmacro " + alone("m(1, 2)"), "has 1 parameter, but 2 are given");
  refused("macro m(a) nop endmacro " + alone("m(1,)"), "nothing is given");
  refused("macro m(a, a) nop endmacro " + alone("nop"), "a second parameter named 'a'");
  refused("macro m(a) nop " + alone("nop"), "expected 'endmacro'");
  refused("macro m(a) nop endmacro " + alone("m"), "expected '('");
  std::string growing = "macro m0() nop; nop endmacro ";
  for (int i = 1; i < 30; ++i)
    growing += "macro m" + std::to_string(i) + "() m" + std::to_string(i - 1) + "(); m" +
               std::to_string(i - 1) + "() endmacro ";
  refused(growing + alone("m29()"), "macros make this too long");
}

// Threads and variables.

TEST(RmmVariables, DeclarationsComeInAnyOrder) {
  EXPECT_TRUE(
      reaches("forbidden A process registers $r = 1 data z = 1 text $r := $r; read: z[my] = $r; A: nop"));
  test::expect_error(parse_rmm("t", "forbidden A process data x = 0 data y = 0 text A: nop"), 1, 32,
                     "a second 'data'");
}

TEST(RmmVariables, ThreadsAreNumberedAndCopiesShareTheirCode) {
  const Program program = parsed("forbidden A * * process(2) text A: nop process text A: nop");
  ASSERT_EQ(program.threads.size(), 3u);
  EXPECT_EQ(program.threads[1].name, "P1");
  EXPECT_EQ(program.threads[0].function, program.threads[1].function);
  EXPECT_NE(program.threads[0].function, program.threads[2].function);
  EXPECT_FALSE(program.threads[0].single);
}

TEST(RmmVariables, WhatNobodyElseSeesIsARegister) {
  const Program program = parsed(
      "forbidden A A process(2) data v = 3 : [0:9] text write: v[my] := 4; read: v[my] = 4; cas(v[my], 4, "
      "5); "
      "locked write: v[my] := 6; read: v[my] = 6; A: nop");
  EXPECT_TRUE(program.objects.empty());
  EXPECT_FALSE(program.threads[0].single);
  EXPECT_EQ(program.function(program.threads[0].function).parameter_count, 0u);
  EXPECT_EQ(violations(program, Model::kTso), kGoal);
}

// `locked write` and `cas` drain the buffer, whatever they write to.
TEST(RmmVariables, LockedWritesToAnOwnVariableAreFences) {
  for (const std::string store : {"locked write: v[my] := 1", "cas(v[my], 0, 1)"}) {
    const std::string process =
        " data v = 0 text write: " + std::string("{0} := 1; ") + store + "; read: {1} = 0; CS: nop";
    const auto with = [&](std::string own, std::string other) {
      std::string text = process;
      text.replace(text.find("{0}"), 3, own);
      text.replace(text.find("{1}"), 3, other);
      return text;
    };
    EXPECT_FALSE(
        reaches("forbidden CS CS data x = 0 y = 0 process" + with("x", "y") + " process" + with("y", "x")))
        << store;
  }
}

TEST(RmmVariables, OtherProcessesAreCountedWithoutOneself) {
  const Program program = parsed(
      "forbidden A A A data seen = 0\nprocess(3) data v = 0 : [0:9] registers $r = 0 $s = 0 text "
      "write: v[my] := 1; A: read: $r := v[0]; read: $s := v[1]; nop");
  ASSERT_EQ(program.objects.size(), 2u);
  const SharedObject& v = program.objects[1];
  EXPECT_EQ(v.initial.size(), 3u);
  EXPECT_TRUE(program.threads[0].single) << "its code knows which process it is";
  const auto cells_of = [&](Value my) {
    std::set<Value> cells;
    for (const Edge& edge : program.edges) {
      if (edge.instruction.op != Opcode::kLoad) continue;
      const Expression& sum = program.expression(edge.instruction.a);
      const Expression& base = program.expression(sum.a);
      const Expression& behind = program.expression(sum.b);
      const Value other = program.expression(behind.a).constant;
      cells.insert(base.constant - v.base + (other >= my ? 1 : 0));
    }
    return cells;
  };
  EXPECT_EQ(cells_of(0), (std::set<Value>{1, 2}));
  EXPECT_EQ(cells_of(1), (std::set<Value>{0, 2}));
  EXPECT_EQ(cells_of(2), (std::set<Value>{0, 1}));
}

// The same processes as copies, and written out one by one.
TEST(RmmVariables, CopiesMeanWhatTheirTextsWouldMean) {
  const std::string process =
      " data f = 0 : [0:1] registers $r = 0 text write: f[my] := 1; read: f[0] = 0; read: $r := f[1]; "
      "if $r = 0 then CS: write: f[my] := 0\n";
  const std::string head = "forbidden CS CS * ; * CS CS\n";
  const Program copies = parsed(head + "process(3)" + process);
  const Program written_out = parsed(head + "process" + process + "process" + process + "process" + process);
  for (const Model model : {Model::kSc, Model::kTso})
    EXPECT_EQ(violations(copies, model), violations(written_out, model));
  EXPECT_TRUE(test::same_behaviour(copies, written_out));
}

// A variable that is a register, and the same one in memory because some dead code elsewhere names it.
TEST(RmmVariables, RegistersAndCellsDoTheSame) {
  const std::string process =
      " data v = 1 : [0:3] registers $r = 0 text write: v[my] := 2; write: x := 1; read: $r := v[my]; "
      "locked write: v[my] := 3; read: y = 0; cas(v[my], 3, 0); if $r = 2 then CS: nop\n";
  std::string second = process;
  second.replace(second.find("x := 1"), 6, "y := 1").replace(second.find("y = 0"), 5, "x = 0");
  const std::string head = "forbidden CS CS * data x = 0 y = 0 process" + process + "process" + second;
  const Program registers = parsed(head + "process data v = 0 text nop");
  const Program cells = parsed(head + "process data v = 0 text nop; goto End; read: v[0] = 0; End: nop");
  EXPECT_EQ(registers.objects.size(), 2u);
  EXPECT_EQ(cells.objects.size(), 3u);
  for (const Model model : {Model::kSc, Model::kTso, Model::kPso})
    EXPECT_EQ(violations(registers, model), violations(cells, model)) << name(model);
}

TEST(RmmVariables, PointersAreNumbersOfVariables) {
  EXPECT_TRUE(reaches(alone("$r := 1; read: [$r] = 5; write: [$r - 1] := 8; read: x = 8; Bad: nop")));
  EXPECT_TRUE(reaches(alone("read: [1] = 5; Bad: nop")));
  const std::string outside = alone("$r := 2; read: $s := [$r]; Bad: nop");
  EXPECT_EQ(violations(parsed(outside), Model::kTso), (std::set<ViolationKey>{{ViolationKind::kMemory, 0}}));
  EXPECT_FALSE(reaches(outside, Model::kTso, OutsideRange::kBlocks));
}

TEST(RmmVariables, PointersDoNotReachVariablesOfProcesses) {
  const std::string text =
      "forbidden Bad * data x = 0 process data v = 0 registers $r = 1 text read: $r := [$r]; Bad: nop "
      "process data v = 0 text read: v[0] = 0";
  EXPECT_EQ(violations(parsed(text), Model::kSc), (std::set<ViolationKey>{{ViolationKind::kMemory, 0}}));
}

// Any initial value.

TEST(RmmArbitrary, RegistersChoose) {
  for (const std::string value : {"0", "2"})
    EXPECT_TRUE(reaches(alone("assume: $r = " + value + "; Bad: nop", "$r = * : [0:2]")));
  EXPECT_FALSE(reaches(alone("assume: $r = 3; Bad: nop", "$r = * : [0:2]")));
  const Program unread = parsed(alone("read: $r := x; Bad: nop", "$r = *"));
  EXPECT_EQ(std::ranges::count(unread.edges, Opcode::kChoose, [](const Edge& e) { return e.instruction.op; }),
            0);
}

TEST(RmmArbitrary, ProcessesWaitForSharedVariables) {
  const std::string text = "forbidden End End data t = * : [0:1] process(2) text ";
  const Program program = parsed(text + "Start: read: t = 1; End: nop");
  ASSERT_EQ(program.threads.size(), 3u);
  EXPECT_EQ(program.threads[2].name, "init");
  EXPECT_TRUE(program.threads[2].single);
  EXPECT_FALSE(program.threads[0].single);
  EXPECT_EQ(violations(program, Model::kTso), kGoal);
  EXPECT_FALSE(
      reaches("forbidden One Two data t = * : [0:1] process text read: t = 0; One: nop process text read: t "
              "= 1; Two: nop"))
      << "it has one value, which nobody changes";
  EXPECT_FALSE(reaches(text + "read: t = 2; End: nop"));
}

TEST(RmmArbitrary, EachCopyHasItsOwn) {
  EXPECT_TRUE(
      reaches("forbidden End End process(2) data v = * : [0:1] registers $r = 0 text read: $r := v[0]; "
              "assume: $r = 1; read: v[my] = 1; End: nop"));
}

// Without a range: as many values as the constants can tell apart.
TEST(RmmArbitrary, ValuesAreInferredFromConstants) {
  const auto two = [](const std::string& condition) {
    return reaches(alone("assume: " + condition + "; Bad: nop", "$r = * $s = * : Z"));
  };
  EXPECT_TRUE(two("$r > 5 && $s > $r"));
  EXPECT_TRUE(two("$r < 0 && $s < $r"));
  EXPECT_TRUE(two("$r = 3 && $s = 4"));
  EXPECT_FALSE(two("$r > $s && $s > 4 && $r < 6"));
}

// Ranges.

TEST(RmmRanges, AStoreOutsideFailsOrBlocks) {
  const std::string text =
      "forbidden Bad * data x = 0 : [0:2] process registers $r = 0 text $r := $r + 1; write: x := $r; "
      "write: x := $r + $r; write: x := $r + 2; Bad: nop process text nop";
  EXPECT_EQ(violations(parsed(text), Model::kTso), kFailure);
  EXPECT_EQ(violations(parsed(text, OutsideRange::kBlocks), Model::kTso), kNone);
  const Program program = parsed(text);
  const auto check =
      std::ranges::find(program.edges, Opcode::kAssert, [](const Edge& e) { return e.instruction.op; });
  EXPECT_EQ(check->instruction.message, "a value outside of [0:2], the range of x");
}

TEST(RmmRanges, NothingIsCheckedThatMustFit) {
  const Program program = parsed(
      "forbidden A data x = 0 : [0:3] process registers $r = 0 : [0:1] $s = 0 : [0:3] text write: x := $r + "
      "1; "
      "read: $s := x; $s := 3 - $r; write: x := -$r + $s - $s + 1; A: nop");
  EXPECT_EQ(
      std::ranges::count(program.edges, Opcode::kAssert, [](const Edge& e) { return e.instruction.op; }), 1)
      << "only the last write is not seen to fit";
}

TEST(RmmRanges, AReadThatDoesNotFitFailsOrWaits) {
  const std::string text =
      "forbidden End * data x = 7 process registers $r = 0 : [0:1] text read: $r := x; assume: $r = 1; End: "
      "nop "
      "process text write: x := 1";
  EXPECT_EQ(violations(parsed(text), Model::kTso),
            (std::set<ViolationKey>{{ViolationKind::kAssertion, 0}, {ViolationKind::kGoal, 0}}));
  EXPECT_EQ(violations(parsed(text, OutsideRange::kBlocks), Model::kTso), kGoal);
}

// A swap that does not fit matters only where it would be made.
TEST(RmmRanges, CasChecksWhatItWrites) {
  const auto cas = [](const std::string& old) {
    return "forbidden Bad data x = 1 : [0:1] process registers $r = 1 text cas(x, " + old +
           ", $r + 1); Bad: nop";
  };
  EXPECT_EQ(violations(parsed(cas("1")), Model::kTso), kFailure);
  EXPECT_EQ(violations(parsed(cas("0")), Model::kTso), kNone);
  EXPECT_EQ(violations(parsed(cas("1"), OutsideRange::kBlocks), Model::kTso), kNone);
}

TEST(RmmRanges, DifferentVariablesHaveDifferentRanges) {
  const std::string text =
      "forbidden Bad data x = 0 : [0:1] y = 0 : [0:5] process registers $p = P $v = 4 text write: [$p] := "
      "$v; Bad: nop";
  const auto at = [&](const std::string& number) {
    return std::string(text).replace(text.find("P $v"), 1, number);
  };
  EXPECT_EQ(violations(parsed(at("1")), Model::kSc), kGoal);
  EXPECT_EQ(violations(parsed(at("0")), Model::kSc), kFailure);
}

}  // namespace weir::rmm_parse_test
