// Mistakes in array systems are told where they are, with a hint where one helps, and several at once.
#include <fmt/format.h>

#include "frontend/array/array.hpp"
#include "frontend/frontend_checks.hpp"

namespace weir::array_diagnostics_test {

// Declarations may come in any order, so a test puts its mistake before these: it is on line 1.
constexpr const char* kRest = R"(
type loc = Idle | Busy
type data
const N : int
var X : int
var Y : int
var R : real
var Flag : bool
var Owner : proc
array State[proc] : loc
array Count[proc] : int
array Grid[proc, proc] : bool
weak var W : int
weak array V[proc] : bool
predicate busy(p) { State[p] = Busy }
predicate always() { true }
)";

constexpr const char* kInitial = "init (p) { State[p] = Idle }\n";

Expected<array::ArraySystem> with_rest(const std::string& line) {
  return parse_array_system("test.cub", line + kRest + kInitial);
}

struct Mistake {
  std::string text;
  std::uint32_t column;
  std::string message;
  std::string hint = "";
};

void expect_mistakes(const std::vector<Mistake>& mistakes) {
  for (const Mistake& mistake : mistakes) {
    SCOPED_TRACE(mistake.text);
    const auto result = with_rest(mistake.text);
    test::expect_error(result, 1, mistake.column, mistake.message);
    EXPECT_NE(test::only_diagnostic(result).hint.find(mistake.hint), std::string::npos)
        << test::only_diagnostic(result).hint;
  }
}

TEST(ArrayDiagnostics, NamesThatAreNotThere) {
  expect_mistakes({
      {"unsafe (p) { Stat[p] = Busy }", 14, "unknown variable 'Stat'", "did you mean 'State'?"},
      {"unsafe (p) { State[p] = Bussy }", 25, "unknown variable 'Bussy'", "did you mean 'Busy'?"},
      {"unsafe (proc1) { State[proc2] = Busy }", 24, "unknown process 'proc2'", "did you mean 'proc1'?"},
      {"unsafe (p) { State[q] = Busy }", 20, "unknown process 'q'", "did you mean 'p'?"},
      {"var Z : lok", 9, "unknown type 'lok'", "did you mean 'loc'?"},
      {"unsafe (p) { buzy(p) }", 14, "unknown predicate 'buzy'", "did you mean 'busy'?"},
      {"predicate a() { b() } predicate b() { true } unsafe () { a() }", 17,
       "'b' is used before its definition"},
      {"predicate a() { a() } unsafe () { a() }", 17, "'a' is used before its definition"},
      {"transition t (p) { Stat[p] := Busy }", 20, "unknown variable 'Stat'"},
      {"transition t (p) { State[j] := Busy }", 26, "unknown process 'j'", "State[j] := case"},
      {"unsafe () { #1 = #1 }", 13, "#1 needs a number of processes", "number_procs"},
      {"number_procs 2 unsafe () { #3 = #1 }", 28, "there is no process #3; the last is #2"},
      {"number_procs 2 unsafe () { #0 = #1 }", 28, "there is no process #0"},
  });
}

TEST(ArrayDiagnostics, ArityAndKindsOfNames) {
  expect_mistakes({
      {"unsafe (p) { State = Busy }", 14, "'State' is an array, and its cell is not given", "State[p]"},
      {"unsafe (p) { X[p] = 1 }", 14, "'X' is a variable, not an array"},
      {"unsafe (p q) { Grid[p] = True }", 16, "'Grid' has 2 dimensions, but 1 process is given"},
      {"unsafe (p q) { State[p, q] = Busy }", 16, "'State' has 1 dimension, but 2 processes are given"},
      {"unsafe (p) { Busy[p] = Busy }", 14, "'Busy' is a constructor, not an array"},
      {"unsafe (p) { busy(p, p) }", 14, "predicate 'busy' has 1 parameter, but 2 arguments are given"},
      {"unsafe (p) { always(p) }", 14, "predicate 'always' has 0 parameters, but 1 argument is given"},
      {"unsafe (p) { p[p] = Busy }", 14, "'p' is no array", "capital"},
      {"unsafe (p) { State[Owner] = Busy }", 20, "expected a process, found 'Owner'", "Owner = p"},
      {"transition t () { Grid[i, i] := case | _ : True }", 27, "a second process named 'i'"},
  });
}

TEST(ArrayDiagnostics, AreWhereAnArgumentDoesNotFit) {
  test::expect_error(with_rest("unsafe () { busy(X) }"), 15, 27, "'p' stands for a value of type int");
}

