// What array systems mean: names, sums, quantifiers, cubes and updates as the representation has them.
#include <fmt/format.h>

#include "frontend/array/array.hpp"
#include "frontend/frontend_checks.hpp"
#include "program/array/assumptions.hpp"
#include "program/array/text.hpp"

namespace weir::array_parse_test {

using namespace array;

ArraySystem parsed(const std::string& text) {
  auto result = parse_array_system("test.cub", text);
  EXPECT_TRUE(result.ok()) << test::rendered(result);
  return result.ok() ? std::move(*result) : ArraySystem{};
}

constexpr const char* kDeclarations = R"(
type loc = Idle | Busy | Done
type data
const N : int
var X : int
var R : real
var Flag : bool
var Owner : proc
var D : data
array State[proc] : loc
array Count[proc] : int
array Grid[proc, proc] : bool
weak var W : int
weak array V[proc] : bool
)";

// The printed declaration that `text` becomes.
std::string meaning(const std::string& text) {
  const ArraySystem system = parsed(kDeclarations + text + "\ninit () { true }");
  const std::string printed = print_array_system(system);
  const std::size_t start = printed.find("init () { true }\n\n");
  return start == std::string::npos ? "" : printed.substr(start + 18, printed.size() - start - 19);
}

std::string guard(const std::string& formula) {
  const std::string printed = meaning("transition t ([p] q) requires { " + formula + " } { }");
  const std::size_t start = printed.find("{ ") + 2;
  return printed.substr(start, printed.find(" }") - start);
}

std::string update(const std::string& text) {
  const std::string printed = meaning("transition t ([p] q) { " + text + " }");
  const std::size_t start = printed.rfind("{ ") + 2;
  return printed.substr(start, printed.rfind(" }") - start);
}

TEST(ArrayParse, Declarations) {
  const ArraySystem system = parsed(fmt::format("number_procs 4 {} init (p) {{ X = 0 }}", kDeclarations));
  EXPECT_EQ(system.number_of_processes, 4u);
  ASSERT_EQ(system.sorts.size(), 6u);
  EXPECT_EQ(system.sorts[0].kind, SortKind::kProcess);
  EXPECT_EQ(system.sorts[1].kind, SortKind::kBoolean);
  EXPECT_EQ(system.sorts[1].constructors, (std::vector<std::string>{"False", "True"}));
  EXPECT_EQ(system.sorts[2].kind, SortKind::kInteger);
  EXPECT_EQ(system.sorts[3].kind, SortKind::kReal);
  EXPECT_EQ(system.sorts[4].kind, SortKind::kEnumeration);
  EXPECT_EQ(system.sorts[4].constructors.size(), 3u);
  EXPECT_EQ(system.sorts[5].kind, SortKind::kAbstract);
  ASSERT_EQ(system.symbols.size(), 11u);
  EXPECT_TRUE(system.symbols[0].constant);
  EXPECT_EQ(system.symbols[0].sort, SortId(2));
  EXPECT_EQ(system.symbols[8].name, "Grid");
  EXPECT_EQ(system.symbols[8].dimensions, 2u);
  EXPECT_TRUE(system.symbols[9].weak);
  EXPECT_EQ(system.symbols[9].position.line, 13u);
  EXPECT_TRUE(system.weak());
  EXPECT_EQ(system.initial.parameters, std::vector<std::string>{"p"});
}

TEST(ArrayParse, OldAndNewNotations) {
  EXPECT_EQ(parsed("type t = | A | B const C[proc] : t init { true }").symbols[0].dimensions, 1u);
  EXPECT_EQ(parsed("var X : int init () { X = 0 } transition t () { X := X + 1; }").transitions.size(), 1u);
  EXPECT_EQ(parsed("init { true } transition T () transition T ()").transitions.size(), 2u);
  EXPECT_EQ(parsed("init { true } transition t () require { false }").transitions[0].guard.kind,
            FormulaKind::kFalse);
  EXPECT_EQ(parsed("init { true } unsafe { false }").unsafe.size(), 0u);
  EXPECT_EQ(parsed("init { true } unsafe { true }").unsafe.size(), 1u);
  EXPECT_EQ(parsed("(* a (* b *) (**) *) init { true } (***)").name, "test.cub");
  EXPECT_EQ(parsed("array Weak[proc] : bool init (weak fence) { Weak[weak] = Weak[fence] }").symbols.size(),
            1u);
}

