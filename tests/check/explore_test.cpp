// Numbers of states that were counted by hand, limits, and what must hold between the models.
#include "check/explore.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "selfcheck/random/program_generator.hpp"
#include "support/arbitrary_genome.hpp"
#include "support/tiny_program.hpp"

namespace weir::test::explore_test {

using namespace selfcheck;

constexpr Model kModels[] = {Model::kSc, Model::kTso, Model::kPso};

struct Counts {
  std::size_t states;
  std::size_t transitions;
  friend bool operator==(const Counts&, const Counts&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Counts& c) {
    return out << c.states << " states, " << c.transitions << " transitions";
  }
};

Counts count(const Program& program, Model model) {
  const ReferenceExploration found = explore_all(program, model);
  EXPECT_TRUE(found.complete);
  return {found.state_count, found.transition_count};
}

// Under TSO and PSO: before the store, stored, flushed.
TEST(CountedByHand, OneStore) {
  TinyProgram tiny({"x"});
  tiny.thread("P").store("x", 1);
  EXPECT_EQ(count(tiny.program(), Model::kSc), (Counts{2, 1}));
  EXPECT_EQ(count(tiny.program(), Model::kTso), (Counts{3, 2}));
  EXPECT_EQ(count(tiny.program(), Model::kPso), (Counts{3, 2}));
}

// Before both, 1; between, buffered or not, 2; behind both, the buffer is xy, y, empty, or under PSO also x.
TEST(CountedByHand, TwoStores) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).store("y", 1);
  EXPECT_EQ(count(tiny.program(), Model::kSc), (Counts{3, 2}));
  EXPECT_EQ(count(tiny.program(), Model::kTso), (Counts{6, 6}));
  EXPECT_EQ(count(tiny.program(), Model::kPso), (Counts{7, 8}));
}

// The barrier makes PSO like TSO.
TEST(CountedByHand, TwoStoresWithABarrier) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).store_fence().store("y", 1);
  EXPECT_EQ(count(tiny.program(), Model::kSc), (Counts{4, 3}));
  EXPECT_EQ(count(tiny.program(), Model::kTso), (Counts{8, 9}));
  EXPECT_EQ(count(tiny.program(), Model::kPso), (Counts{8, 9}));
}

// SC: 9 pairs of positions, of which (2,1) and (1,2) occur with 2 values read and (2,2) with 3.
// TSO: 9 states before the loads; 8 after only P loaded, 8 after only Q did; 9 at the end: both stores
// buffered 1, one buffered 2 + 2, none buffered 4.
TEST(CountedByHand, StoreBuffering) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).load("r", "y");
  tiny.thread("Q").store("y", 1).load("s", "x");
  EXPECT_EQ(explore_all(tiny.program(), Model::kSc).state_count, 13u);
  EXPECT_EQ(explore_all(tiny.program(), Model::kTso).state_count, 34u);
  EXPECT_EQ(explore_all(tiny.program(), Model::kPso).state_count, 34u);
}

// Positions of two threads in lock; nop; unlock: 16 pairs without those where both are inside, 2 * 2.
TEST(CountedByHand, CriticalSections) {
  TinyProgram tiny({});
  tiny.thread("P").lock().nop().unlock();
  tiny.thread("Q").lock().nop().unlock();
  for (const Model model : kModels) EXPECT_EQ(explore_all(tiny.program(), model).state_count, 12u);
}

TEST(CountedByHand, AtomicBlocksAreSingleSteps) {
  TinyProgram tiny({"x"});
  for (const char* name : {"P", "Q"})
    tiny.thread(name).atomic_begin().load("r", "x").store("x", 1).atomic_end();
  // Neither, P, Q, and both in either order.
  for (const Model model : kModels) EXPECT_EQ(count(tiny.program(), model), (Counts{5, 4}));
}

TEST(Limits, AreReported) {
  TinyProgram tiny({"x"});
  TinyThread p = tiny.thread("P");
  const LocationId loop = p.here();
  p.store("x", 1).jump_to(loop);
  EXPECT_TRUE(explore_all(tiny.program(), Model::kSc).complete);
  const ReferenceExploration buffered = explore_all(tiny.program(), Model::kTso, {.buffered_stores = 3});
  EXPECT_FALSE(buffered.complete);
  // Two positions, buffers of 0 to 3 stores, memory changed or not; nothing stored yet, or only buffered,
  // with the old memory: 4 + 3; with the new one: 4 + 4.
  EXPECT_EQ(buffered.state_count, 15u);
  const ReferenceExploration few = explore_all(tiny.program(), Model::kTso, {.states = 5});
  EXPECT_FALSE(few.complete);
  EXPECT_EQ(few.state_count, 5u);
}