TEST(ArrayDiagnostics, Sorts) {
  expect_mistakes({
      {"unsafe (p) { State[p] = True }", 25, "this is of type bool, but loc is needed here"},
      {"unsafe (p) { State[p] = p }", 25, "this is of type proc, but loc is needed"},
      {"unsafe () { X = R }", 17, "this is of type real, but int is needed"},
      {"unsafe () { X = 1.5 }", 17, "this is of type real, but int is needed"},
      {"unsafe () { X + 1.5 < 3 }", 17, "this is of type real, but int is needed"},
      {"unsafe (p) { State[p] < Busy }", 14, "only numbers can be compared by <", "use = or <>"},
      {"unsafe (p q) { p < Owner }", 16, "only numbers can be compared by <", "both have a name"},
      {"unsafe () { X + Flag = 1 }", 17, "arithmetic on a value of type bool"},
      {"unsafe () { -Flag = 1 }", 14, "arithmetic on a value of type bool"},
      {"unsafe () { 2 * Flag = 1 }", 17, "arithmetic on a value of type bool"},
      {"unsafe () { X * Y = 1 }", 17, "not linear", "must be a number"},
      {"unsafe () { N * X = 1 }", 17, "not linear"},
      {"unsafe () { 1.5 * X = 1 }", 13, "an integer cannot be multiplied by a real"},
      {"transition t (p) { State[p] := X }", 32, "this is of type int, but loc is needed"},
      {"transition t (p) { Owner := Busy }", 29, "this is of type loc, but proc is needed"},
      {"transition t (p) { let x = X in State[x] := Busy }", 39, "'x' stands for a value of type int"},
  });
}

TEST(ArrayDiagnostics, Numbers) {
  expect_mistakes({
      {"unsafe () { X = 9223372036854775808 }", 17, "does not fit into 64 bits"},
      {"unsafe () { R = 0.00000000000000000001 }", 17, "does not fit into 64 bits"},
      {"unsafe () { X + 9223372036854775807 + 1 = 0 }", 13, "do not fit into 64 bits"},
      {"unsafe () { 4294967296 * 4294967296 * X = 0 }", 13, "do not fit into 64 bits"},
      {"unsafe () { R = 1/0 }", 19, "division by zero"},
      {"unsafe () { X = 12ab }", 17, "'12ab' is neither a number nor a name"},
      {"number_procs 0", 14, "the number of processes is 1 to 1000"},
      {"number_procs 1.5", 14, "the number of processes is 1 to 1000"},
      {"number_procs 99999999999999999999", 14, "the number of processes is 1 to 1000"},
      {"number_procs 2 number_procs 2", 29, "a second 'number_procs'"},
  });
}

TEST(ArrayDiagnostics, WeakMemory) {
  expect_mistakes({
      {"transition t (p) { W := 1 }", 20, "writing the weak 'W' needs a performing process", "([p] q)"},
      {"transition t (p) requires { W = 1 } { }", 29, "the weak 'W' needs a performing process", "([p] q)"},
      {"transition t (p) requires { fence() } { }", 29, "fence() needs a performing process", "([p] q)"},
      {"transition t ([p] [q]) { W := 1 }", 19, "a second performing process"},
      {"transition t ([p] q) requires { q@W = 1 } { }", 33, "'q' is not the performing process"},
      {"transition t (p q) requires { p@W = 1 && q@W = 1 } { }", 42, "'q' is not the performing process"},
      {"transition t ([p] q) { q@W := 1 }", 24, "'q' is not the performing process"},
      {"transition t ([p] q) requires { fence(q) } { }", 39, "'q' is not the performing process"},
      {"transition t ([p]) requires { forall_other q. q@W = 1 } { }", 47,
       "'q' is not the performing process"},
      {"transition t ([p]) { X := case | fence() : 1 | _ : 2 }", 34, "fence() outside of the guard"},
      {"unsafe (p) { fence() }", 14, "fence() outside of the guard of a transition"},
      {"unsafe (p) { W = 1 }", 14, "the weak 'W' is seen by which process?", "p@W"},
      {"unsafe (p) { V[p] = True }", 14, "the weak 'V' is seen by which process?"},
      {"invariant (p) { W = 1 }", 17, "the weak 'W' is seen by which process?"},
      {"unsafe (p) { q@W = 1 }", 14, "unknown process 'q'"},
      {"weak const C : int", 6, "expected 'var' or 'array' behind 'weak'", "cannot be weak"},
      {"predicate fence() { true }", 11, "cannot be named 'fence'"},
  });
  test::expect_error(parse_array_system("t", "weak var W : int init (p) { p@W = 0 }"), 1, 29,
                     "'@' in the initial");
}

