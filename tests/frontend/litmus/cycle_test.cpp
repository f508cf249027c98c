// Generated tests mean their cycles: no cycle is possible under SC; and which ones TSO and PSO allow can be
// told from their edges alone. The search and the axioms agree on all of them.
#include "frontend/litmus/cycle.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "check/axiomatic.hpp"
#include "engine/explicit/final_states.hpp"
#include "frontend/litmus/litmus.hpp"
#include "program/validate.hpp"

namespace weir::litmus::cycle_test {

using ::testing::HasSubstr;

constexpr Model kModels[] = {Model::kSc, Model::kTso, Model::kPso};

Cycle cycle_of(const std::string& text) {
  auto cycle = parse_cycle(text);
  if (!cycle) throw std::runtime_error(cycle.error().message);
  return std::move(*cycle);
}

LitmusTest test_of(const Cycle& cycle) {
  auto test = parse_litmus(test_name(cycle), litmus_text(cycle, test_name(cycle)));
  if (!test) throw std::runtime_error(render(test.error().diagnostics.front(), test.error().sources));
  EXPECT_TRUE(validate(test->program).empty());
  return std::move(*test);
}

bool allowed(const LitmusTest& test, const std::set<FinalState>& states) {
  return std::ranges::any_of(states, [&](const FinalState& state) {
    return test.question.condition.holds(test.question.values(state));
  });
}

// Does the model let the second access of such an edge come first?
bool relaxes(Model model, const CycleEdge& edge) {
  if (edge.kind != CycleEdge::Kind::kProgramOrder || edge.same || edge.fence == CycleEdge::Fence::kFull)
    return false;
  if (model == Model::kSc || !edge.from_write) return false;
  return !edge.to_write || (model == Model::kPso && edge.fence == CycleEdge::Fence::kNone);
}

std::vector<Cycle> cycles(std::size_t size) {
  std::vector<Cycle> all;
  for_each_cycle(size, [&](const Cycle& cycle) {
    all.push_back(cycle);
    return true;
  });
  return all;
}

TEST(Cycles, BecomeTheWellKnownTests) {
  EXPECT_EQ(litmus_text(cycle_of("PodWR Fre PodWR Fre"), "SB"),
            "X86 SB\n\"PodWR Fre PodWR Fre\"\nOrig=PodWR Fre PodWR Fre\n{\n}\n P0          | P1          ;\n"
            " MOV [x],$1  | MOV [y],$1  ;\n MOV EAX,[y] | MOV EAX,[x] ;\nexists\n(0:EAX=0 /\\ 1:EAX=0)\n");
  EXPECT_THAT(litmus_text(cycle_of("Rfe PosRR Fre"), "CoRR"), HasSubstr("exists\n(1:EAX=1 /\\ 1:EBX=0)"));
  EXPECT_THAT(litmus_text(cycle_of("PodWW Wse MFencedWR Fre"), "R+po+mfence"),
              HasSubstr("MOV [y],$2  ;\n MOV [y],$1  | MFENCE      ;\n             | MOV EAX,[x] "
                        ";\nexists\n(y=2 /\\ 1:EAX=0)"));
}

TEST(Cycles, AreReadAgain) {
  for (const Cycle& cycle : cycles(4)) EXPECT_EQ(cycle_of(cycle_text(cycle)), cycle);
}

TEST(Cycles, MistakesAreExplained) {
  const auto mistake = [](const char* text) { return parse_cycle(text).error().message; };
  EXPECT_THAT(mistake("PodWR Fre PodRW Fre"),
              HasSubstr("Fre ends with a write, but PodRW starts with a read"));
  EXPECT_THAT(mistake("Nonsense"), HasSubstr("there is no edge 'Nonsense'"));
  EXPECT_THAT(mistake("PodWR PosRW"), HasSubstr("two edges to other threads"));
  EXPECT_THAT(mistake("PodWR Fre Coe"), HasSubstr("cannot leave a variable only once"));
  EXPECT_THAT(mistake("Rfe Fre"), HasSubstr("needs an edge of program order"));
}

TEST(Cycles, AreEnumeratedOnceForAllTheirRotations) {
  std::set<std::string> seen;
  for (const Cycle& cycle : cycles(5)) {
    Cycle rotated = cycle;
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      std::ranges::rotate(rotated, rotated.begin() + 1);
      if (rotated != cycle) {
        EXPECT_FALSE(seen.contains(cycle_text(rotated)));
      }
    }
    EXPECT_TRUE(seen.insert(cycle_text(cycle)).second);
  }
  EXPECT_EQ(seen.size(), 191u);
  for (const char* text : {"Rfe PosRR Fre", "Rfe PodRW Rfe PodRR Fre"}) {
    Cycle cycle = cycle_of(text);
    bool found = false;
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      found = found || seen.contains(cycle_text(cycle));
      std::ranges::rotate(cycle, cycle.begin() + 1);
    }
    EXPECT_TRUE(found) << text;
  }
}

// Without internal relations a cycle is allowed exactly if the model relaxes one of its edges.
TEST(Cycles, AreAllowedByWhatTheirEdgesSay) {
  std::size_t judged = 0;
  for (const Cycle& cycle : cycles(6)) {
    const bool plain = std::ranges::none_of(cycle, [](const CycleEdge& edge) {
      return !edge.external && edge.kind != CycleEdge::Kind::kProgramOrder;
    });
    const AxiomaticOutcomes axioms = axiomatic_outcomes(test_of(cycle).program);
    const LitmusTest test = test_of(cycle);
    EXPECT_FALSE(allowed(test, axioms.of(Model::kSc).states)) << cycle_text(cycle);
    if (!plain) continue;
    ++judged;
    for (const Model model : kModels)
      EXPECT_EQ(allowed(test, axioms.of(model).states),
                std::ranges::any_of(cycle, [&](const CycleEdge& edge) { return relaxes(model, edge); }))
          << cycle_text(cycle) << " " << name(model);
  }
  EXPECT_GT(judged, 300u);
}

TEST(Cycles, SearchAndAxiomsAgreeUpToSixEdges) {
  std::size_t tests = 0;
  for (const Cycle& cycle : cycles(6)) {
    const LitmusTest test = test_of(cycle);
    const AxiomaticOutcomes axioms = axiomatic_outcomes(test.program);
    ASSERT_TRUE(axioms.complete);
    for (const Model model : kModels) {
      Context context;
      const FinalStates found =
          search_final_states(test.program, {.model = model, .registers = true}, context);
      ASSERT_TRUE(found.complete);
      ASSERT_EQ(found.states, axioms.of(model).states) << cycle_text(cycle) << " " << name(model);
    }
    ++tests;
  }
  EXPECT_EQ(tests, 1513u);
}

}  // namespace weir::litmus::cycle_test
