// Instances of array systems as programs: the reference machine for programs finds them unsafe exactly where
// the reference machine for array systems does, and what no program can do is refused with the reason.
#include "program/array/instance.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/array/explore.hpp"
#include "check/explore.hpp"
#include "program/validate.hpp"
#include "selfcheck/random/array_builder.hpp"
#include "selfcheck/random/array_generator.hpp"
#include "support/array_text.hpp"

namespace weir::test::array_instance_test {

using namespace selfcheck;
using namespace weir::array;
using ::testing::HasSubstr;

enum class Verdict { kSafe, kUnsafe, kUnknown };

Verdict verdict_of(const ArraySystem& system, std::uint32_t processes) {
  const ArrayExploration exploration = explore(system, processes, {.states = 3000, .buffered_groups = 3});
  if (exploration.unsafe()) return Verdict::kUnsafe;
  return exploration.verdict == ArrayVerdict::kExhausted ? Verdict::kSafe : Verdict::kUnknown;
}

Verdict verdict_of(const Program& program, Model model) {
  const ReferenceExploration exploration =
      explore_all(program, model, {.states = 6000, .buffered_stores = 3});
  if (!exploration.violations.empty()) return Verdict::kUnsafe;
  return exploration.complete ? Verdict::kSafe : Verdict::kUnknown;
}

// The same system with ordinary memory only.
void strengthen(Formula& formula) {
  if (formula.kind == FormulaKind::kFence) formula = truth();
  for (Term& term : formula.terms) {
    term.access.viewer.reset();
    for (Summand& summand : term.summands) summand.access.viewer.reset();
  }
  for (Formula& operand : formula.operands) strengthen(operand);
}

ArraySystem strengthened(ArraySystem system) {
  for (Symbol& symbol : system.symbols) symbol.weak = false;
  for (Cube& cube : system.unsafe)
    for (Formula& literal : cube.literals) strengthen(literal);
  for (Transition& transition : system.transitions) {
    strengthen(transition.guard);
    for (Update& update : transition.updates)
      for (UpdateCase& one : update.cases) strengthen(one.guard);
  }
  return system;
}

bool contradict(Verdict one, Verdict other) {
  return one != other && one != Verdict::kUnknown && other != Verdict::kUnknown;
}

// Is there an instance as a program, and does it behave differently?
bool disagrees(const ArraySystem& system, std::uint32_t processes) {
  const Expected<Program, Diagnostic> program = instance_as_program(system, processes);
  if (!program) return false;
  return contradict(verdict_of(system, processes), verdict_of(program.value(), Model::kTso)) ||
         contradict(verdict_of(strengthened(system), processes), verdict_of(program.value(), Model::kSc));
}

class GeneratedInstances : public ::testing::TestWithParam<ArrayFamily> {};

TEST_P(GeneratedInstances, BehaveLikeTheSystem) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const ArrayShape shape{.family = GetParam(),
                           .numbers = seed % 2 == 1,
                           .constant_processes = seed % 4 == 0,
                           .several_weak_writes = seed % 3 == 0,
                           .several_weak_reads = seed % 3 == 1,
                           .views = seed % 5 == 0};
    const ArraySystem system = random_array_system(seed, shape);
    const Expected<Program, Diagnostic> program = instance_as_program(system, 2);
    if (!program) continue;
    ASSERT_TRUE(validate(program.value()).empty()) << validate(program.value())[0].message << "\n"
                                                   << array_text(system);
    ++compared;
    if (!disagrees(system, 2)) continue;
    const auto fails = [](const ArraySystem& one) { return disagrees(one, 2); };
    ADD_FAILURE() << "seed " << seed << "\n" << array_text(shrink_failing(system, fails));
  }
  EXPECT_GE(compared, GetParam() == ArrayFamily::kWeakShared ? 3 : 30);
}

INSTANTIATE_TEST_SUITE_P(Families, GeneratedInstances,
                         ::testing::Values(ArrayFamily::kOrdinary, ArrayFamily::kWeak,
                                           ArrayFamily::kWeakShared));

// Systems by hand: processes with a Boolean register Done, and weak variables X and Y, all False.
struct Pair {
  ArraySystem system = empty_array_system();
  SymbolId done = add_symbol(system, "Done", kBooleanSort, 1);
  SymbolId x = add_symbol(system, "X", kBooleanSort, 0, true);
  SymbolId y = add_symbol(system, "Y", kBooleanSort, 0, true);
  const Process p = bound(0), q = bound(1);

