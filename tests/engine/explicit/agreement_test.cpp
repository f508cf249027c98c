// The explicit engine agrees with the reference machine: verdicts, terminal states, memory valuations,
// replayed witnesses, for every reduction, search order and memory model. `make test-long` compares many more
// programs.
#include "selfcheck/agreement/agreement.hpp"

#include <gtest/gtest.h>
#include <random>

#include "program/text/text.hpp"

namespace weir::test::agreement_test {

using namespace selfcheck;

class Agreement : public testing::TestWithParam<std::uint64_t> {};

TEST_P(Agreement, WithTheReferenceMachine) {
  constexpr std::uint64_t kPrograms = 25;
  for (std::uint64_t seed = GetParam(); seed < GetParam() + kPrograms; ++seed) {
    const Genome genome = random_genome(seed, shape_for(seed));
    for (const Model model : {Model::kSc, Model::kTso, Model::kPso})
      ASSERT_EQ(disagreement(build(genome), model, all_configurations()), "") << "seed " << seed << "\n"
                                                                              << describe(genome);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Agreement, testing::Range<std::uint64_t>(1'000'000, 1'000'500, 25));

// Genomes choose between going on and skipping. Automata can choose between any instructions: here locations
// get a second edge, with a fence or with an instruction from elsewhere in their function.
Program with_choices(std::uint64_t seed) {
  GeneratorShape shape;
  shape.atomic_blocks = shape.calls = false;
  shape.max_threads = 2;
  Program program = build(random_genome(seed, shape));
  std::mt19937_64 random(seed);
  const auto below = [&](std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random);
  };
  for (std::size_t l = 0; l < program.locations.size(); ++l) {
    const Location location = program.locations[l];
    if (location.edges.empty() || below(3) == 0) continue;
    const LocationId target = program.edge(location.edges[0]).target;
    const Edge& other = program.edges[below(program.edges.size())];
    const bool same = program.location(other.source).function == location.function &&
                      other.instruction.op != Opcode::kReturn;
    const Instruction instruction =
        same ? other.instruction : Instruction{.op = Opcode::kFence, .fence = FenceKind::kFull};
    program.add_edge(LocationId(l), target, instruction);
  }
  return program;
}

TEST(AgreementWithChoices, BetweenAnyInstructions) {
  std::size_t compared_programs = 0;
  for (std::uint64_t seed = 1'100'000; seed < 1'100'100; ++seed) {
    const Program program = with_choices(seed);
    for (const Model model : {Model::kSc, Model::kTso, Model::kPso}) {
      bool compared = false;
      ASSERT_EQ(disagreement(program, model, all_configurations(), &compared), "") << "seed " << seed << "\n"
                                                                                   << print(program);
      compared_programs += compared;
    }
  }
  EXPECT_GT(compared_programs, 250u);
}

// Seeds on which the engine was once wrong.
TEST(AgreementRegression, OldMistakes) {
  for (const std::uint64_t seed : {13u, 38u, 869u, 2501u, 1000497u}) {
    const Genome genome = random_genome(seed, shape_for(seed));
    for (const Model model : {Model::kSc, Model::kTso, Model::kPso})
      EXPECT_EQ(disagreement(build(genome), model, all_configurations()), "") << "seed " << seed;
  }
}

}  // namespace weir::test::agreement_test