TEST(ArrayParse, SumsAreLinearAndInNormalForm) {
  EXPECT_EQ(guard("X + 1 - 3 = N - X"), "X - 2 = N - X");
  EXPECT_EQ(guard("2 * X + X * 3 = -X"), "5 * X = -X");
  EXPECT_EQ(guard("(X + 2) * 3 < 2 * (1 - (X))"), "3 * X + 6 < -2 * X + 2");
  EXPECT_EQ(guard("X - X = 0"), "0 = 0");
  EXPECT_EQ(guard("Count[p] + Count[q] = Count[p]"), "Count[p] + Count[q] = Count[p]");
  EXPECT_EQ(guard("R = 1"), "R = 1.0");
  EXPECT_EQ(guard("R = 1.5 + 1/3 + 1/3"), "R = 13/6");
  EXPECT_EQ(guard("R < -0.25"), "R < -0.25");
  EXPECT_EQ(guard("X > -1 && X>=-2"), "-1 < X && -2 <= X");
  EXPECT_EQ(guard("0 * X = 1"), "0 = 1");
}

TEST(ArrayParse, OperatorsBindLikeCubicles) {
  EXPECT_EQ(guard("X = 1 || X = 2 && X = 3"), "X = 1 || (X = 2 && X = 3)");
  EXPECT_EQ(guard("not X = 1 && X = 2"), "(not X = 1) && X = 2");
  EXPECT_EQ(guard("X = 1 => X = 2 => X = 3"), "(not X = 1) || ((not X = 2) || X = 3)");
  EXPECT_EQ(guard("X = 1 <=> X = 2"), "((not X = 1) || X = 2) && (X = 1 || (not X = 2))");
  EXPECT_EQ(guard("if X = 1 then X = 2 else X = 3 && X = 4"),
            "(((not X = 1) || X = 2) && (X = 1 || X = 3)) && X = 4");
  EXPECT_EQ(guard("X = 0 && forall_other j. State[j] = Idle && X = 1"),
            "X = 0 && (forall_other j2. (State[j2] = Idle && X = 1))");
  EXPECT_EQ(guard("(forall_other j. State[j] = Idle) && X = 1"),
            "(forall_other j2. State[j2] = Idle) && X = 1");
}

TEST(ArrayParse, Quantifiers) {
  const ArraySystem system = parsed(std::string(kDeclarations) +
                                    "init () { true } transition t (p q) requires { forall_other a. exists b "
                                    "<> c. Grid[a, c] = Grid[b, p] }");
  const Formula& all = system.transitions[0].guard;
  ASSERT_EQ(all.kind, FormulaKind::kForAll);
  EXPECT_EQ(all.bound, 2u);
  EXPECT_EQ(all.others, (std::vector<Process>{{.index = 0}, {.index = 1}}));
  const Formula& first = all.operands[0];
  ASSERT_EQ(first.kind, FormulaKind::kExists);
  EXPECT_EQ(first.bound, 3u);
  EXPECT_TRUE(first.others.empty());
  const Formula& second = first.operands[0];
  ASSERT_EQ(second.kind, FormulaKind::kExists);
  EXPECT_EQ(second.bound, 4u);
  EXPECT_EQ(second.others, (std::vector<Process>{{.index = 3}}));
  const Term& left = second.operands[0].terms[0];
  EXPECT_EQ(left.access.arguments, (std::vector<Process>{{.index = 2}, {.index = 4}}));
}

TEST(ArrayParse, PredicatesAreExpandedWithTheirOwnNames) {
  const std::string predicates =
      "predicate at(x, l) { State[x] = l } predicate two(q, p) { at(q, Busy) && p = q && forall z. z = p } ";
  EXPECT_EQ(guard("fence()"), "fence()");
  const ArraySystem system =
      parsed(predicates + kDeclarations +
             "init () { true } transition t (p q) requires { two(p, q) && at(q, Idle) }");
  EXPECT_NE(print_array_system(system).find(
                "requires { (State[p] = Busy && q = p && (forall j2. j2 = q)) && State[q] = Idle }"),
            std::string::npos)
      << print_array_system(system);
}

