// The theory solver of the array engine: what follows, what contradicts, and the normal form.
#include "engine/array/theory/facts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/array/array.hpp"

namespace weir::array::facts_test {

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

  // A sum of nodes with factors, compared with a number.
  using Parts = std::vector<std::pair<std::int64_t, std::string_view>>;
  Constraint sum(const Parts& parts, Comparison comparison, std::int64_t number) const {
    LinearSum total;
    for (const auto& [factor, name] : parts) total.add(node(name), factor);
    total.add_number(-number);
    Constraint result;
    EXPECT_EQ(compare_with_zero(total, comparison, vocabulary, result), Truth::kOpen);
    return result;
  }
  Truth truth_of(const Parts& parts, Comparison comparison, std::int64_t number) const {
    LinearSum total;
    for (const auto& [factor, name] : parts) total.add(node(name), factor);
    total.add_number(-number);
    Constraint ignored;
    return compare_with_zero(total, comparison, vocabulary, ignored);
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

TEST_F(FactsTest, SumsAreNormalised) {
  EXPECT_EQ(sum({{2, "I"}, {-2, "J"}}, Comparison::kLessEqual, 5), at_most("I", "J", 2));
  EXPECT_EQ(sum({{-3, "I"}}, Comparison::kLess, 7),
            (Constraint{ConstraintKind::kAtMost, Node::zero(), node("I"), 2}));
  EXPECT_EQ(sum({{2, "I"}, {4, "J"}}, Comparison::kLessEqual, 5),
            sum({{1, "I"}, {2, "J"}}, Comparison::kLessEqual, 2));
  EXPECT_EQ(truth_of({{2, "I"}, {4, "J"}}, Comparison::kEqual, 5), Truth::kFalse);
  EXPECT_EQ(truth_of({{2, "I"}, {4, "J"}}, Comparison::kDifferent, 5), Truth::kTrue);
  EXPECT_EQ(truth_of({{2, "R"}, {4, "S"}}, Comparison::kEqual, 5), Truth::kOpen);
}

TEST_F(FactsTest, WhatDoesNotFitIsSaidNotToFit) {
  EXPECT_EQ(truth_of({{std::int64_t{1} << 40, "I"}, {1, "J"}}, Comparison::kEqual, 5), Truth::kHard);
  EXPECT_EQ(truth_of({{3, "I"}, {1, "J"}}, Comparison::kEqual, std::int64_t{1} << 60), Truth::kHard);
}

TEST_F(FactsTest, SumsAndDifferencesFollowFromEachOther) {
  Facts facts(vocabulary);
  ASSERT_TRUE(facts.assume_all({sum({{1, "I"}, {1, "J"}}, Comparison::kLessEqual, 5), at_most("K", "I", 0)}));
  EXPECT_TRUE(facts.entails(sum({{1, "K"}, {1, "J"}}, Comparison::kLessEqual, 5)));
  EXPECT_FALSE(facts.entails(sum({{1, "K"}, {1, "J"}}, Comparison::kLessEqual, 4)));
  EXPECT_TRUE(facts.refutes(sum({{1, "K"}, {1, "J"}}, Comparison::kEqual, 6)));
  ASSERT_TRUE(facts.assume_all({sum({{1, "I"}, {-1, "J"}}, Comparison::kLessEqual, 0)}));
  EXPECT_TRUE(facts.entails(sum({{1, "I"}}, Comparison::kLessEqual, 2)));  // 2 I <= 5
  EXPECT_FALSE(facts.assume_all({sum({{1, "I"}}, Comparison::kEqual, 3)}));
}

TEST_F(FactsTest, ASumOfKnownNodesIsNoSumAnyMore) {
  Facts facts(vocabulary);
  ASSERT_TRUE(
      facts.assume_all({sum({{2, "I"}, {1, "J"}, {-1, "K"}}, Comparison::kEqual, 7), equal("J", "K", 1)}));
  std::vector<Constraint> form;
  facts.normal_form(form);
  EXPECT_THAT(form,
              testing::UnorderedElementsAre(sum({{1, "I"}}, Comparison::kEqual, 3), equal("K", "J", -1)));
}

TEST_F(FactsTest, SumsThatFollowAreNotKept) {
  Facts facts(vocabulary);
  const Constraint i = sum({{1, "I"}}, Comparison::kLessEqual, 1);
  const Constraint j = sum({{1, "J"}}, Comparison::kLessEqual, 1);
  ASSERT_TRUE(facts.assume_all({i, j, sum({{1, "I"}, {1, "J"}}, Comparison::kLessEqual, 2)}));
  std::vector<Constraint> form;
  facts.normal_form(form);
  EXPECT_THAT(form, testing::UnorderedElementsAre(i, j));
}

TEST_F(FactsTest, DisequalitiesBetweenSumsAreSplit) {
  const Parts parts{{1, "I"}, {1, "J"}};
  EXPECT_FALSE(consistent({sum(parts, Comparison::kLessEqual, 4),
                           sum({{-1, "I"}, {-1, "J"}}, Comparison::kLessEqual, -3),
                           sum(parts, Comparison::kDifferent, 3), sum(parts, Comparison::kDifferent, 4)}));
  // I + J = 4 and I - J = 0 leave only I = 2.
  EXPECT_FALSE(consistent({sum(parts, Comparison::kEqual, 4), equal("I", "J"), different("I", "K"),
                           sum({{1, "K"}}, Comparison::kEqual, 2)}));
  EXPECT_TRUE(consistent({sum(parts, Comparison::kEqual, 4), different("I", "J"), different("I", "K")}));
}

TEST_F(FactsTest, ForgettingANodeOfASumIsExactByAnEquationOrAFactorOne) {
  const auto left = [&](const std::vector<Constraint>& constraints, std::string_view forgotten, bool exact) {
    Facts facts(vocabulary);
    EXPECT_TRUE(facts.assume_all(constraints));
    EXPECT_EQ(facts.forget(node(forgotten)), exact);
    std::vector<Constraint> form;
    facts.normal_form(form);
    return form;
  };
  // J = 4 - I, and J <= K.
  EXPECT_THAT(left({sum({{1, "I"}, {1, "J"}}, Comparison::kEqual, 4), at_most("J", "K", 0)}, "J", true),
              testing::ElementsAre(sum({{-1, "I"}, {-1, "K"}}, Comparison::kLessEqual, -4)));
  // J <= K <= 5 - 2 I.
  EXPECT_THAT(left({sum({{2, "I"}, {1, "K"}}, Comparison::kLessEqual, 5), at_most("J", "K", 0)}, "K", true),
              testing::ElementsAre(sum({{2, "I"}, {1, "J"}}, Comparison::kLessEqual, 5)));
  // I = 2 J: that I is even is lost.
  EXPECT_TRUE(left({sum({{1, "I"}, {-2, "J"}}, Comparison::kEqual, 0)}, "J", false).empty());
  // Of reals nothing is lost.
  EXPECT_TRUE(left({sum({{1, "R"}, {-2, "S"}}, Comparison::kEqual, 0)}, "S", true).empty());
}

TEST_F(FactsTest, AnOpenDisequalityIsSplitBeforeItsNumberIsForgotten) {
  Facts facts(vocabulary);
  ASSERT_TRUE(facts.assume_all({at_most("I", "J", 0), at_most("K", "I", 0), different("I", "K", 1)}));
  EXPECT_EQ(facts.open_number(node("I")), std::optional(different("I", "K", 1)));
  Facts loose(vocabulary);
  ASSERT_TRUE(loose.assume_all({at_most("I", "J", 0), different("I", "K", 1)}));
  EXPECT_EQ(loose.open_number(node("I")), std::nullopt);
}

TEST_F(FactsTest, AProcessOutsideTheRegionIsOneOfTheOthers) {
  Renaming renaming = Renaming::identity(2);
  renaming.process = {2, 0};
  // "not process 0" of two processes becomes "not process 2" of three.
  EXPECT_EQ(renamed_processes(~std::uint64_t{1}, renaming), ~std::uint64_t{4});
  EXPECT_EQ(renamed_processes(2, renaming), 1u);
}

}  // namespace weir::array::facts_test
