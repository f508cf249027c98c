// Everything that the comments of system.hpp promise is noticed when it is broken.
#include "program/array/validate.hpp"

#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "selfcheck/random/array_builder.hpp"

namespace weir::test::array_validate_test {

using namespace selfcheck;
using namespace weir::array;
using ::testing::HasSubstr;

constexpr SymbolId kFlags{0}, kWeak{1}, kCount{2}, kLimit{3}, kTurn{4};

ArraySystem sound() {
  ArraySystem system = empty_array_system();
  add_symbol(system, "Flags", kBooleanSort, 1);
  add_symbol(system, "Weak", kBooleanSort, 1, true);
  add_symbol(system, "Count", kIntegerSort);
  add_symbol(system, "Limit", kIntegerSort);
  system.symbols.back().constant = true;
  add_symbol(system, "Turn", kProcessSort);
  const ArrayTerms terms(system);
  const Process p = bound(0), q = bound(1), j = bound(2);
  const Term yes = terms.constructor("True");
  system.initial = initially(1, {equal(terms.cell(kFlags, {p}), yes), equal(terms.cell(kWeak, {p}), yes)});
  system.unsafe = {cube(2, {equal(terms.view(p, kWeak, {q}), yes), different(terms.cell(kFlags, {q}), yes)})};
  system.transitions = {transition(
      "go", 2, 0,
      all_of({equal(terms.cell(kTurn), process_term(q)), fence(),
              for_all(2, {p, q}, equal(terms.cell(kWeak, {j}), yes))}),
      {everywhere(kWeak, {2},
                  {{equal(process_term(j), process_term(p)), yes}, {truth(), terms.cell(kWeak, {j})}}),
       becomes(terms.cell(kFlags, {p}), yes), becomes_anything(terms.cell(kFlags, {q})),
       becomes(terms.cell(kCount), plus(terms.cell(kLimit), 1))})};
  return system;
}

TEST(ArrayValidate, SoundSystemsPass) { EXPECT_EQ(problem(sound()), ""); }

struct Damage {
  const char* complaint;
  std::function<void(ArraySystem&)> make;
};

Transition& go(ArraySystem& system) { return system.transitions[0]; }

const Damage kDamages[] = {
    {"constructors are False and True",
     [](ArraySystem& s) { std::swap(s.sorts[1].constructors[0], s.sorts[1].constructors[1]); }},
    {"constructor twice",
     [](ArraySystem& s) {
       add_enumeration(s, "e", {"A", "A"});
     }},
    {"without constructors", [](ArraySystem& s) { add_enumeration(s, "e", {}); }},
    {"only enumerations", [](ArraySystem& s) { s.sorts[0].constructors = {"A"}; }},
    {"type does not exist", [](ArraySystem& s) { s.symbols[0].sort = SortId(9); }},
    {"constant cannot be weak", [](ArraySystem& s) { s.symbols[1].constant = true; }},
    {"Flags has another type", [](ArraySystem& s) { s.symbols[0].sort = kProcessSort; }},
    {"Flags has 2 dimensions", [](ArraySystem& s) { s.symbols[0].dimensions = 2; }},
    {"init: Weak is the same",
     [](ArraySystem& s) { s.initial.formula.operands[1].terms[0].access.viewer = bound(0); }},
    {"fence() outside", [](ArraySystem& s) { s.initial.formula.operands.push_back(fence()); }},
    {"nobody is said to see", [](ArraySystem& s) { s.unsafe[0].literals[0].terms[0].access.viewer.reset(); }},
    {"Flags is the same", [](ArraySystem& s) { s.unsafe[0].literals[1].terms[0].access.viewer = bound(0); }},
    {"consists of comparisons", [](ArraySystem& s) { s.unsafe[0].literals[0] = truth(); }},
    {"nothing binds", [](ArraySystem& s) { s.unsafe[0].parameters.pop_back(); }},
    {"performer is no parameter", [](ArraySystem& s) { go(s).performer = 2; }},
    {"no process performs", [](ArraySystem& s) { go(s).performer.reset(); }},
    {"bound twice", [](ArraySystem& s) { go(s).guard.operands[2].bound = 1; }},
    {"nothing binds", [](ArraySystem& s) { go(s).guard.operands[2].bound = 3; }},
    {"nothing binds", [](ArraySystem& s) { go(s).guard.operands[2].others.push_back(bound(2)); }},
    {"wrong number of operands", [](ArraySystem& s) { go(s).guard.operands[2].operands.clear(); }},
    {"only quantifiers", [](ArraySystem& s) { go(s).guard.others.push_back(bound(0)); }},
    {"only comparisons", [](ArraySystem& s) { go(s).guard.terms.push_back(number_term(1)); }},
    {"other than two terms", [](ArraySystem& s) { go(s).guard.operands[0].terms.pop_back(); }},
    {"two types", [](ArraySystem& s) { go(s).guard.operands[0].terms[1] = number_term(1); }},
    {"only numbers are ordered",
     [](ArraySystem& s) { go(s).guard.operands[0].comparison = Comparison::kLess; }},
    {"numbers are sums", [](ArraySystem& s) { go(s).guard.operands[0].terms[0].sort = kIntegerSort; }},
    {"no such constructor", [](ArraySystem& s) { go(s).updates[1].cases[0].value->constructor = 2; }},
    {"of another type", [](ArraySystem& s) { go(s).updates[1].cases[0].value = number_term(1); }},
    {"Limit is constant", [](ArraySystem& s) { go(s).updates[3].symbol = kLimit; }},
    {"has a guard", [](ArraySystem& s) { go(s).updates[0].cases.pop_back(); }},
    {"without cases", [](ArraySystem& s) { go(s).updates[0].cases.clear(); }},
    {"updated twice", [](ArraySystem& s) { go(s).updates[2].arguments = {bound(0)}; }},
    {"updated twice", [](ArraySystem& s) { go(s).updates[2].arguments = {constant_process(1)}; }},
    {"only arrays", [](ArraySystem& s) { go(s).updates[3].everywhere = true; }},
    {"dimensions", [](ArraySystem& s) { go(s).updates[1].arguments.clear(); }},
    {"one cell or binds", [](ArraySystem& s) { go(s).updates[1].bound = {2}; }},
    {"update of nothing", [](ArraySystem& s) { go(s).updates[1].symbol = SymbolId(9); }},
    {"twice in a sum",
     [](ArraySystem& s) {
       std::vector<Summand>& summands = go(s).updates[3].cases[0].value->summands;
       summands.push_back(summands[0]);
     }},
    {"not reduced",
     [](ArraySystem& s) {
       go(s).updates[3].cases[0].value->number = {2, 2};
     }},
    {"not positive",
     [](ArraySystem& s) {
       go(s).updates[3].cases[0].value->number = {1, -1};
     }},
    {"fraction among integers",
     [](ArraySystem& s) {
       go(s).updates[3].cases[0].value->number = {1, 2};
     }},
    {"no processes", [](ArraySystem& s) { s.number_of_processes = 0; }},
};

TEST(ArrayValidate, EveryBrokenPromiseIsNoticed) {
  for (const Damage& damage : kDamages) {
    ArraySystem system = sound();
    damage.make(system);
    EXPECT_THAT(problem(system), HasSubstr(damage.complaint));
  }
}

}  // namespace weir::test::array_validate_test
