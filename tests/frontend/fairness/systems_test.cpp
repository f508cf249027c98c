// The input formats of weir fair: what they mean, and that what is wrong is said where it is wrong.
#include "frontend/fairness/systems.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir::fairness::systems_test {

using testing::ElementsAre;
using testing::HasSubstr;

// "line:column: message" of the only diagnostic.
template <class T>
std::string complaint(const Expected<T>& result) {
  if (result) return "accepted";
  const Diagnostic& diagnostic = result.error().diagnostics.front();
  return std::to_string(diagnostic.position.line) + ":" + std::to_string(diagnostic.position.column) + ": " +
         diagnostic.message;
}

TEST(Aut, LabelsInAllTheirForms) {
  auto system =
      read_aut("a.aut", "des (1, 4, 3)\n(0,\"a b, c\",1)\n(1, tau ,2)\r\n(2,f(1,2),0)\n(0,\"tau\",0)\n\n");
  ASSERT_TRUE(system) << complaint(system);
  EXPECT_EQ(system->states, 3u);
  EXPECT_EQ(system->initial, 1u);
  EXPECT_THAT(system->actions, ElementsAre("a b, c", "tau", "f(1,2)"));
  ASSERT_EQ(system->transitions.size(), 4u);
  EXPECT_EQ(system->transitions[2].action, 2u);
  EXPECT_EQ(system->transitions[2].to, 0u);
  EXPECT_EQ(system->transitions[3].action, 1u);
}

TEST(Aut, Mistakes) {
  EXPECT_THAT(complaint(read_aut("a", "abc")), HasSubstr("1:1: expected an Aldebaran file"));
  EXPECT_THAT(complaint(read_aut("a", "des (3, 0, 3)\n")), HasSubstr("1:6: state 3 does not exist"));
  EXPECT_THAT(complaint(read_aut("a", "des (0, 1, 3)\n(0,a,3)\n")),
              HasSubstr("2:6: the number of a state is at most 2"));
  EXPECT_THAT(complaint(read_aut("a", "des (0, 2, 3)\n(0,a,1)\n")),
              HasSubstr("announces 2 transitions, but 1 follow"));
  EXPECT_THAT(complaint(read_aut("a", "des (0, 1, 3)\n(0,\"a,1)\n")), HasSubstr("the quote is not closed"));
  EXPECT_THAT(complaint(read_aut("a", "des (0, 1, 3)\n(0,a 1)\n")), HasSubstr("expected a label"));
  EXPECT_THAT(complaint(read_aut("a", "des (0, 99999999999999999999, 3)\n")),
              HasSubstr("1:9: the number of"));
}

// State 0 has a certain and an uncertain choice, state 1 one uncertain choice, state 2 one certain one.
constexpr const char* kMdp = "3 4 6\n0 0 1 0.5 a\n0 0 2 0.5 a\n0 1 0 1 b\n1 0 0 0.25\n1 0 2 0.75\n2 0 2 1\n";

TEST(Tra, ChoicesBecomeRandomStates) {
  auto system = read_tra("m.tra", kMdp);
  ASSERT_TRUE(system) << complaint(system);
  EXPECT_EQ(system->given, 3u);
  EXPECT_EQ(system->states, 4u);
  EXPECT_THAT(system->random, ElementsAre(false, true, false, true));
  std::vector<Arena::Edge> edges;
  for (const auto& t : system->transitions) edges.emplace_back(t.from, t.to);
  EXPECT_THAT(edges, testing::UnorderedElementsAre(Arena::Edge{0, 3}, Arena::Edge{3, 1}, Arena::Edge{3, 2},
                                                   Arena::Edge{0, 0}, Arena::Edge{1, 0}, Arena::Edge{1, 2},
                                                   Arena::Edge{2, 2}));
}

TEST(Tra, AMarkovChainHasNoChoices) {
  auto system = read_tra("m.tra", "2 3\n0 0 0.5\n0 1 0.5\n1 1 1\n");
  ASSERT_TRUE(system) << complaint(system);
  EXPECT_THAT(system->random, ElementsAre(true, false));
}

TEST(Tra, Mistakes) {
  EXPECT_THAT(complaint(read_tra("m", "2 3\n0 0 0.5\n0 1 0.4\n1 1 1\n")),
              HasSubstr("2:1: the probabilities"));
  EXPECT_THAT(complaint(read_tra("m", "2 1\n0 0 x\n")), HasSubstr("2:5: expected a probability"));
  EXPECT_THAT(complaint(read_tra("m", "2 2\n0 0 1\n")), HasSubstr("announces 2 transitions, but 1 follow"));
  EXPECT_THAT(complaint(read_tra("m", "2 1\n0 2 1\n")), HasSubstr("2:3: the number of a state is at most 1"));
}

