// Conditions over final states: what they say, how they are written, and that sorting places changes neither.
#include "program/final_states.hpp"

#include <gtest/gtest.h>

namespace weir::final_states_test {

using Op = FinalCondition::Op;

struct Example {
  Example() {
    program.objects = {{.name = "x", .base = 16, .initial = {0}}, {.name = "y", .base = 32, .initial = {0}}};
    question.places = {{.name = "x", .address = 16},
                       {.name = "1:EAX", .thread = ThreadId(1), .reg = RegisterId(0), .type = {8, true}},
                       {.name = "0:EBX", .thread = ThreadId(0), .reg = RegisterId(1)}};
  }

  static FinalCondition is(std::size_t place, Value value) {
    return {.op = Op::kIs, .place = place, .value = value};
  }

  Program program;
  FinalQuestion question;
};

TEST(FinalStates, PlacesAreRegistersAndCells) {
  Example e;
  const FinalState state{{{5, 6}, {0x1ff}}, {{16, 7}}};
  EXPECT_EQ(e.question.values(state), (std::vector<Value>{7, -1, 6}));
  EXPECT_EQ(e.question.values({{{5, 6}, {3}}, {}}), (std::vector<Value>{0, 3, 6}));
  EXPECT_EQ(e.question.values({{{5, 6}, {3}}, {{16, kUninitialised}}})[0], kUninitialised);
}

TEST(FinalStates, ConditionsAreLogic) {
  const std::vector<Value> values = {1, 2, 2};
  const FinalCondition yes = Example::is(0, 1), no = Example::is(1, 1);
  EXPECT_TRUE(yes.holds(values));
  EXPECT_FALSE(no.holds(values));
  EXPECT_TRUE((FinalCondition{.op = Op::kSame, .place = 1, .other = 2}.holds(values)));
  EXPECT_FALSE((FinalCondition{.op = Op::kSame, .place = 0, .other = 2}.holds(values)));
  EXPECT_FALSE((FinalCondition{.op = Op::kAnd, .parts = {yes, no}}.holds(values)));
  EXPECT_TRUE((FinalCondition{.op = Op::kOr, .parts = {yes, no}}.holds(values)));
  EXPECT_TRUE((FinalCondition{.op = Op::kNot, .parts = {no}}.holds(values)));
  EXPECT_TRUE((FinalCondition{.op = Op::kImplies, .parts = {no, no}}.holds(values)));
  EXPECT_FALSE((FinalCondition{.op = Op::kImplies, .parts = {yes, no}}.holds(values)));
}

TEST(FinalStates, AreWrittenAsHerdDoes) {
  Example e;
  const FinalCondition both{.op = Op::kAnd, .parts = {Example::is(0, 1), Example::is(2, 32)}};
  e.question.condition = {.op = Op::kOr, .parts = {both, {.op = Op::kNot, .parts = {Example::is(1, -1)}}}};
  EXPECT_EQ(question_text(e.program, e.question), "exists ([x]=1 /\\ 0:EBX=y \\/ not (1:EAX=-1))");
  e.question.condition = {.op = Op::kAnd, .parts = {e.question.condition, {.op = Op::kTrue}}};
  e.question.quantifier = Quantifier::kForAll;
  EXPECT_EQ(question_text(e.program, e.question), "forall (([x]=1 /\\ 0:EBX=y \\/ not (1:EAX=-1)) /\\ true)");
}

TEST(FinalStates, SortingKeepsTheMeaning) {
  Example e;
  e.question.condition = {.op = Op::kAnd,
                          .parts = {Example::is(0, 7), {.op = Op::kSame, .place = 2, .other = 1}}};
  const FinalState state{{{5, 6}, {6}}, {{16, 7}}};
  ASSERT_TRUE(e.question.condition.holds(e.question.values(state)));
  e.question.sort_places();
  EXPECT_EQ(e.question.places[0].name, "0:EBX");
  EXPECT_EQ(e.question.places[2].name, "x");
  EXPECT_TRUE(e.question.condition.holds(e.question.values(state)));
  EXPECT_EQ(question_text(e.program, e.question), "exists ([x]=7 /\\ 0:EBX=1:EAX)");
  EXPECT_EQ(e.question.number_of(e.question.places[1]), 1u);
}

}  // namespace weir::final_states_test
