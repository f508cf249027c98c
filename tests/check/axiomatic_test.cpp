// The axioms against the reference machine, which knows buffers and interleavings and no axioms: they must
// have the same final states, on small programs written by hand and on generated ones. Numbers of executions
// are counted by hand.
#include "check/axiomatic.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/explore.hpp"
#include "program/model.hpp"
#include "selfcheck/random/program_generator.hpp"
#include "support/tiny_program.hpp"

namespace weir::test::axiomatic_test {

using namespace selfcheck;

constexpr Model kModels[] = {Model::kSc, Model::kTso, Model::kPso};

FinalState final_state(const Program& program, const ReferenceState& state) {
  FinalState result;
  for (const ThreadState& thread : state.threads) result.registers.push_back(thread.stack[0].registers);
  for (const SharedObject& object : program.objects)
    for (std::size_t k = 0; k < object.initial.size(); ++k) {
      const Value address = object.base + static_cast<Value>(k) * object.stride;
      const Value value = read_memory(program, state.memory, address);
      if (value != 0) result.memory.emplace_back(address, value);
    }
  std::ranges::sort(result.memory);
  return result;
}

std::set<FinalState> by_interleaving(const Program& program, Model model) {
  std::set<FinalState> result;
  const ReferenceMachine machine(program, model);
  const ReferenceExploration all = explore_all(program, model);
  EXPECT_TRUE(all.complete);
  for (const ReferenceState& state : all.terminal)
    if (machine.all_stopped(state) && !state.halted) result.insert(final_state(program, state));
  return result;
}

void expect_agreement(const Program& program, const std::string& what) {
  const AxiomaticOutcomes axioms = axiomatic_outcomes(program);
  ASSERT_TRUE(axioms.complete) << axioms.reason << "\n" << what;
  for (const Model model : kModels)
    EXPECT_EQ(axioms.of(model).states, by_interleaving(program, model)) << name(model) << "\n" << what;
}

// How many executions each model allows.
std::vector<std::uint64_t> executions(const Program& program) {
  const AxiomaticOutcomes axioms = axiomatic_outcomes(program);
  EXPECT_TRUE(axioms.complete) << axioms.reason;
  expect_agreement(program, "");
  return {axioms.models[0].executions, axioms.models[1].executions, axioms.models[2].executions};
}

using Counts = std::vector<std::uint64_t>;

TEST(Axioms, StoreBuffering) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).load("r", "y");
  tiny.thread("Q").store("y", 1).load("s", "x");
  EXPECT_EQ(executions(tiny.program()), (Counts{3, 4, 4}));
}

TEST(Axioms, MessagePassingBreaksUnderPsoOnly) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).store("y", 1);
  tiny.thread("Q").load("r", "y").load("s", "x");
  EXPECT_EQ(executions(tiny.program()), (Counts{3, 3, 4}));
}

TEST(Axioms, BarriersBetweenStoresOrderThemUnderPso) {
  TinyProgram fenced({"x", "y"}), released({"x", "y"});
  fenced.thread("P").store("x", 1).store_fence().store("y", 1);
  fenced.thread("Q").load("r", "y").load("s", "x");
  released.thread("P").store("x", 1).store("y", 1, Order::kRelease);
  released.thread("Q").load("r", "y").load("s", "x");
  EXPECT_EQ(executions(fenced.program()), (Counts{3, 3, 3}));
  EXPECT_EQ(executions(released.program()), (Counts{3, 3, 3}));
}

TEST(Axioms, AReleaseOrdersLaterStoresToo) {
  TinyProgram tiny({"x", "y", "z"});
  tiny.thread("P").store("x", 1).store("y", 1, Order::kRelease).store("z", 1);
  tiny.thread("Q").load("r", "z").load("s", "x").load("t", "y");
  expect_agreement(tiny.program(), "");
}

TEST(Axioms, SequentialStoresDrainOnBothSides) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1, Order::kSequential).load("r", "y");
  tiny.thread("Q").store("y", 1, Order::kSequential).load("s", "x");
  EXPECT_EQ(executions(tiny.program()), (Counts{3, 3, 3}));
}

TEST(Axioms, ReadModifyWritesAreAtomic) {
  TinyProgram tiny({"x"});
  tiny.thread("P").fetch_add("r", "x", 1);
  tiny.thread("Q").fetch_add("s", "x", 1);
  tiny.thread("R").store("x", 5);
  EXPECT_EQ(executions(tiny.program()), (Counts{6, 6, 6}));
}

TEST(Axioms, AFailingCompareExchangeDrainsAsWell) {
  TinyProgram tiny({"x", "y", "z"});
  tiny.thread("P").store("x", 1).compare_exchange("t", "z", 7, 8).load("r", "y");
  tiny.thread("Q").store("y", 1).compare_exchange("t", "z", 7, 8).load("s", "x");
  EXPECT_EQ(executions(tiny.program()), (Counts{3, 3, 3}));
}

TEST(Axioms, ValuesDoNotComeOutOfThinAir) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").load("r", "x").store_register("y", "r");
  tiny.thread("Q").load("s", "y").store_register("x", "s");
  const AxiomaticOutcomes axioms = axiomatic_outcomes(tiny.program());
  for (const FinalState& state : axioms.of(Model::kPso).states) EXPECT_TRUE(state.memory.empty());
  expect_agreement(tiny.program(), "");
}

TEST(Axioms, SayWhatTheyCannotDo) {
  TinyProgram locks({"x"});
  locks.thread("P").lock().store("x", 1).unlock();
  EXPECT_FALSE(axiomatic_outcomes(locks.program()).complete);
  TinyProgram loop({"x"});
  TinyThread p = loop.thread("P");
  const LocationId start = p.here();
  p.store("x", 1).jump_to(start);
  const AxiomaticOutcomes endless = axiomatic_outcomes(loop.program());
  EXPECT_FALSE(endless.complete);
  EXPECT_THAT(endless.reason, testing::HasSubstr("more than 64 accesses"));
}

GeneratorShape what_has_axioms(std::uint64_t seed) {
  GeneratorShape shape;
  shape.max_instructions = 4;
  shape.locks = shape.atomic_blocks = shape.calls = shape.assertions = false;
  shape.goals = shape.exclusives = shape.invariants = shape.deadlocks = false;
  shape.extra.waiting_loads = shape.extra.awaited_values = shape.extra.more_updates = seed % 2 == 0;
  shape.extra.self = seed % 3 == 0;
  return shape;
}

TEST(Axioms, AgreeWithTheReferenceMachineOnGeneratedPrograms) {
  constexpr std::uint64_t kPrograms = 400;
  std::size_t compared = 0, told_apart = 0;
  for (std::uint64_t seed = 0; seed < kPrograms; ++seed) {
    const Genome genome = random_genome(seed, what_has_axioms(seed));
    const Program program = build(genome);
    const AxiomaticOutcomes axioms = axiomatic_outcomes(program);
    ASSERT_TRUE(axioms.complete) << axioms.reason << "\n" << genome;
    for (const Model model : kModels)
      ASSERT_EQ(axioms.of(model).states, by_interleaving(program, model)) << name(model) << "\n" << genome;
    ++compared;
    told_apart += axioms.of(Model::kSc).states != axioms.of(Model::kPso).states ? 1 : 0;
  }
  EXPECT_EQ(compared, kPrograms);
  EXPECT_GT(told_apart, kPrograms / 20) << "the programs hardly tell the models apart";
}

}  // namespace weir::test::axiomatic_test
