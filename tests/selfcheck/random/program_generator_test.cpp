// The generator that other tests rely on: well-formed programs, enough variety, and shrinking that ends
// small.
#include "selfcheck/random/program_generator.hpp"

#include <gtest/gtest.h>
#include <map>
#include <rapidcheck/gtest.h>

#include "check/explore.hpp"
#include "program/validate.hpp"
#include "support/arbitrary_genome.hpp"

namespace weir::test::program_generator_test {

using namespace selfcheck;

GeneratorShape everything() {
  GeneratorShape shape;
  shape.loops = shape.failures = shape.open_memory = true;
  shape.extra = all_features();
  return shape;
}

std::size_t instructions(const Genome& genome) {
  std::size_t sum = 0;
  for (const ThreadGenes& thread : genome.threads) sum += thread.code.size();
  return sum;
}

TEST(Generator, MakesWellFormedPrograms) {
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    const Genome genome = random_genome(seed, everything());
    const auto mistakes = validate(build(genome));
    ASSERT_TRUE(mistakes.empty()) << genome << mistakes.front().message;
  }
}

RC_GTEST_PROP(Generator, ShrinksToWellFormedPrograms, ()) {
  const Genome genome = *arbitrary_genome(everything());
  for (const Genome& simpler : simplifications(genome)) {
    RC_ASSERT(simpler != genome);
    RC_ASSERT(validate(build(simpler)).empty());
  }
}

TEST(Generator, RepeatsItselfForASeedOnly) {
  EXPECT_EQ(random_genome(7), random_genome(7));
  EXPECT_NE(random_genome(7), random_genome(8));
}

TEST(Generator, KeepsToItsShape) {
  GeneratorShape shape = plain_accesses();
  shape.max_threads = 2;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Genome genome = random_genome(seed, shape);
    EXPECT_EQ(genome.threads.size(), 2u);
    for (const ThreadGenes& thread : genome.threads) {
      EXPECT_LE(thread.code.size(), 5u);
      for (const InstructionGene& gene : thread.code)
        EXPECT_TRUE(gene.op == GeneOp::kLoad || gene.op == GeneOp::kStore || gene.op == GeneOp::kFullFence ||
                    gene.op == GeneOp::kStoreFence);
    }
  }
}

TEST(Generator, UsesEveryInstructionAndEveryProperty) {
  std::map<GeneOp, int> used;
  int goals = 0, exclusives = 0, invariants = 0, deadlocks = 0, twins = 0, races = 0, leaks = 0, dormant = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const Genome genome = random_genome(seed, everything());
    for (const ThreadGenes& thread : genome.threads)
      for (const InstructionGene& gene : thread.code) ++used[gene.op];
    const Program program = build(genome);
    goals += !program.properties.goals.empty();
    exclusives += !program.properties.exclusive.empty();
    invariants += !program.properties.invariants.empty();
    deadlocks += program.properties.deadlock;
    twins += genome.threads[0] == genome.threads[1];
    races += program.properties.races;
    leaks += program.properties.leaks;
    dormant += program.threads[0].dormant;
  }
  for (int op = 1; op < kGeneOps; ++op) EXPECT_GT(used[static_cast<GeneOp>(op)], 50) << op;
  for (const int count : {goals, exclusives, invariants, deadlocks, twins, races, leaks, dormant})
    EXPECT_GT(count, 100);
}

// Without the new features, a seed means what it always meant.
TEST(Generator, KeepsOldSeeds) {
  GeneratorShape shape;
  shape.loops = shape.failures = shape.open_memory = true;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Program program = build(random_genome(seed, shape));
    for (const Function& function : program.functions) EXPECT_TRUE(function.privates.empty());
    for (const SharedObject& object : program.objects)
      EXPECT_TRUE(object.stride == 1 && !object.constant && object.name != "ptr");
    for (const Edge& edge : program.edges) {
      EXPECT_LE(edge.instruction.op, Opcode::kReturn);
      EXPECT_FALSE(edge.instruction.plain || edge.instruction.copies || edge.instruction.waits);
    }
    for (const Thread& thread : program.threads) EXPECT_FALSE(thread.dormant);
  }
  Genome genome = random_genome(13);
  EXPECT_EQ(genome.threads[0], genome.threads[2]);
  genome.threads.resize(1);
  EXPECT_EQ(describe(genome),
            " x = 0 y = 0; never a deadlock\nP0:\n  0: x := 2\n  1: r1 := y\n  2: x := 2 (sequential)\n  3: "
            "r1 := x\n"
            "  4: fence\n  goal: r1 = 1\n");
}