TEST(ShortestWitness, IsShortest) {
  TinyProgram tiny({"x", "y"});
  TinyThread p = tiny.thread("P").store("x", 1).load("r", "y").assume_equal("r", 0);
  TinyThread q = tiny.thread("Q").store("y", 1).load("s", "x").assume_equal("s", 0);
  tiny.program().properties.goals = {{{p.id(), p.here()}, {q.id(), q.here()}}};
  EXPECT_FALSE(shortest_witness(tiny.program(), Model::kSc).has_value());
  const auto witness = shortest_witness(tiny.program(), Model::kTso);
  ASSERT_TRUE(witness.has_value());
  EXPECT_EQ(witness->steps.size(), 6u) << "no flush is needed";
  EXPECT_EQ(witness->violation.kind, ViolationKind::kGoal);
}

// Every execution under SC is one under TSO that flushes at once, and every one under TSO is one under PSO.
bool buffers_empty(const ReferenceState& state) {
  return std::ranges::all_of(state.buffers, [](const StoreBuffer& buffer) { return buffer.empty(); });
}

std::set<ReferenceState> states_with_empty_buffers(const Program& program, Model model) {
  const ReferenceExploration found = explore_all(program, model, {.states = 20'000}, CollectStates::kYes);
  RC_PRE(found.complete);
  std::set<ReferenceState> empty;
  for (const ReferenceState& state : found.states)
    if (buffers_empty(state)) empty.insert(state);
  return empty;
}

RC_GTEST_PROP(Models, GrowFromScToTsoToPso, ()) {
  GeneratorShape shape;
  shape.failures = true;
  if (*rc::gen::arbitrary<bool>()) shape.extra = some_features(*rc::gen::arbitrary<std::uint64_t>());
  const Program program = build(*arbitrary_genome(shape));
  const auto sc = states_with_empty_buffers(program, Model::kSc);
  const auto tso = states_with_empty_buffers(program, Model::kTso);
  const auto pso = states_with_empty_buffers(program, Model::kPso);
  RC_ASSERT(std::ranges::includes(tso, sc));
  RC_ASSERT(std::ranges::includes(pso, tso));
}

// Terminal outcomes, and violations other than deadlock, grow too; in bulk.
TEST(Models, OutcomesGrowFromScToTsoToPso) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    GeneratorShape shape;
    if (seed >= 250) shape.extra = some_features(seed);
    const Genome genome = random_genome(seed, shape);
    const Program program = build(genome);
    std::vector<std::set<ReferenceState>> ends;
    std::vector<std::set<ViolationKey>> bad;
    for (const Model model : kModels) {
      const ReferenceMachine machine(program, model);
      ReferenceExploration found = explore_all(program, model);
      ASSERT_TRUE(found.complete);
      std::erase_if(found.terminal, [&](const ReferenceState& state) {
        return !machine.all_stopped(state) || !buffers_empty(state);
      });
      found.violations.erase({ViolationKind::kDeadlock, 0});
      ends.push_back(std::move(found.terminal));
      bad.push_back(std::move(found.violations));
    }
    for (std::size_t stronger = 0; stronger < 2; ++stronger) {
      EXPECT_TRUE(std::ranges::includes(ends[stronger + 1], ends[stronger])) << genome;
      EXPECT_TRUE(std::ranges::includes(bad[stronger + 1], bad[stronger])) << genome;
    }
  }
}

// With a full fence after every store, the weak models reach the same ends as SC.
TEST(Models, FencesBringScBack) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Genome genome = random_genome(seed, plain_accesses());
    for (ThreadGenes& thread : genome.threads) {
      std::vector<InstructionGene> fenced;
      for (const InstructionGene& gene : thread.code) {
        fenced.push_back(gene);
        if (gene.op == GeneOp::kStore) fenced.push_back({.op = GeneOp::kFullFence});
      }
      thread.code = std::move(fenced);
    }
    const Program program = build(genome);
    const auto sc = explore_all(program, Model::kSc).terminal;
    EXPECT_EQ(explore_all(program, Model::kTso).terminal, sc) << genome;
    EXPECT_EQ(explore_all(program, Model::kPso).terminal, sc) << genome;
  }
}

}  // namespace weir::test::explore_test
