// The theory solver of the array engine: what follows, what contradicts, and the normal form.
#include "engine/array/facts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/array/array.hpp"

namespace weir::array {
namespace {

// Three colours, a process variable, integers and reals.
const ArraySystem& system() {
  static const ArraySystem parsed = *parse_array_system("t.cub", R"(
type colour = Red | Green | Blue
var X : colour
var Y : colour
var Z : colour
var P : proc
var I : int
var J : int
var K : int
var R : real
var S : real
init { X = Red }
unsafe () { X = Blue }
)");
  return parsed;
}

class FactsTest : public testing::Test {
 protected:
  Node node(std::string_view name) const {
    for (std::size_t s = 0; s < system().symbols.size(); ++s)
      if (system().symbols[s].name == name) return Node::cell(SymbolId(s), nullptr, 0);
    return Node::zero();
  }
  Constraint equal(std::string_view a, std::string_view b, std::int64_t c = 0) const {
    return {ConstraintKind::kEqual, node(a), node(b), c};
  }
  Constraint different(std::string_view a, std::string_view b, std::int64_t c = 0) const {
    return {ConstraintKind::kDifferent, node(a), node(b), c};
  }
  Constraint at_most(std::string_view a, std::string_view b, std::int64_t c) const {
    return {ConstraintKind::kAtMost, node(a), node(b), c};
  }
  Constraint in(std::string_view a, std::uint64_t mask) const { return Constraint::in(node(a), mask); }
  bool consistent(const std::vector<Constraint>& constraints) const {
    Facts facts(vocabulary);
    return facts.assume_all(constraints) && facts.satisfiable();
  }

  const Vocabulary vocabulary{system()};
};

TEST_F(FactsTest, EqualNodesShareTheirValues) {
  Facts facts(vocabulary);
  ASSERT_TRUE(facts.assume_all({equal("X", "Y"), in("X", 0b011), in("Y", 0b110)}));
  EXPECT_EQ(facts.mask(node("X")), 0b010u);
  EXPECT_TRUE(facts.entails(in("Y", 0b010)));
  EXPECT_FALSE(facts.assume(in("Y", 0b001)));
}

TEST_F(FactsTest, ASettledNodeIsTakenFromThoseThatDiffer) {
  Facts facts(vocabulary);
  ASSERT_TRUE(facts.assume_all({different("X", "Y"), different("Y", "Z"), in("X", 0b001), in("Z", 0b010)}));
  EXPECT_EQ(facts.mask(node("Y")), 0b100u);
}

TEST_F(FactsTest, DifferencesThatNeedSplittingAreFoundInconsistent) {
  // Three nodes, pairwise different, with two values.
  EXPECT_FALSE(consistent({different("X", "Y"), different("Y", "Z"), different("X", "Z"), in("X", 0b011),
                           in("Y", 0b011), in("Z", 0b011)}));
  EXPECT_TRUE(consistent({different("X", "Y"), different("Y", "Z"), different("X", "Z")}));
}

TEST_F(FactsTest, BoundsAreClosed) {
  Facts facts(vocabulary);
  ASSERT_TRUE(facts.assume_all({at_most("I", "J", 2), at_most("J", "K", -3)}));
  EXPECT_TRUE(facts.entails(at_most("I", "K", -1)));
  EXPECT_FALSE(facts.entails(at_most("I", "K", -2)));
  EXPECT_TRUE(facts.refutes(equal("I", "K", 0)));
  EXPECT_FALSE(facts.assume(at_most("K", "I", 0)));
}

TEST_F(FactsTest, DisequalitiesSharpenIntegerBounds) {
  Facts facts(vocabulary);
  ASSERT_TRUE(facts.assume_all({at_most("I", "J", 0), different("I", "J"), different("I", "J", -1)}));
  EXPECT_TRUE(facts.entails(at_most("I", "J", -2)));
  EXPECT_FALSE(
      consistent({at_most("I", "J", 1), at_most("J", "I", 0), different("I", "J"), different("I", "J", 1)}));
}

TEST_F(FactsTest, RealsHaveRoomBetweenTwoBounds) {
  EXPECT_TRUE(consistent({{ConstraintKind::kBelow, node("R"), node("S"), 1},
                          {ConstraintKind::kBelow, node("S"), node("R"), 0}}));
  EXPECT_FALSE(consistent({{ConstraintKind::kBelow, node("R"), node("S"), 0},
                           {ConstraintKind::kAtMost, node("S"), node("R"), 0}}));
}

TEST_F(FactsTest, NormalFormKeepsNothingThatFollows) {
  Facts facts(vocabulary);
  ASSERT_TRUE(facts.assume_all(
      {at_most("I", "J", 0), at_most("J", "K", 0), at_most("I", "K", 5), equal("Y", "X"), in("Y", 0b011)}));
  std::vector<Constraint> form;
  facts.normal_form(form);
  EXPECT_THAT(form, testing::UnorderedElementsAre(at_most("I", "J", 0), at_most("J", "K", 0), equal("Y", "X"),
                                                  in("X", 0b011)));
}

TEST_F(FactsTest, ForgettingKeepsWhatFollowsAboutTheOthers) {
  Facts facts(vocabulary);
  ASSERT_TRUE(
      facts.assume_all({at_most("I", "J", 0), at_most("J", "K", 0), equal("X", "Y"), equal("Y", "Z")}));
  facts.forget(node("J"));
  facts.forget(node("Y"));
  std::vector<Constraint> form;
  facts.normal_form(form);
  EXPECT_THAT(form, testing::UnorderedElementsAre(at_most("I", "K", 0), equal("Z", "X")));
}

TEST_F(FactsTest, TheNegationOfAConstraintContradictsIt) {
  for (const Constraint& one : {in("X", 0b011), equal("I", "J", 3), different("X", "Y"), at_most("I", "J", 4),
                                Constraint{ConstraintKind::kBelow, node("R"), node("S"), 2}}) {
    Facts facts(vocabulary);
    ASSERT_TRUE(facts.assume(one));
    EXPECT_TRUE(facts.entails(one)) << describe(one, vocabulary);
    EXPECT_FALSE(facts.assume(negated(one, vocabulary))) << describe(one, vocabulary);
  }
}

TEST_F(FactsTest, AProcessOutsideTheRegionIsOneOfTheOthers) {
  Renaming renaming = Renaming::identity(2);
  renaming.process = {2, 0};
  // "not process 0" of two processes becomes "not process 2" of three.
  EXPECT_EQ(renamed_processes(~std::uint64_t{1}, renaming), ~std::uint64_t{4});
  EXPECT_EQ(renamed_processes(2, renaming), 1u);
}

}  // namespace
}  // namespace weir::array
