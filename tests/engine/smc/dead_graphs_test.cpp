// Execution graphs that no execution completes are built only where that cannot be avoided: most of these programs
// once had many.
#include <gtest/gtest.h>

#include "engine/smc/smc.hpp"
#include "engine/smc/thread_steps.hpp"
#include "selfcheck/agreement/smc_agreement.hpp"
#include "support/tiny_program.hpp"

namespace weir::test::dead_graphs_test {

using namespace selfcheck;

// Waits as long as the variable has this value.
void await(TinyProgram& tiny, TinyThread& thread, std::string_view reg, std::string_view variable,
           Value unwanted) {
  thread.load(reg, variable);
  Instruction& load = tiny.program().edges.back().instruction;
  load.waits = true;
  load.c = tiny.program().constant(unwanted);
}

std::uint64_t figure(const SmcAnswer& answer, std::string_view name) {
  const Statistics::Figure* found = answer.statistics.find(name);
  return found == nullptr ? 0 : std::get<std::uint64_t>(*found);
}

void expect_agreement(const Program& program) {
  for (const Model model : {Model::kSc, Model::kTso, Model::kPso})
    EXPECT_EQ(smc_disagreement(program, model), "") << name(model);
}

SmcAnswer explored(const Program& program, Equivalence equivalence) {
  Context context;
  SmcOptions options;
  options.equivalence = equivalence;
  return explore_executions(program, options, context);
}

// An update that comes too late may only revisit what lets it through.
TEST(DeadGraphs, NoneWhereUpdatesCompete) {
  TinyProgram tiny({"x"});
  for (const char* name : {"P", "Q", "R", "S"}) tiny.thread(name).fetch_add("r", "x", 1);
  expect_agreement(tiny.program());
  const SmcAnswer answer = explored(tiny.program(), Equivalence::kMazurkiewicz);
  EXPECT_EQ(answer.traces, 24u);
  EXPECT_EQ(figure(answer, "dead"), 0u);
}

// Locks that look at more than one cell, as mutexes do.
TEST(DeadGraphs, NoneWhereLocksAreTaken) {
  TinyProgram tiny({"kind", "lock", "data"});
  for (const char* name : {"P", "Q", "R"}) {
    TinyThread thread = tiny.thread(name);
    thread.atomic_begin().load("k", "kind");
    await(tiny, thread, "l", "lock", 1);
    thread.store("lock", 1).atomic_end().load("d", "data").store("data", 1);
    thread.atomic_begin().load("k", "kind").store("lock", 0).atomic_end();
  }
  expect_agreement(tiny.program());
  const SmcAnswer answer = explored(tiny.program(), Equivalence::kMazurkiewicz);
  EXPECT_EQ(answer.traces, 6u);
  EXPECT_EQ(figure(answer, "dead"), 0u);
}

// A lock whose kind another thread changes: what was read first may still be revisited.
TEST(DeadGraphs, ALockThatIsDestroyedIsStillFound) {
  TinyProgram tiny({"kind", "lock"});
  for (const char* name : {"P", "Q"}) {
    TinyThread thread = tiny.thread(name);
    thread.atomic_begin().load("k", "kind");
    await(tiny, thread, "l", "lock", 1);
    thread.store("lock", 1).atomic_end().assert_equal("k", 0).store("lock", 0);
  }
  tiny.thread("R").store("kind", 1);
  expect_agreement(tiny.program());
}

// Reads-from: the parent joins while the order of the writes of others is open.
TEST(DeadGraphs, NoneWhereOrdersAreOpen) {
  TinyProgram tiny({"x", "go", "ended"});
  TinyThread parent = tiny.thread("P");
  parent.store("go", 1, Order::kSequential);
  await(tiny, parent, "r", "ended", 0);
  for (const Value value : {1, 2, 3}) {
    TinyThread writer = tiny.thread("W" + std::to_string(value));
    await(tiny, writer, "r", "go", 0);
    writer.store("x", value);
  }
  TinyThread reader = tiny.thread("R");
  await(tiny, reader, "r", "go", 0);
  reader.load("a", "x").store("ended", 1, Order::kSequential);
  expect_agreement(tiny.program());
  const SmcAnswer answer = explored(tiny.program(), Equivalence::kReadsFrom);
  EXPECT_EQ(answer.traces, 4u);
  EXPECT_EQ(figure(answer, "dead"), 0u);
  EXPECT_LE(figure(answer, "graphs"), answer.traces);
}

// What a step comes to is what executing it says, and is known by what it has read alone.
TEST(StepOutcomes, AreThoseOfTheStep) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").atomic_begin().load("r", "x").compare_exchange("s", "y", 1, 2).atomic_end();
  ThreadSteps steps(tiny.program(), Model::kSc, 1000);
  const StateId start = steps.automaton(0).initial();
  const OutcomeId step = steps.begin_step(0, start, 0);
  ASSERT_EQ(steps.outcome(step).result.kind, StepResult::Kind::kReads);
  const OutcomeId second = steps.go_on(step, 5);
  ASSERT_EQ(steps.outcome(second).result.kind, StepResult::Kind::kReads);
  EXPECT_NE(steps.outcome(second).result.cell, steps.outcome(step).result.cell);
  const OutcomeId failed = steps.go_on(second, 0), done = steps.go_on(second, 1);
  EXPECT_EQ(steps.outcome(failed).result.kind, StepResult::Kind::kEnds);
  EXPECT_TRUE(steps.outcome(failed).written.empty());
  EXPECT_FALSE(steps.outcome(failed).changes_memory);
  ASSERT_TRUE(steps.outcome(done).writes(steps.outcome(second).result.cell));
  EXPECT_EQ(steps.outcome(done).written[0].value, 2);
  EXPECT_TRUE(steps.outcome(done).changes_memory);
  EXPECT_EQ(steps.go_on(second, 1), done);
  EXPECT_EQ(steps.begin_step(0, start, 0), step);
}

}  // namespace weir::test::dead_graphs_test