TEST(Generator, SwitchesFeaturesOnByName) {
  EXPECT_EQ(describe(features_named("frees blocks")), "blocks frees");
  EXPECT_EQ(features_named(describe(all_features())), all_features());
  EXPECT_EQ(features_named(""), ExtraFeatures{});
  for (std::uint64_t seed = 0; seed < 50; ++seed)
    EXPECT_EQ(features_named(describe(some_features(seed))), some_features(seed));
}

// Allocate, free and use; or a few more where two threads share the block.
TEST(Shrinking, FindsAUseAfterFree) {
  GeneratorShape shape;
  shape.extra = features_named("blocks frees published_blocks");
  const auto uses_released_block = [](const Genome& genome) {
    const std::optional<Witness> witness =
        shortest_witness(build(genome), Model::kTso, ViolationKey{ViolationKind::kMemory, 0});
    return witness && witness->violation.message.find("after its block was released") != std::string::npos;
  };
  int found = 0;
  for (std::uint64_t seed = 0; seed < 300 && found < 5; ++seed) {
    const Genome genome = random_genome(seed, shape);
    if (!uses_released_block(genome)) continue;
    const Genome smallest = shrink_failing(genome, uses_released_block);
    EXPECT_LE(instructions(smallest), smallest.threads.size() == 1 ? 3u : 6u) << smallest;
    ++found;
  }
  EXPECT_EQ(found, 5);
}

TEST(Generator, EqualThreadsShareTheirFunction) {
  Genome genome;
  genome.threads.assign(2, {.code = {{.op = GeneOp::kLoad}}});
  const Program program = build(genome);
  EXPECT_EQ(program.threads[0].function, program.threads[1].function);
}

bool tso_adds_outcomes(const Genome& genome) {
  const Program program = build(genome);
  return explore_all(program, Model::kTso).terminal != explore_all(program, Model::kSc).terminal;
}

// The smallest programs that are different under TSO: store buffering, with four instructions, or with a
// third thread in between, five.
TEST(Shrinking, FindsStoreBuffering) {
  int found = 0;
  int four_instructions = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Genome genome = random_genome(seed, plain_accesses());
    if (!tso_adds_outcomes(genome)) continue;
    const Genome smallest = shrink_failing(genome, tso_adds_outcomes);
    EXPECT_TRUE(tso_adds_outcomes(smallest));
    EXPECT_LE(instructions(smallest), 5u) << smallest;
    EXPECT_EQ(smallest.initial.size(), 2u) << smallest;
    four_instructions += instructions(smallest) == 4;
    ++found;
  }
  EXPECT_GT(found, 5);
  EXPECT_GT(four_instructions, found / 2);
}

// Follows the first failing shrink, again and again, as RapidCheck does.
Genome shrink_like_rapidcheck(rc::Shrinkable<Genome> failing) {
  auto candidates = failing.shrinks();
  while (auto candidate = candidates.next()) {
    if (!tso_adds_outcomes(candidate->value())) continue;
    failing = *candidate;
    candidates = failing.shrinks();
  }
  return failing.value();
}

TEST(Shrinking, IsTheSameWithRapidCheck) {
  const rc::Gen<Genome> genomes = arbitrary_genome(plain_accesses());
  int found = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const rc::Shrinkable<Genome> generated = genomes(rc::Random(seed), rc::kNominalSize);
    if (!tso_adds_outcomes(generated.value())) continue;
    EXPECT_EQ(shrink_like_rapidcheck(generated), shrink_failing(generated.value(), tso_adds_outcomes));
    ++found;
  }
  EXPECT_GT(found, 3);
}

TEST(Describe, ReadsLikeAProgram) {
  Genome genome{.initial = {0, 1}, .deadlock = true};
  genome.threads = {
      {.code = {{.op = GeneOp::kStore, .variable = 1, .value = 2}, {.op = GeneOp::kLoad, .reg = 1}},
       .goal = GoalGene{1, 2}}};
  EXPECT_EQ(describe(genome),
            " x = 0 y = 1; never a deadlock\nP0:\n  0: y := 2\n  1: r1 := x\n  goal: r1 = 2\n");
}

}  // namespace weir::test::program_generator_test