  Pair() {
    const Term no = terms().constructor("False");
    system.initial = initially(
        1, {equal(terms().cell(done, {p}), no), equal(terms().cell(x), no), equal(terms().cell(y), no)});
    system.unsafe = {cube(2, {equal(terms().cell(done, {p}), yes()), equal(terms().cell(done, {q}), yes())})};
  }

  ArrayTerms terms() const { return ArrayTerms(system); }
  Term yes() const { return terms().constructor("True"); }
  Formula is_set(SymbolId symbol) const { return equal(terms().cell(symbol), yes()); }
  Update set(SymbolId symbol) const { return becomes(terms().cell(symbol), yes()); }
  Update finish() const { return becomes(terms().cell(done, {p}), yes()); }

  void add(Formula guard, std::vector<Update> updates) {
    const std::string name = "t" + std::to_string(system.transitions.size());
    system.transitions.push_back(transition(name, 1, 0, std::move(guard), std::move(updates)));
  }

  std::string refusal() const {
    const Expected<Program, Diagnostic> program = instance_as_program(system, 2);
    return program ? "" : program.error().message;
  }
};

TEST(ArrayInstance, StoresOfAThreadAreBuffered) {
  // One process sets X and is done if it does not see Y; the other one sets Y and looks at X.
  Pair pair;
  const SortId locations = add_enumeration(pair.system, "location", {"Start", "HasX", "HasY"});
  const SymbolId pc = add_symbol(pair.system, "PC", locations, 1);
  const auto at = [&](Process process, const char* place) {
    return equal(pair.terms().cell(pc, {process}), pair.terms().constructor(place));
  };
  const auto go = [&](const char* place) {
    return becomes(pair.terms().cell(pc, {pair.p}), pair.terms().constructor(place));
  };
  pair.system.initial.formula.operands.push_back(at(pair.p, "Start"));
  pair.add(at(pair.p, "Start"), {pair.set(pair.x), go("HasX")});
  pair.add(all_of({at(pair.p, "HasX"), negation(pair.is_set(pair.y))}), {pair.finish()});
  pair.add(at(pair.p, "Start"), {pair.set(pair.y), go("HasY")});
  pair.add(all_of({at(pair.p, "HasY"), negation(pair.is_set(pair.x))}), {pair.finish()});
  pair.system.unsafe[0].literals.push_back(at(pair.p, "HasX"));
  pair.system.unsafe[0].literals.push_back(at(pair.q, "HasY"));
  const Program program = *instance_as_program(pair.system, 2);
  EXPECT_TRUE(validate(program).empty());
  EXPECT_EQ(verdict_of(program, Model::kTso), Verdict::kUnsafe);
  EXPECT_EQ(verdict_of(program, Model::kSc), Verdict::kSafe);
}

TEST(ArrayInstance, RefusesWhatNoProgramCanDo) {
  Pair writes;
  writes.add(truth(), {writes.set(writes.x), writes.set(writes.y)});
  EXPECT_THAT(writes.refusal(), HasSubstr("t0 writes several weak cells"));

  Pair reads;
  reads.add(all_of({reads.is_set(reads.x), reads.is_set(reads.y)}), {reads.finish()});
  EXPECT_THAT(reads.refusal(), HasSubstr("t0 reads several shared cells"));
  reads.system.transitions[0].guard.operands.push_back(fence());
  EXPECT_EQ(reads.refusal(), "") << "with an empty buffer it is an atomic block";

  Pair shares;
  const SymbolId shared = add_symbol(shares.system, "Shared", kBooleanSort);
  shares.add(truth(), {shares.set(shares.x), shares.set(shared)});
  EXPECT_THAT(shares.refusal(), HasSubstr("t0 changes Shared"));

  Pair inside;
  inside.add(any_of({fence(), inside.is_set(inside.x)}), {inside.finish()});
  EXPECT_THAT(inside.refusal(), HasSubstr("fence()"));

  Pair views;
  views.system.unsafe[0].literals.push_back(equal(views.terms().view(views.p, views.x), views.yes()));
  EXPECT_THAT(views.refusal(), HasSubstr("unsafe cube"));

  Pair numbers;
  add_symbol(numbers.system, "Number", kIntegerSort);
  EXPECT_THAT(numbers.refusal(), HasSubstr("Number open"));
  numbers.system.symbols.back().sort = kRealSort;
  EXPECT_THAT(numbers.refusal(), HasSubstr("Number is a real number"));
}

