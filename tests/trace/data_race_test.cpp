// Data races by happens-before: the rules one by one, the vector clocks against the relations of the standard
// on random executions, and the search over all executions against the states in which two accesses can both
// be next.
#include "trace/data_race.hpp"

#include <gtest/gtest.h>
#include <random>

#include "check/replay.hpp"
#include "check/unordered_accesses.hpp"
#include "engine/smc/smc.hpp"
#include "selfcheck/agreement/race_agreement.hpp"
#include "selfcheck/random/program_generator.hpp"
#include "support/text_program.hpp"

namespace weir::test::data_race_test {

using namespace selfcheck;

constexpr Model kModels[] = {Model::kSc, Model::kTso, Model::kPso};

// Is there a race in some execution of: P writes data and passes a flag on, Q reads data if it sees the flag?
bool races(const std::string& publish, const std::string& look, Model model, const std::string& then = "nop",
           const std::vector<std::string>& others = {}) {
  TextProgram text("shared data = 0\nshared flag = 0\nraces\n");
  std::vector<std::string> writer = {"store plain data := 1"};
  for (std::size_t start = 0; start <= publish.size();) {
    const std::size_t end = std::min(publish.find(';', start), publish.size());
    writer.push_back(publish.substr(start, end - start));
    start = end + 1;
  }
  text.thread("P", writer);
  text.thread("Q", {look, "assume r != 0", then, "s := load plain data"});
  if (!others.empty()) text.thread("R", others);
  const Program program = text.program();
  Context context;
  const Answer answer = check_smc(program, {.model = model}, context);
  EXPECT_NE(answer.verdict, Verdict::kUnknown) << answer.reason;
  if (answer.witness) {
    EXPECT_EQ(answer.witness->violation.property, kUnordered);
    EXPECT_TRUE(replay(program, *answer.witness).reproduced) << replay(program, *answer.witness).failure;
  }
  return answer.verdict == Verdict::kUnsafe;
}

TEST(DataRace, ReleaseAndAcquireOrderAndNothingLessDoes) {
  for (const Model model : kModels) {
    EXPECT_FALSE(races("store release flag := 1", "r := load acquire flag", model));
    EXPECT_FALSE(races("store sequential flag := 1", "r := load sequential flag", model));
    EXPECT_TRUE(races("store flag := 1", "r := load acquire flag", model));
    EXPECT_TRUE(races("store release flag := 1", "r := load flag", model));
    EXPECT_TRUE(races("store flag := 1", "r := load flag", model));
    EXPECT_TRUE(races("store plain flag := 1", "r := load acquire flag", model));
  }
}

TEST(DataRace, FencesOrderForRelaxedAccesses) {
  const std::string release = "fence store_store release;store flag := 1", relaxed = "store flag := 1";
  for (const Model model : kModels) {
    EXPECT_FALSE(races(release, "r := load flag", model, "nop acquire"));
    EXPECT_FALSE(races("fence full;store flag := 1", "r := load flag", model, "fence full"));
    EXPECT_FALSE(races(release, "r := load acquire flag", model));
    EXPECT_TRUE(races(release, "r := load flag", model));
    EXPECT_TRUE(races(relaxed, "r := load flag", model, "nop acquire"));
    EXPECT_TRUE(races("store flag := 1;fence store_store release", "r := load flag", model, "nop acquire"));
    EXPECT_TRUE(races(release, "r := load flag", model, "fence store_store release"));
  }
}

TEST(DataRace, UpdatesContinueAReleaseSequenceAndStoresDoNot) {
  const std::string look = "r := load acquire flag";
  for (const Model model : kModels) {
    EXPECT_FALSE(races("store release flag := 1", look, model, "nop", {"rmw compare_exchange flag, 1, 3"}));
    EXPECT_TRUE(races("store release flag := 1", look, model, "nop", {"store flag := 2"}));
    EXPECT_TRUE(races("store release flag := 1;store flag := 2", look, model)) << "as in C++20";
  }
}

TEST(DataRace, AFailingCompareExchangeIsALoadOfItsOwnOrder) {
  const std::string publish = "store release flag := 1";
  const std::string compare = "r := rmw compare_exchange acquire flag, 7, 8";
  for (const Model model : kModels) {
    EXPECT_TRUE(races(publish, compare, model));
    EXPECT_FALSE(races(publish, compare + " failing acquire", model));
  }
}

TEST(DataRace, BlocksSynchroniseAndAreAtomic) {
  for (const Model model : kModels) {
    EXPECT_FALSE(races("atomic_begin;store plain flag := 1;atomic_end", "r := load acquire flag", model));
    EXPECT_TRUE(races("atomic_begin;store plain flag := 1;atomic_end", "r := load plain flag", model));
  }
}

// Random orders for what the generator makes, and fences that only C knows.
void strew_orders(Program& program, std::mt19937_64& random) {
  constexpr Order kLoads[] = {Order::kRelaxed, Order::kAcquire};
  constexpr Order kStores[] = {Order::kRelaxed, Order::kRelease};
  constexpr Order kAll[] = {Order::kRelaxed, Order::kAcquire, Order::kRelease, Order::kAcquireRelease};
  for (Edge& edge : program.edges) {
    Instruction& instruction = edge.instruction;
    switch (instruction.op) {
      case Opcode::kLoad: instruction.order = kLoads[random() % 2]; break;
      case Opcode::kStore: instruction.order = kStores[random() % 2]; break;
      case Opcode::kRmw:
        instruction.order = kAll[random() % 4];
        if (instruction.rmw == RmwOp::kCompareExchange) instruction.failing = kLoads[random() % 2];
        break;
      case Opcode::kNop:
      case Opcode::kAssign: {
        // An assignment more or less makes no difference here.
        const Order order = kAll[random() % 4];
        instruction = {};
        instruction.order = order;
        break;
      }
      default: break;
    }
    const bool access = instruction.op == Opcode::kLoad || instruction.op == Opcode::kStore;
    instruction.plain = access && instruction.order == Order::kRelaxed && random() % 2 == 0;
  }
}

// One execution, at random, as far as it goes without a violation.
Witness random_execution(const ReferenceMachine& machine, std::mt19937_64& random) {
  Witness witness{.model = machine.model()};
  witness.violation.kind = ViolationKind::kRace;
  ReferenceState state = machine.initial();
  for (int i = 0; i < 60; ++i) {
    std::vector<ReferenceStep> possible = machine.steps(state);
    std::erase_if(possible, [](const ReferenceStep& step) { return step.failure || step.unsupported; });
    if (possible.empty()) break;
    ReferenceStep& taken = possible[random() % possible.size()];
    witness.steps.insert(witness.steps.end(), taken.steps.begin(), taken.steps.end());
    state = std::move(taken.after);
  }
  return witness;
}

TEST(DataRace, ClocksFindWhatTheRelationsOfTheStandardDo) {
  GeneratorShape shape;
  shape.extra.plain = true;
  shape.max_variables = 2;
  std::size_t racing = 0, ordered = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    std::mt19937_64 random(seed);
    const Genome genome = random_genome(seed, shape);
    Program program = build(genome);
    strew_orders(program, random);
    for (const Model model : kModels) {
      const Witness whole = random_execution(ReferenceMachine(program, model), random);
      const auto found = find_data_race(program, whole);
      Witness part = whole;
      for (std::size_t end = 1; end <= whole.steps.size(); ++end) {
        part.steps.assign(whole.steps.begin(), whole.steps.begin() + static_cast<std::ptrdiff_t>(end));
        const bool expected = unordered_at_end(program, part).has_value();
        if (expected && !found)
          FAIL() << "seed " << seed << ": a race at step " << end << " is not found\n" << genome;
        if (expected || (found && end == found->second + 1)) {
          ASSERT_TRUE(expected) << "seed " << seed << ": no race at step " << end << "\n" << genome;
          ASSERT_EQ(found->second + 1, end) << "seed " << seed << "\n" << genome;
          break;
        }
      }
      ++(found ? racing : ordered);
    }
  }
  EXPECT_GT(racing, 500u);
  EXPECT_GT(ordered, 500u);
}

TEST(DataRace, InExecutionsAndInStatesAreTheSameIfAllAtomicsSynchronise) {
  GeneratorShape shape;
  shape.extra.plain = shape.extra.races = true;
  shape.locks = shape.goals = shape.exclusives = shape.invariants = false;
  shape.max_instructions = 4;
  RaceComparisons made;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    Genome genome = random_genome(seed, shape);
    genome.races = true;
    for (const Model model : kModels)
      ASSERT_EQ(race_disagreement(build(genome), model, made, 20'000), "") << "seed " << seed << "\n"
                                                                           << genome;
  }
  EXPECT_GT(made.racing, 300u);
  EXPECT_GT(made.compared - made.racing, 200u);
}

}  // namespace weir::test::data_race_test