TEST(ArrayParse, UnsafeFormulasBecomeCubes) {
  EXPECT_EQ(meaning("unsafe bad (p q) { State[p] = Busy && not (X < 1 || X = 3) }"),
            "unsafe bad (p q) { State[p] = Busy && 1 <= X && X <> 3 }");
  EXPECT_EQ(meaning("unsafe (p) { X = 1 && (State[p] = Busy || State[p] = Done) }"),
            "unsafe (p) { X = 1 && State[p] = Busy }\n\nunsafe (p) { X = 1 && State[p] = Done }");
  EXPECT_EQ(meaning("unsafe (p q) { X <= 1 => State[p] = Busy }"),
            "unsafe (p q) { 1 < X }\n\nunsafe (p q) { State[p] = Busy }");
  EXPECT_EQ(meaning("unsafe (p q) { p@W = 1 && q @ V[p] = True && p@X = 1 }"),
            "unsafe (p q) { p@W = 1 && q@V[p] = True && X = 1 }");
}

TEST(ArrayParse, ProcessesThatExistAreParametersOfCubes) {
  EXPECT_EQ(meaning("unsafe (p) { State[p] = Busy && exists_other q. State[q] = Done }"),
            "unsafe (p j1) { State[p] = Busy && State[j1] = Done }");
  EXPECT_EQ(meaning("unsafe (p) { exists q. State[q] = Done }"),
            "unsafe (p) { State[p] = Done }\n\nunsafe (p j1) { State[j1] = Done }");
  EXPECT_EQ(
      meaning("predicate ok() { forall p <> q. (State[p] <> Busy || State[q] <> Busy) } unsafe { not ok() }"),
      "unsafe (j1 j2) { State[j1] = Busy && State[j2] = Busy }");
  EXPECT_EQ(meaning("unsafe (j1) { exists_other q. (State[q] = Busy && exists_other r. Grid[q, r] = True) }"),
            "unsafe (j1 j2) { State[j2] = Busy && Grid[j2, j2] = True }\n\n"
            "unsafe (j1 j2 j3) { State[j2] = Busy && Grid[j2, j3] = True }");
  // One cell of a sum that two processes name.
  EXPECT_EQ(meaning("unsafe (p) { exists q. Count[p] + Count[q] < 3 }"),
            "unsafe (p) { 2 * Count[p] < 3 }\n\nunsafe (p j1) { Count[p] + Count[j1] < 3 }");
}

TEST(ArrayParse, WhatIsSaidOfCellsThatNeverChangeIsAssumed) {
  const std::string text = std::string(kDeclarations) +
                           "init (p) { State[p] = Idle }\n"
                           "invariant (p q) { State[p] = Done && State[q] = Done && N < 2 }\n"
                           "invariant (p) { State[p] = Done && X = 1 }\n";
  const ArraySystem system = parsed(text + "transition t () { X := 1 }");
  EXPECT_TRUE(is_assumed(system, system.invariants.at(0)));
  EXPECT_FALSE(is_assumed(system, system.invariants.at(1))) << "X changes";
  EXPECT_EQ(processes_text(system), "any number of processes that satisfy the invariant of line 16");
  const std::string printed = print_array_system(system);
  EXPECT_NE(printed.find("forall"), std::string::npos) << printed;
  EXPECT_EQ(print_array_system(parsed(printed)), printed);
  const ArraySystem changing = parsed(text + "transition t (p) { X := 1; State[p] := Done }");
  EXPECT_FALSE(is_assumed(changing, changing.invariants.at(0)));
  EXPECT_EQ(processes_text(changing), "any number of processes");
}

