// What is asked about a system becomes the right arena and pairs: acceptance conditions against their plain
// evaluation, products against runs that are followed by hand.
#include "engine/fairness/questions.hpp"

#include <gtest/gtest.h>
#include <random>

#include "check/streett_reference.hpp"

namespace weir::fairness::questions_test {

using Kind = Formula::Kind;

bool evaluate(const Formula& formula, std::size_t index, std::uint64_t visited) {
  const Formula::Node& node = formula.nodes[index];
  switch (node.kind) {
    case Kind::kTrue: return true;
    case Kind::kFalse: return false;
    case Kind::kAtom: return ((visited >> (node.left / 2) & 1) != 0) == (node.left % 2 == 0);
    case Kind::kNot: return !evaluate(formula, node.left, visited);
    case Kind::kAnd: return evaluate(formula, node.left, visited) && evaluate(formula, node.right, visited);
    case Kind::kOr: return evaluate(formula, node.left, visited) || evaluate(formula, node.right, visited);
  }
  return false;
}

bool satisfied(const std::vector<AcceptanceClause>& clauses, std::uint64_t visited) {
  for (const AcceptanceClause& clause : clauses) {
    const bool finitely = clause.finitely && (visited >> *clause.finitely & 1) == 0;
    if (!finitely && (visited & clause.infinitely) == 0) return false;
  }
  return true;
}

OmegaAutomaton random_acceptance(std::mt19937& engine, std::uint32_t sets) {
  OmegaAutomaton automaton;
  automaton.sets = sets;
  auto& nodes = automaton.acceptance.nodes;
  nodes.push_back({Kind::kAtom, static_cast<std::uint32_t>(engine() % (2 * sets)), 0});
  for (std::uint32_t operators = 1 + engine() % 4; operators > 0; --operators) {
    const auto root = static_cast<std::uint32_t>(nodes.size() - 1);
    if (engine() % 5 == 0) {
      nodes.push_back({Kind::kNot, root, 0});
      continue;
    }
    nodes.push_back({Kind::kAtom, static_cast<std::uint32_t>(engine() % (2 * sets)), 0});
    nodes.push_back({engine() % 2 == 0 ? Kind::kAnd : Kind::kOr, root, root + 1});
  }
  return automaton;
}

TEST(Acceptance, ClausesMeanTheSame) {
  std::mt19937 engine(1);
  std::size_t streett = 0;
  for (int i = 0; i < 2000; ++i) {
    const OmegaAutomaton automaton = random_acceptance(engine, 4);
    for (const bool negate : {false, true}) {
      const auto clauses = streett_clauses(automaton, negate);
      if (!clauses) continue;
      ++streett;
      for (std::uint64_t visited = 0; visited < 16; ++visited)
        ASSERT_EQ(satisfied(*clauses, visited),
                  evaluate(automaton.acceptance, automaton.acceptance.nodes.size() - 1, visited) != negate);
    }
  }
  EXPECT_GT(streett, 1000u);
}

// Inf(0) | (Fin(1) & (Inf(2) | Fin(3))), and its negation, are Streett; two Rabin pairs only if negated.
TEST(Acceptance, ParityAndRabin) {
  OmegaAutomaton parity;
  parity.acceptance.nodes = {{Kind::kAtom, 0, 0}, {Kind::kAtom, 3, 0}, {Kind::kAtom, 4, 0},
                             {Kind::kAtom, 7, 0}, {Kind::kOr, 2, 3},   {Kind::kAnd, 1, 4},
                             {Kind::kOr, 0, 5}};
  EXPECT_TRUE(streett_clauses(parity, false));
  EXPECT_TRUE(streett_clauses(parity, true));
  OmegaAutomaton rabin;
  rabin.acceptance.nodes = {{Kind::kAtom, 1, 0}, {Kind::kAtom, 2, 0}, {Kind::kAnd, 0, 1}, {Kind::kAtom, 5, 0},
                            {Kind::kAtom, 6, 0}, {Kind::kAnd, 3, 4},  {Kind::kOr, 2, 5}};
  EXPECT_FALSE(streett_clauses(rabin, false));
  EXPECT_TRUE(streett_clauses(rabin, true));
}

Formula atom(std::uint32_t number, bool positive = true) {
  Formula formula;
  formula.nodes.push_back({Kind::kAtom, number, 0});
  if (!positive) formula.nodes.push_back({Kind::kNot, 0, 0});
  return formula;
}

// Infinitely many `a`, on a ring that offers a or b at state 0.
TEST(Product, ReadsActions) {
  TransitionSystem system{2, 2, 0, {"a", "b", "back"}, {{0, 1, 0}, {0, 1, 1}, {1, 0, 2}}, {}, {false, false}};
  OmegaAutomaton automaton;
  automaton.states = 1;
  automaton.propositions = {"a"};
  automaton.sets = 1;
  automaton.acceptance = atom(0);
  automaton.transitions = {{0, 0, atom(0), 1}, {0, 0, atom(0, false), 0}};
  EXPECT_EQ(nondeterministic_state(system, automaton), std::nullopt);
  const auto clauses = streett_clauses(automaton, false);
  ASSERT_TRUE(clauses);
  const Question question = product(system, automaton, *clauses);
  EXPECT_TRUE(streett_winning(question.arena, question.pairs)[question.arena.initial]);
  system.actions[0] = "a !1";  // its first word is enough
  const Question by_word = product(system, automaton, *clauses);
  EXPECT_TRUE(streett_winning(by_word.arena, by_word.pairs)[by_word.arena.initial]);
  system.transitions = {{0, 1, 1}, {1, 0, 2}};
  const Question without = product(system, automaton, *clauses);
  EXPECT_FALSE(streett_winning(without.arena, without.pairs)[without.arena.initial]);
}

// What chance decides about a choice (state 2, behind the given ones) is not read as a letter: an automaton
// that counts letters modulo two sees `p` at every second one.
TEST(Product, ChoicesAreNoSteps) {
  TransitionSystem system{
      3, 2, 0, {""}, {{0, 2, 0}, {2, 1, 0}, {1, 0, 0}}, {{"p", {1}}}, {false, false, true}};
  OmegaAutomaton automaton;
  automaton.states = 2;
  automaton.propositions = {"p"};
  automaton.sets = 1;
  automaton.acceptance = atom(0);
  automaton.transitions = {
      {0, 1, atom(0, false), 0}, {0, 1, atom(0), 0}, {1, 0, atom(0), 1}, {1, 0, atom(0, false), 0}};
  const Question question = product(system, automaton, *streett_clauses(automaton, false));
  EXPECT_TRUE(streett_winning(question.arena, question.pairs)[question.arena.initial]);
}

TEST(Product, NondeterminismIsNoticed) {
  const TransitionSystem system{1, 1, 0, {"a", "b"}, {{0, 0, 0}, {0, 0, 1}}, {}, {false}};
  OmegaAutomaton automaton;
  automaton.states = 1;
  automaton.propositions = {"a"};
  automaton.transitions = {{0, 0, atom(0), 0}};
  EXPECT_EQ(nondeterministic_state(system, automaton), 0u) << "nothing on b";
  automaton.transitions.push_back({0, 0, {{{Kind::kTrue}}}, 0});
  EXPECT_EQ(nondeterministic_state(system, automaton), 0u) << "two moves on a";
}

// Actions become vertices on the way, which nobody counts.
TEST(NamedPairs, ActionsAndLabels) {
  const TransitionSystem system{
      2, 2, 0, {"req !1", "i"}, {{0, 1, 0}, {1, 0, 1}, {0, 0, 1}}, {{"ok", {0}}}, {false, false}};
  std::string missing;
  const auto question = named_question(system, {{"req", "ok"}, {"*", "req"}}, missing);
  ASSERT_TRUE(question);
  EXPECT_EQ(question->arena.given, 2u);
  EXPECT_EQ(question->arena.vertices(), 3u);
  EXPECT_EQ(question->pairs[0].requests, std::vector<Vertex>{2});
  EXPECT_EQ(question->pairs[0].grants, std::vector<Vertex>{0});
  EXPECT_EQ(question->pairs[1].requests.size(), 3u);
  EXPECT_FALSE(named_question(system, {{"req", "oak"}}, missing));
  EXPECT_EQ(missing, "oak");
  EXPECT_FALSE(parse_named_pair("a=b"));
  EXPECT_FALSE(parse_named_pair("=>b"));
}

}  // namespace weir::fairness::questions_test