TEST(ArrayInstance, ReadModifyWritesAreAtomic) {
  Pair pair;
  pair.add(negation(pair.is_set(pair.x)), {pair.set(pair.x), pair.finish()});
  const Program program = *instance_as_program(pair.system, 3);
  EXPECT_EQ(verdict_of(program, Model::kTso), Verdict::kSafe);
}

TEST(ArrayInstance, AThreadSeesItsOwnView) {
  Pair pair;
  pair.add(different(pair.terms().cell(pair.done, {pair.p}), pair.yes()), {pair.set(pair.x), pair.finish()});
  pair.system.unsafe = {cube(1, {equal(pair.terms().cell(pair.done, {pair.p}), pair.yes()),
                                 different(pair.terms().view(pair.p, pair.x), pair.yes())})};
  EXPECT_EQ(verdict_of(*instance_as_program(pair.system, 2), Model::kTso), Verdict::kSafe);
  pair.system.unsafe[0].literals[1].comparison = Comparison::kEqual;
  EXPECT_EQ(verdict_of(*instance_as_program(pair.system, 2), Model::kTso), Verdict::kUnsafe);
}

TEST(ArrayInstance, RegistersChangeTogether) {
  // Done and Other change places again and again; nobody sees them equal.
  Pair pair;
  const SymbolId other = add_symbol(pair.system, "Other", kBooleanSort, 1);
  const Term one = pair.terms().cell(pair.done, {pair.p}), two = pair.terms().cell(other, {pair.p});
  pair.system.initial.formula.operands.push_back(equal(two, pair.yes()));
  pair.add(negation(pair.is_set(pair.x)), {becomes(one, two), becomes(two, one)});
  pair.system.unsafe = {cube(1, {equal(one, two)})};
  EXPECT_EQ(verdict_of(*instance_as_program(pair.system, 2), Model::kTso), Verdict::kSafe);
  pair.system.unsafe = {cube(1, {equal(one, pair.yes())})};
  EXPECT_EQ(verdict_of(*instance_as_program(pair.system, 2), Model::kTso), Verdict::kUnsafe);
}

TEST(ArrayInstance, OrdinaryTransitionsDoNotWaitForBuffers) {
  // p sets X and is done; a transition without a performer may then see Done while X is still buffered.
  Pair pair;
  const SymbolId seen = add_symbol(pair.system, "Seen", kBooleanSort);
  pair.system.initial.formula.operands.push_back(
      equal(pair.terms().cell(seen), pair.terms().constructor("False")));
  pair.add(all_of({fence(), truth()}), {pair.set(pair.x), pair.finish()});
  pair.system.transitions.push_back(transition(
      "look", 1, std::nullopt, equal(pair.terms().cell(pair.done, {pair.p}), pair.yes()), {pair.set(seen)}));
  pair.add(all_of({pair.is_set(seen), negation(pair.is_set(pair.x)), fence()}), {pair.finish()});
  ASSERT_EQ(pair.refusal(), "");
  EXPECT_EQ(verdict_of(pair.system, 2), Verdict::kUnsafe);
  EXPECT_FALSE(disagrees(pair.system, 2));
}

TEST(ArrayInstance, OpenInitialValuesAreChosenTogether) {
  Pair pair;
  // X and Done of all processes are open, but Done[p] = X.
  pair.system.initial =
      initially(1, {equal(pair.terms().cell(pair.done, {pair.p}), pair.terms().cell(pair.x)),
                    equal(pair.terms().cell(pair.y), pair.yes())});
  EXPECT_EQ(verdict_of(*instance_as_program(pair.system, 2), Model::kTso), Verdict::kUnsafe);
  pair.system.unsafe[0].literals[1].comparison = Comparison::kDifferent;
  EXPECT_EQ(verdict_of(*instance_as_program(pair.system, 2), Model::kTso), Verdict::kSafe);
  EXPECT_FALSE(disagrees(pair.system, 3));
}

}  // namespace weir::test::array_instance_test