TEST(ArrayParse, UpdatesOfOneCell) {
  EXPECT_EQ(update("X := X + N"), "X := X + N");
  EXPECT_EQ(update("X := .; Flag := ?; D := D; Owner := p;"),
            "X := ?;\n  Flag := ?;\n  D := D;\n  Owner := p");
  EXPECT_EQ(update("State[p] := Busy; State[q] := Idle"), "State[p] := Busy;\n  State[q] := Idle");
  EXPECT_EQ(update("State[p] := case | X = 1 : Busy | _ : Idle"),
            "State[p] := case\n    | X = 1 : Busy\n    | _ : Idle");
  EXPECT_EQ(update("X := case | X = 1 : 2 | X = 2 : ?"),
            "X := case\n    | X = 1 : 2\n    | X = 2 : ?\n    | _ : X");
  EXPECT_EQ(update("let x = X + 1 in let y = x + x in let o = q in X := y; State[o] := Busy"),
            "X := 2 * X + 2;\n  State[q] := Busy");
  EXPECT_EQ(update("p@W := p@W + 1"), "W := W + 1");
}

TEST(ArrayParse, UpdatesOfAllCells) {
  const ArraySystem system = parsed(
      std::string(kDeclarations) +
      "init () { true } transition t (p) { State[j] := case | j = p : Busy | State[j] = Busy : Done }");
  const Update& one = system.transitions[0].updates[0];
  EXPECT_TRUE(one.everywhere);
  EXPECT_TRUE(one.arguments.empty());
  EXPECT_EQ(one.bound, std::vector<std::uint32_t>{1});
  ASSERT_EQ(one.cases.size(), 3u);
  EXPECT_EQ(one.cases[2].guard.kind, FormulaKind::kTrue);
  EXPECT_EQ(one.cases[2].value->access.arguments, (std::vector<Process>{{.index = 1}}));
  EXPECT_EQ(update("Grid[i, j] := case | i = p : True | _ : Grid[j, i]"),
            "Grid[j2, j3] := case\n    | j2 = p : True\n    | _ : Grid[j3, j2]");
  EXPECT_EQ(update("Grid[p, j] := case | j = q : True | _ : False"),
            "Grid[j2, j3] := case\n    | j2 <> p : Grid[j2, j3]\n    | j3 = q : True\n    | _ : False");
  EXPECT_EQ(update("V[j] := case | _ : False"), "V[j2] := case\n    | _ : False");
}

// The ranks are added once, whatever their name, and those of #1, #2 ascend.
TEST(ArrayParse, TheOrderOfProcesses) {
  const ArraySystem system = parsed(
      "number_procs 2 var Rank : int init (p) { Rank = 0 } unsafe (p q) { p < q && not p > q } "
      "transition t (p) requires { forall_other q. (p <= q || q >= #2) }");
  ASSERT_EQ(system.symbols.size(), 2u);
  EXPECT_TRUE(system.symbols[1].constant);
  const std::string printed = print_array_system(system);
  for (const char* part :
       {"const Rank_[proc] : int",
        "init (p) { Rank = 0 && (forall j1 <> j2. Rank_[j1] <> Rank_[j2]) && Rank_[#1] < Rank_[#2] }",
        "unsafe (p q) { Rank_[p] < Rank_[q] && Rank_[p] <= Rank_[q] }",
        "forall_other j1. (Rank_[p] <= Rank_[j1] || Rank_[#2] <= Rank_[j1])"})
    EXPECT_NE(printed.find(part), std::string::npos) << printed;
}

TEST(ArrayParse, ThePerformingProcess) {
  const std::string start = std::string(kDeclarations) + "init () { true } transition t ";
  EXPECT_EQ(parsed(start + "(q [p]) { W := 1 }").transitions[0].performer, 1u);
  EXPECT_EQ(parsed(start + "(q p) { X := 1 }").transitions[0].performer, std::nullopt);
  EXPECT_EQ(parsed(start + "(q p) requires { fence(p) } { W := 1 }").transitions[0].performer, 1u);
  EXPECT_EQ(parsed(start + "(q p) requires { q@W = 1 && V[p] = True }").transitions[0].performer, 0u);
  EXPECT_EQ(parsed(start + "([p]) requires { fence(p) && p@W = 1 }").transitions[0].performer, 0u);
}

}  // namespace weir::array_parse_test
