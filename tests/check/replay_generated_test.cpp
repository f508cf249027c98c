// Replay against the reference machine itself, on generated programs: it accepts each shortest witness, and
// of damaged witnesses exactly those that are still executions with the violation.
#include <algorithm>
#include <gtest/gtest.h>
#include <random>

#include "check/explore.hpp"
#include "check/replay.hpp"
#include "selfcheck/random/program_generator.hpp"

namespace weir::test::replay_generated_test {

using namespace selfcheck;

constexpr Model kModels[] = {Model::kSc, Model::kTso, Model::kPso};
constexpr ExplorationLimits kLimits{.states = 2'000, .buffered_stores = 3};

GeneratorShape everything() {
  GeneratorShape shape;
  shape.loops = shape.failures = shape.open_memory = true;
  return shape;
}

// Every other program has some of what C programs need.
GeneratorShape everything(std::uint64_t seed) {
  GeneratorShape shape = everything();
  if (seed % 2 == 1) shape.extra = some_features(seed);
  return shape;
}

TEST(ReplayGenerated, AcceptsEveryShortestWitness) {
  std::size_t witnesses = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Genome genome = random_genome(seed, everything(seed));
    const Program program = build(genome);
    for (const Model model : kModels) {
      for (const ViolationKey& key : explore_all(program, model, kLimits).violations) {
        const std::optional<Witness> witness = shortest_witness(program, model, key, kLimits);
        ASSERT_TRUE(witness.has_value()) << genome;
        const ReplayResult result = replay(program, *witness);
        ASSERT_TRUE(result.reproduced) << genome << name(model) << ": " << result.failure;
        ++witnesses;
      }
    }
  }
  EXPECT_GT(witnesses, 2000u) << "the generator makes too few violations";
}

// Is the witness an execution, by looking at all steps of every state on the way? Exact for programs without
// atomic blocks, of which the machine lists only one way to each result.
bool is_execution(const Program& program, const Witness& witness) {
  const ReferenceMachine machine(program, witness.model);
  ReferenceState state = machine.initial();
  for (std::size_t i = 0; i < witness.steps.size(); ++i) {
    std::vector<ReferenceStep> possible = machine.steps(state);
    const auto taken = std::ranges::find_if(
        possible, [&](const ReferenceStep& step) { return step.steps.front() == witness.steps[i]; });
    if (taken == possible.end()) return false;
    if (taken->failure)
      return i + 1 == witness.steps.size() && key_of(*taken->failure) == key_of(witness.violation);
    if (taken->unsupported) return false;
    state = std::move(taken->after);
  }
  const ViolationKey wanted = key_of(witness.violation);
  if (wanted.kind == ViolationKind::kDeadlock) return machine.deadlocked(state);
  if (wanted == ViolationKey{ViolationKind::kMemory, kLeak}) return machine.leak(state).has_value();
  return std::ranges::any_of(machine.violations(state),
                             [&](const Violation& violation) { return key_of(violation) == wanted; });
}

bool value_matters(const Program& program, const WitnessStep& step) {
  if (step.kind == WitnessStep::Kind::kFlush) return true;
  const Opcode op = program.edge(step.edge).instruction.op;
  return op == Opcode::kLoad || op == Opcode::kStore || op == Opcode::kRmw || op == Opcode::kAssign ||
         op == Opcode::kChoose || op == Opcode::kAllocate;
}

std::vector<Witness> damaged(const Program& program, const Witness& witness) {
  const bool last_fails = key_of(witness.violation) == ViolationKey{ViolationKind::kAssertion, 0} ||
                          key_of(witness.violation) == ViolationKey{ViolationKind::kMemory, 0};
  std::vector<Witness> found;
  const auto add = [&](auto change) {
    Witness changed = witness;
    change(changed.steps);
    found.push_back(std::move(changed));
  };
  for (std::size_t i = 0; i < witness.steps.size(); ++i) {
    const auto place = static_cast<std::ptrdiff_t>(i);
    const bool last = i + 1 == witness.steps.size();
    add([&](auto& steps) { steps.erase(steps.begin() + place); });
    add([&](auto& steps) { steps.insert(steps.begin() + place, steps[i]); });
    if (!last) add([&](auto& steps) { std::swap(steps[i], steps[i + 1]); });
    if (last && last_fails) continue;  // what a failing instruction says of values is not compared
    if (value_matters(program, witness.steps[i])) add([&](auto& steps) { steps[i].value ^= 1; });
    if (witness.steps[i].stored) add([&](auto& steps) { steps[i].written ^= 1; });
    if (witness.steps[i].stored) add([&](auto& steps) { steps[i].stored = false; });
  }
  for (const Model model : kModels)
    if (model != witness.model) {
      found.push_back(witness);
      found.back().model = model;
    }
  return found;
}

TEST(ReplayGenerated, AcceptsDamagedWitnessesExactlyIfTheyAreExecutions) {
  std::size_t accepted = 0;
  std::size_t rejected = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    GeneratorShape shape = everything(seed);
    shape.atomic_blocks = false;
    const Genome genome = random_genome(seed, shape);
    const Program program = build(genome);
    for (const Model model : kModels) {
      const std::optional<Witness> witness = shortest_witness(program, model, std::nullopt, kLimits);
      if (!witness) continue;
      for (const Witness& changed : damaged(program, *witness)) {
        const ReplayResult result = replay(program, changed);
        ASSERT_EQ(result.reproduced, is_execution(program, changed)) << genome << result.failure;
        ++(result.reproduced ? accepted : rejected);
      }
    }
  }
  EXPECT_GT(accepted, 500u);
  EXPECT_GT(rejected, 5000u);
}

// With atomic blocks, the steps of a block belong together.
TEST(ReplayGenerated, RejectsBlocksThatLoseAStep) {
  GeneratorShape shape;
  shape.max_threads = 2;
  shape.nondeterminism = shape.branches = false;
  std::size_t rejected = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Program program = build(random_genome(seed, shape));
    const std::optional<Witness> witness = shortest_witness(program, Model::kTso, std::nullopt, kLimits);
    if (!witness) continue;
    for (std::size_t i = 0; i < witness->steps.size(); ++i) {
      const WitnessStep& step = witness->steps[i];
      if (step.kind == WitnessStep::Kind::kFlush) continue;
      const Opcode op = program.edge(step.edge).instruction.op;
      if (op != Opcode::kAtomicBegin && op != Opcode::kAtomicEnd) continue;
      Witness changed = *witness;
      changed.steps.erase(changed.steps.begin() + static_cast<std::ptrdiff_t>(i));
      ASSERT_FALSE(replay(program, changed).reproduced);
      ++rejected;
    }
  }
  EXPECT_GT(rejected, 50u);
}

}  // namespace weir::test::replay_generated_test