TEST(ArrayDiagnostics, CubesAreExistential) {
  expect_mistakes({
      {"unsafe (p) { forall q. State[q] = Busy }", 14, "something about all processes in a cube",
       "unsafe (p q)"},
      {"unsafe (p) { not (exists_other q. State[q] = Busy) }", 19, "something about all processes in a cube"},
      {"invariant (p) { X = 1 && (forall_other q. State[q] = Busy) }", 27, "something about all processes"},
  });
  std::string large = "unsafe () { X = 0";
  for (int i = 0; i < 20; ++i) large += " && (X = 1 || X = 2)";
  expect_mistakes({{large + " }", 13, "too many cases"}});
}

TEST(ArrayDiagnostics, Updates) {
  expect_mistakes({
      {"transition t () { N := 1 }", 19, "'N' is a constant and cannot be changed", "declare it with 'var'"},
      {"transition t () { Busy := 1 }", 19, "'Busy' is a constructor and cannot be changed"},
      {"transition t (p) { State[p] := Busy; X := 1; State[p] := Idle }", 46, "'State' is changed twice"},
      {"transition t (p) { X := 1; X := 2 }", 28, "'X' is changed twice"},
      {"transition t (p) { State[j] := case | _ : Idle; State[p] := Busy }", 49, "'State' is changed twice"},
      {"number_procs 2 transition t (p) { State[#1] := Idle; State[p] := Busy }", 54,
       "'State' is changed twice"},
      {"transition t (p q) { Grid[p, q] := True; Grid[p, q] := False }", 42, "'Grid' is changed twice"},
      {"transition t (p) { State[p] = Busy }", 29, "expected ':='", "'=' compares"},
      {"transition t (p) { p := Busy }", 20, "only variables and cells of arrays can be changed"},
      {"transition t (p) { X := case | _ : 1 | X = 1 : 2 }", 38, "a case behind '_'"},
      {"transition t (p) { X := case 1 }", 30, "expected '|' and the first case"},
      {"transition t (p) { X := 1 Y := 2 }", 27, "expected ';' or '}' behind an update, found 'Y'"},
      {"transition t (p) { State[p, X] := Busy }", 29, "expected a process, found 'X'"},
      {"transition t (p) requires { X := 1 } { }", 31, "expected a comparison", "'=' compares"},
      {"transition t (p) requires { Flag } { }", 34, "expected a comparison", "X = True"},
  });
}

TEST(ArrayDiagnostics, Repetitions) {
  expect_mistakes({
      {"type x type x", 13, "a second type named 'x'"},
      {"type bool = T | F", 6, "a second type named 'bool'"},
      {"type few = T1 type more = T1", 27, "'T1' is a constructor already", "one type"},
      {"type more = True", 13, "'True' is a constructor already"},
      {"type more = A | B | A", 21, "'A' is a constructor already"},
      {"var A : int array A[proc] : int", 19, "'A' is a variable already"},
      {"type a = A var A : int", 16, "'A' is a constructor already"},
      {"predicate a() { true } predicate a() { true }", 34, "a second predicate named 'a'"},
      {"predicate a(x, x) { true }", 16, "a second parameter named 'x'"},
      {"unsafe (p p) { X = 1 }", 11, "a second parameter named 'p'"},
      {"transition t (p [p]) { }", 18, "a second parameter named 'p'"},
      {"transition t (p) requires { forall_other p. X = 1 } { }", 42, "'p' is the name of something else"},
      {"transition t () requires { forall p <> p. X = 1 } { }", 40, "'p' is the name of something else"},
      {"transition t (p) { let p = X in X := 1 }", 24, "'p' is the name of something else"},
      {"init (q) { X = 0 } init (q) { X = 0 } init (q) { X = 0 }", 20, "a second 'init'"},
  });
}

TEST(ArrayDiagnostics, Shapes) {
  expect_mistakes({
      {"transition t requires { X = 1 } { }", 14, "expected '(' and the processes of the transition"},
      {"transition (p) { }", 12, "expected the name of a transition"},
      {"transition t (p, q) { }", 16, "expected a process or ')', found ','"},
      {"transition t (P) { }", 15, "expected a process or ')', found 'P'", "small letter"},
      {"var x : int", 5, "expected the name of a variable or array, found 'x'", "capital letter"},
      {"var A[proc] : int", 6, "expected ':'", "array A[proc]"},
      {"array A : int", 9, "expected '[proc]'"},
      {"array A[int] : int", 9, "an array cannot be indexed by 'int'"},
      {"type loc2 = a | b", 13, "expected a constructor, found 'a'"},
      {"hello", 1, "expected a declaration, found 'hello'"},
      {"unsafe (p) { X = 1 & Y = 1 }", 20, "unexpected character '&'", "&&"},
      {"unsafe (p) { !(X = 1) }", 14, "unexpected character '!'", "not"},
      {"unsafe (p) { X = _a }", 18, "'_a' is no name"},
      {"unsafe (p) { X = #a }", 18, "expected the number of a process"},
      {"unsafe (p) { (X = 1 }", 21, "expected ')'"},
  });
}

