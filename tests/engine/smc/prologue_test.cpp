// What happens before the first thread exists is left out of the execution graphs, and only that.
#include "engine/smc/prologue.hpp"

#include <gtest/gtest.h>

#include "check/replay.hpp"
#include "engine/smc/smc.hpp"
#include "selfcheck/agreement/smc_agreement.hpp"
#include "selfcheck/random/genome.hpp"
#include "support/tiny_program.hpp"

namespace weir::test::prologue_test {

using namespace selfcheck;

SmcAnswer explored(const Program& program, Model model, Equivalence equivalence = Equivalence::kReadsFrom) {
  Context context;
  SmcOptions options;
  options.model = model;
  options.equivalence = equivalence;
  return explore_executions(program, options, context);
}

std::uint64_t figure(const SmcAnswer& answer, std::string_view name) {
  const Statistics::Figure* found = answer.statistics.find(name);
  return found == nullptr ? 0 : std::get<std::uint64_t>(*found);
}

std::uint64_t left_out(const Program& program, Model model) {
  return figure(explored(program, model), "prologue");
}

void await(TinyProgram& tiny, TinyThread& thread, std::string_view reg, std::string_view variable) {
  thread.load(reg, variable);
  Instruction& load = tiny.program().edges.back().instruction;
  load.waits = true;
  load.c = tiny.program().constant(0);
}

// P stores to x and y, then lets Q go on with `order`; Q reads both.
TinyProgram two_stores_and_a_creation(Order order) {
  TinyProgram tiny({"x", "y", "go"});
  tiny.thread("P").store("x", 1).store("y", 2).store("go", 1, order).store("x", 3);
  TinyThread created = tiny.thread("Q");
  await(tiny, created, "r", "go");
  created.load("a", "x").load("b", "y");
  return tiny;
}

void expect_agreement(const Program& program) {
  for (const Model model : {Model::kSc, Model::kTso, Model::kPso})
    EXPECT_EQ(smc_disagreement(program, model), "") << name(model);
}

TEST(Prologue, EndsWhereAnotherThreadWakes) {
  TinyProgram tiny = two_stores_and_a_creation(Order::kSequential);
  for (const Model model : {Model::kSc, Model::kTso, Model::kPso})
    EXPECT_EQ(left_out(tiny.program(), model), 2u) << name(model);
  expect_agreement(tiny.program());
}

// The creation can overtake what was stored before it: under PSO, Q sees old values.
TEST(Prologue, HasNoStoresThatMayStillBeBuffered) {
  TinyProgram tiny = two_stores_and_a_creation(Order::kRelaxed);
  EXPECT_EQ(left_out(tiny.program(), Model::kSc), 2u);
  EXPECT_EQ(left_out(tiny.program(), Model::kTso), 0u);
  EXPECT_EQ(left_out(tiny.program(), Model::kPso), 0u);
  expect_agreement(tiny.program());
}

TEST(Prologue, HasNoChoice) {
  TinyProgram tiny({"x", "go"});
  tiny.thread("P").store("x", 1).choose("r", 0, 2).store_register("x", "r").store("go", 1,
                                                                                  Order::kSequential);
  TinyThread created = tiny.thread("Q");
  await(tiny, created, "r", "go");
  created.load("a", "x").assert_equal("a", 1);
  expect_agreement(tiny.program());
  EXPECT_EQ(explored(tiny.program(), Model::kSc).violating, 2u);
}

// The failing step is not in it, but in the witness, which starts with it.
TEST(Prologue, MayEndInAFailure) {
  TinyProgram tiny({"x", "go"});
  tiny.thread("P").store("x", 1).load("r", "x").assert_equal("r", 2).store("go", 1, Order::kSequential);
  TinyThread created = tiny.thread("Q");
  await(tiny, created, "r", "go");
  expect_agreement(tiny.program());
  const SmcAnswer answer = explored(tiny.program(), Model::kSc);
  ASSERT_TRUE(answer.witness.has_value());
  EXPECT_TRUE(replay(tiny.program(), *answer.witness).reproduced);
}

// Nobody can wake the others: P polls for ever.
TEST(Prologue, MayPoll) {
  TinyProgram tiny({"x", "go"});
  TinyThread thread = tiny.thread("P");
  thread.store("x", 1);
  const LocationId loop = thread.here();
  thread.load("r", "x").jump_to(loop);
  TinyThread created = tiny.thread("Q");
  await(tiny, created, "r", "go");
  for (const Model model : {Model::kSc, Model::kTso, Model::kPso}) {
    const SmcAnswer answer = explored(tiny.program(), model);
    EXPECT_TRUE(answer.complete) << answer.reason;
    EXPECT_EQ(answer.traces, 0u);
    EXPECT_EQ(answer.blocked, 1u);
  }
}

// A block that is released before the thread exists that uses it.
TEST(Prologue, HasNoRelease) {
  Genome genome;
  genome.initial = {0};
  genome.threads.resize(2);
  genome.threads[0].code = {{.op = GeneOp::kAllocate, .value = 1, .other = 0},
                            {.op = GeneOp::kPublish, .value = 1, .other = 0},
                            {.op = GeneOp::kFree, .value = 1, .other = 0},
                            {.op = GeneOp::kStoreSequential, .variable = 0, .value = 1}};
  genome.threads[1].code = {{.op = GeneOp::kAwait, .variable = 0, .value = 0, .reg = 1},
                            {.op = GeneOp::kFetchPointer, .other = 0},
                            {.op = GeneOp::kLoadBlock, .reg = 1, .other = 0}};
  const Program program = build(genome);
  for (const Model model : {Model::kSc, Model::kTso, Model::kPso}) {
    Context context;
    const Answer answer = check_smc(program, {.model = model}, context);
    EXPECT_EQ(answer.verdict, Verdict::kUnsafe) << name(model);
    ASSERT_TRUE(answer.witness.has_value());
    EXPECT_TRUE(replay(program, *answer.witness).reproduced);
  }
}

// What a thread that waits finds out without a trial leaves no graph behind.
TEST(Prologue, NoDeadGraphsWhereThreadsAreCreated) {
  TinyProgram tiny({"x", "go", "ended"});
  TinyThread parent = tiny.thread("P");
  parent.store("go", 1, Order::kSequential).store("x", 1);
  await(tiny, parent, "r", "ended");
  parent.load("a", "x");
  TinyThread created = tiny.thread("Q");
  await(tiny, created, "r", "go");
  created.load("a", "x").store("ended", 1, Order::kSequential);
  expect_agreement(tiny.program());
  const SmcAnswer answer = explored(tiny.program(), Model::kSc, Equivalence::kMazurkiewicz);
  EXPECT_EQ(answer.traces, 2u);
  EXPECT_EQ(figure(answer, "dead"), 0u);
}

}  // namespace weir::test::prologue_test