TEST(Lab, LabelsAndTheInitialState) {
  auto system = read_tra("m.tra", kMdp);
  ASSERT_TRUE(system);
  auto labelled = read_lab(*system, "m.lab", "0=\"init\" 1=\"goal\"\n1: 0\n2: 1\n0: 1\n");
  ASSERT_TRUE(labelled) << complaint(labelled);
  EXPECT_EQ(labelled->initial, 1u);
  EXPECT_EQ(labelled->labels[1].name, "goal");
  EXPECT_THAT(labelled->labels[1].states, ElementsAre(0, 2));
  EXPECT_THAT(complaint(read_lab(*system, "m", "0=\"init\"\n3: 0\n")),
              HasSubstr("2:1: the number of a state"));
  EXPECT_THAT(complaint(read_lab(*system, "m", "0=\"init\"\n1: 1\n")),
              HasSubstr("2:4: the number of a label"));
}

TEST(Pairs, SetsAndComments) {
  auto pairs = read_pairs("p", "# first\nL: 3 0 3 U: 1\n\nL: U:\nL: 2 U:\n", 4);
  ASSERT_TRUE(pairs) << complaint(pairs);
  ASSERT_EQ(pairs->size(), 3u);
  EXPECT_THAT((*pairs)[0].requests, ElementsAre(0, 3));
  EXPECT_THAT((*pairs)[0].grants, ElementsAre(1));
  EXPECT_TRUE((*pairs)[1].requests.empty() && (*pairs)[1].grants.empty());
  EXPECT_THAT(complaint(read_pairs("p", "L: 4 U: 1\n", 4)),
              HasSubstr("1:4: the number of a vertex is at most 3"));
  EXPECT_THAT(complaint(read_pairs("p", "L: 1\n", 4)), HasSubstr("1:5: expected a vertex, or U:"));
  EXPECT_THAT(complaint(read_pairs("p", "U: 1\n", 4)), HasSubstr("1:1: expected a pair"));
  EXPECT_THAT(complaint(read_vertices("r", "1\n2 3\n", 4)), HasSubstr("2:3: expected one vertex per line"));
}

TEST(Hoa, MarksOfStatesAndTransitions) {
  auto automaton =
      read_hoa("a.hoa",
               "HOA: v1\ntool: \"x\" \"y\" name: \"n: States: 7\"\nStates: 2\nStart: 1\nAP: 2 \"a\" \"b\"\n"
               "Alias: @c 0&!1\nacc-name: Streett 1\nAcceptance: 2 Fin(0)|Inf(1)\n"
               "properties: deterministic trans-acc\n--BODY--\n/* comment */\nState: 0 \"zero\" {0}\n"
               "[@c | t&!f] 1 {1}\nState: 1\n0 {0 1}\n1\n1\n0\n--END--\n");
  ASSERT_TRUE(automaton) << complaint(automaton);
  EXPECT_EQ(automaton->states, 2u);
  EXPECT_EQ(automaton->start, 1u);
  EXPECT_THAT(automaton->propositions, ElementsAre("a", "b"));
  ASSERT_EQ(automaton->transitions.size(), 5u);
  EXPECT_EQ(automaton->transitions[0].marks, 3u);
  EXPECT_EQ(automaton->transitions[1].marks, 3u);
  EXPECT_EQ(automaton->transitions[2].marks, 0u);
}

TEST(Hoa, Mistakes) {
  const std::string head = "HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"a\"\n";
  EXPECT_THAT(complaint(read_hoa("a", "HOA: v2\n")), HasSubstr("1:6: only version v1"));
  EXPECT_THAT(complaint(read_hoa("a", head + "--BODY--\n--END--\n")), HasSubstr("no Acceptance:"));
  EXPECT_THAT(complaint(read_hoa("a", head + "Acceptance: 1 Inf(1)\n")),
              HasSubstr("5:19: the number of an acceptance set"));
  EXPECT_THAT(complaint(read_hoa("a", head + "Acceptance: 1 Inf(!0)\n")),
              HasSubstr("complements of acceptance sets"));
  EXPECT_THAT(complaint(read_hoa("a", head + "Start: 0\n")), HasSubstr("several starts"));
  EXPECT_THAT(complaint(read_hoa("a", head + "Acceptance: 0 t\n--BODY--\nState: 0\n[1] 0\n--END--\n")),
              HasSubstr("8:2: the number of a proposition"));
  EXPECT_THAT(complaint(read_hoa("a", head + "Acceptance: 0 t\n--BODY--\nState: 0\n0\n0\n0\n--END--\n")),
              HasSubstr("more edges without a guard"));
  EXPECT_THAT(complaint(read_hoa("a", head + "Acceptance: 0 t\n--BODY--\nState: 0\n[0] 0&0\n--END--\n")),
              HasSubstr("alternating"));
  EXPECT_THAT(complaint(read_hoa("a", head + "Acceptance: 0 t\n--BODY--\nState: 0\n[@x] 0\n--END--\n")),
              HasSubstr("there is no alias @x"));
  EXPECT_THAT(complaint(read_hoa("a", head + "Acceptance: 0 t\n--BODY--\nState: 0\n[0] 0\n")),
              HasSubstr("expected State: or --END--"));
}

}  // namespace weir::fairness::systems_test