TEST(ArrayDiagnostics, TheEndOfTheText) {
  test::expect_error(parse_array_system("t", "var X : int\nunsafe () { X = 1 }\n"), 3, 1,
                     "the initial states are missing");
  test::expect_error(parse_array_system("t", ""), 1, 1, "the initial states are missing");
  test::expect_error(parse_array_system("t", "init () { true }\n  (* a (* b *) c"), 2, 3,
                     "this comment does not end");
  test::expect_error(parse_array_system("t", "init () { true } unsafe ("), 1, 26,
                     "found the end of the text");
  test::expect_error(with_rest("unsafe (p) { X = 1"), 2, 1, "expected '}' behind the formula");
}

TEST(ArrayDiagnostics, DeepNestingIsRefused) {
  const std::size_t deep = 100'000;
  const auto refused = [](const std::string& formula) {
    const auto result = parse_array_system("t", "var X : int init () { " + formula + " }");
    EXPECT_NE(test::only_diagnostic(result).message.find("nested too deeply"), std::string::npos)
        << test::only_diagnostic(result).message;
  };
  refused(std::string(deep, '('));
  refused("X = " + std::string(deep, '('));
  std::string nots, arrows, conditions, quantifiers;
  for (std::size_t i = 0; i < deep; ++i) {
    nots += "not ";
    arrows += "X = 1 => ";
    conditions += "if X = 1 then X = 1 else ";
    quantifiers += "forall p. ";
  }
  refused(nots + "X = 1");
  refused(arrows + "X = 1");
  refused(conditions + "X = 1");
  refused(quantifiers + "X = 1");
  std::string predicates = "predicate p0() { X = 1 }";
  for (int i = 1; i < 1000; ++i) predicates += fmt::format(" predicate p{}() {{ p{}() }}", i, i - 1);
  test::expect_error(parse_array_system("t", "var X : int init () { p999() }\n" + predicates), 2, 16599,
                     "nested too deeply");
}

TEST(ArrayDiagnostics, FormulasThatExplodeAreRefused) {
  std::string equivalent = "X = 1";
  for (int i = 0; i < 40; ++i) equivalent = "X = 1 <=> (" + equivalent + ")";
  EXPECT_NE(test::only_diagnostic(parse_array_system("t", "var X : int init () { " + equivalent + " }"))
                .message.find("grows too large"),
            std::string::npos);
  std::string predicates = "predicate p0() { X = 1 }";
  for (int i = 1; i < 40; ++i)
    predicates += fmt::format(" predicate p{}() {{ p{}() && p{}() }}", i, i - 1, i - 1);
  EXPECT_NE(test::only_diagnostic(parse_array_system("t", predicates + " var X : int init () { p39() }"))
                .message.find("grows too large"),
            std::string::npos);
}

TEST(ArrayDiagnostics, SeveralMistakesAtOnce) {
  const auto syntax = parse_array_system(
      "t", "var x : int\nvar Y : int\nunsafe () { Y = }\ntransition t ( { }\ninit () { Y = 0 }\n");
  ASSERT_FALSE(syntax.ok());
  ASSERT_EQ(syntax.error().diagnostics.size(), 3u);
  EXPECT_EQ(syntax.error().diagnostics[0].position.line, 1u);
  EXPECT_EQ(syntax.error().diagnostics[1].position.line, 3u);
  EXPECT_EQ(syntax.error().diagnostics[2].position.line, 4u);

  const auto names = parse_array_system(
      "t", "var Y : int\ninit () { Z = 0 }\nunsafe () { Y = True }\ntransition t () { Y := 1; Y := 1 }\n");
  ASSERT_FALSE(names.ok());
  EXPECT_EQ(names.error().diagnostics.size(), 3u);

  std::string many = "init () { true }\n";
  for (int i = 0; i < 100; ++i) many += "unsafe () { Y = 1 }\n";
  EXPECT_EQ(parse_array_system("t", many).error().diagnostics.size(), 20u);
}

TEST(ArrayDiagnostics, AreShownWithTheLineAndACaret) {
  EXPECT_EQ(test::rendered(with_rest("unsafe (p) { Stat[p] = Busy }")),
            "test.cub:1:14: error: unknown variable 'Stat'\n"
            "    1 | unsafe (p) { Stat[p] = Busy }\n"
            "      |              ^\n"
            "      = hint: did you mean 'State'?\n");
}

}  // namespace weir::array_diagnostics_test
