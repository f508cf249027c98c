// The enumeration of execution classes by brute force, against counts made by hand: what is compared with it
// is only as right as this.
#include "selfcheck/brute_force/execution_classes.hpp"

#include <gtest/gtest.h>
#include <ostream>
#include <set>
#include <string>
#include <utility>

#include "check/trace_sets.hpp"
#include "selfcheck/random/program_generator.hpp"
#include "support/tiny_program.hpp"

namespace weir::test::execution_classes_test {

using namespace selfcheck;

constexpr Model kModels[] = {Model::kSc, Model::kTso, Model::kPso};

struct Counts {
  std::size_t mazurkiewicz = 0, observers = 0, reads_from = 0;

  friend bool operator==(const Counts&, const Counts&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Counts& counts) {
    return out << counts.mazurkiewicz << " " << counts.observers << " " << counts.reads_from;
  }
};

Counts all(std::size_t count) { return {count, count, count}; }

Counts count(const ClassSets& sets) {
  return {sets.mazurkiewicz.size(), sets.observers.size(), sets.reads_from.size()};
}

Counts proper(const Program& program, Model model) {
  const ExecutionClasses classes = execution_classes(program, model);
  EXPECT_FALSE(classes.too_large);
  EXPECT_TRUE(classes.blocked.mazurkiewicz.empty());
  return count(classes.proper);
}

// Some thread waits: mazurkiewicz classes that end, and that do not.
std::pair<std::size_t, std::size_t> ended_and_blocked(const Program& program, Model model) {
  const ExecutionClasses classes = execution_classes(program, model);
  EXPECT_FALSE(classes.too_large);
  return {classes.proper.mazurkiewicz.size(), classes.blocked.mazurkiewicz.size()};
}

// The load goes on when the variable, which has address 0, does not hold the value.
void wait_while(TinyProgram& tiny, TinyThread& thread, Value value) {
  thread.add({.op = Opcode::kLoad,
              .waits = true,
              .result = thread.reg("r"),
              .a = tiny.program().constant(0),
              .c = tiny.program().constant(value)});
}

TEST(ExecutionClasses, OneThread) {
  TinyProgram tiny({"x"});
  tiny.thread("P").store("x", 1).store("x", 2).load("r", "x");
  for (const Model model : kModels) EXPECT_EQ(proper(tiny.program(), model), all(1)) << name(model);
}

TEST(ExecutionClasses, StoreBuffering) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).load("r", "y");
  tiny.thread("Q").store("y", 1).load("r", "x");
  EXPECT_EQ(proper(tiny.program(), Model::kSc), all(3));
  EXPECT_EQ(proper(tiny.program(), Model::kTso), all(4));
  EXPECT_EQ(proper(tiny.program(), Model::kPso), all(4));
}

TEST(ExecutionClasses, FencesForbidStoreBuffering) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).fence().load("r", "y");
  tiny.thread("Q").store("y", 1, Order::kSequential).load("r", "x");
  for (const Model model : kModels) EXPECT_EQ(proper(tiny.program(), model), all(3)) << name(model);
}

TEST(ExecutionClasses, MessagePassing) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).store("y", 1);
  tiny.thread("Q").load("r", "y").load("s", "x");
  EXPECT_EQ(proper(tiny.program(), Model::kSc), all(3));
  EXPECT_EQ(proper(tiny.program(), Model::kTso), all(3));
  EXPECT_EQ(proper(tiny.program(), Model::kPso), all(4));
}

TEST(ExecutionClasses, BarriersKeepMessagesInOrder) {
  TinyProgram released({"x", "y"}), fenced({"x", "y"});
  released.thread("P").store("x", 1).store("y", 1, Order::kRelease);
  released.thread("Q").load("r", "y").load("s", "x");
  fenced.thread("P").store("x", 1).store_fence().store("y", 1);
  fenced.thread("Q").load("r", "y").load("s", "x");
  for (const Model model : kModels) {
    EXPECT_EQ(proper(released.program(), model), all(3)) << name(model);
    EXPECT_EQ(proper(fenced.program(), model), all(3)) << name(model);
  }
}

TEST(ExecutionClasses, WritersAndOneReader) {
  for (const Model model : kModels) {
    TinyProgram two({"x"}), three({"x"});
    for (const char* writer : {"A", "B"}) two.thread(writer).store("x", *writer);
    for (const char* writer : {"A", "B", "C"}) three.thread(writer).store("x", *writer);
    two.thread("R").load("r", "x");
    three.thread("R").load("r", "x");
    EXPECT_EQ(proper(two.program(), model), (Counts{6, 5, 3})) << name(model);
    EXPECT_EQ(proper(three.program(), model), (Counts{24, 13, 4})) << name(model);
  }
}

TEST(ExecutionClasses, OneWriterManyReaders) {
  TinyProgram tiny({"x"});
  tiny.thread("W").store("x", 1);
  for (const char* reader : {"A", "B", "C", "D"}) tiny.thread(reader).load("r", "x");
  for (const Model model : kModels) EXPECT_EQ(proper(tiny.program(), model), all(16)) << name(model);
}

TEST(ExecutionClasses, IndependentReadsOfIndependentWrites) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("A").store("x", 1);
  tiny.thread("B").store("y", 1);
  tiny.thread("C").load("r", "x").load("s", "y");
  tiny.thread("D").load("r", "y").load("s", "x");
  for (const Model model : kModels) EXPECT_EQ(proper(tiny.program(), model), all(15)) << name(model);
}

TEST(ExecutionClasses, Updates) {
  TinyProgram tiny({"x"});
  for (const char* thread : {"A", "B", "C", "D"}) tiny.thread(thread).fetch_add("r", "x", 1);
  for (const Model model : kModels) EXPECT_EQ(proper(tiny.program(), model), all(24)) << name(model);
}

// The one that comes second reads what the first wrote, and writes nothing.
TEST(ExecutionClasses, FailingCompareExchangeIsARead) {
  TinyProgram tiny({"x"});
  tiny.thread("P").compare_exchange("r", "x", 0, 1);
  tiny.thread("Q").compare_exchange("r", "x", 0, 2);
  tiny.thread("R").compare_exchange("r", "x", 7, 8);
  for (const Model model : kModels) EXPECT_EQ(proper(tiny.program(), model), all(4)) << name(model);
}

// What is read never goes back: 00 01 02 11 12 22.
TEST(ExecutionClasses, CoherenceOfReads) {
  TinyProgram tiny({"x"});
  tiny.thread("P").store("x", 1).store("x", 2);
  tiny.thread("Q").load("r", "x").load("s", "x");
  for (const Model model : kModels) EXPECT_EQ(proper(tiny.program(), model), all(6)) << name(model);
}

// Nobody reads, so only mazurkiewicz tells the orders of x and of y apart: four, of which one needs both
// threads to write in the wrong order.
TEST(ExecutionClasses, CoherenceOfWrites) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).store("y", 2);
  tiny.thread("Q").store("y", 1).store("x", 2);
  EXPECT_EQ(proper(tiny.program(), Model::kSc), (Counts{3, 1, 1}));
  EXPECT_EQ(proper(tiny.program(), Model::kTso), (Counts{3, 1, 1}));
  EXPECT_EQ(proper(tiny.program(), Model::kPso), (Counts{4, 1, 1}));
}

// The read comes from the thread's own write in both orders of the two writes, or from the other's.
TEST(ExecutionClasses, ReadOfAnOwnWrite) {
  TinyProgram tiny({"x"});
  tiny.thread("P").store("x", 1).load("r", "x");
  tiny.thread("Q").store("x", 2);
  for (const Model model : kModels)
    EXPECT_EQ(proper(tiny.program(), model), (Counts{3, 3, 2})) << name(model);
}

// Both threads see their own write before the other's: the order of a thread's buffer and memory.
TEST(ExecutionClasses, Forwarding) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).load("own", "x").load("r", "y");
  tiny.thread("Q").store("y", 1).load("own", "y").load("r", "x");
  EXPECT_EQ(proper(tiny.program(), Model::kSc), all(3));
  EXPECT_EQ(proper(tiny.program(), Model::kTso), all(4));
  EXPECT_EQ(proper(tiny.program(), Model::kPso), all(4));
}

// Under SC: x is written by P and then by Q with r, s = 1, 0 or 1, 1 or 2, 1, or the other way round with
// 1, 1. Under TSO also the other way round with 1, 0: P reads both before its write reaches memory. Under PSO
// also 2, 0 with Q's writes out of order.
TEST(ExecutionClasses, ForwardingAgainstTheOrderOfWrites) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).load("r", "x").load("s", "y");
  tiny.thread("Q").store("y", 1).store("x", 2);
  EXPECT_EQ(proper(tiny.program(), Model::kSc).mazurkiewicz, 4u);
  EXPECT_EQ(proper(tiny.program(), Model::kTso).mazurkiewicz, 5u);
  EXPECT_EQ(proper(tiny.program(), Model::kPso).mazurkiewicz, 6u);
}

TEST(ExecutionClasses, AtomicBlocksAreOneStep) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").atomic_begin().store("x", 1).store("y", 1).atomic_end();
  tiny.thread("Q").atomic_begin().load("r", "x").load("s", "y").atomic_end();
  for (const Model model : kModels) EXPECT_EQ(proper(tiny.program(), model), all(2)) << name(model);
}

// A block that cannot get to its end does not begin.
TEST(ExecutionClasses, AtomicBlocksWait) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1);
  tiny.thread("Q").atomic_begin().store("y", 1).load("r", "x").assume_equal("r", 1).atomic_end();
  tiny.thread("R").load("r", "y");
  for (const Model model : kModels) EXPECT_EQ(proper(tiny.program(), model), all(2)) << name(model);
}

TEST(ExecutionClasses, ChosenValuesCount) {
  TinyProgram tiny({"x"});
  tiny.thread("P").choose("r", 0, 2);
  tiny.thread("Q").choose("r", 0, 1).store_register("x", "r");
  for (const Model model : kModels) EXPECT_EQ(proper(tiny.program(), model), all(6)) << name(model);
}

TEST(ExecutionClasses, ChosenEdgesCount) {
  TinyProgram tiny({"x"});
  TinyThread thread = tiny.thread("P");
  const LocationId start = thread.here();
  const LocationId end = thread.nop().here();
  thread.continue_at(start).jump_to(end).jump_to(end, {.op = Opcode::kAssume, .a = thread.equal("r", 1)});
  for (const Model model : kModels) EXPECT_EQ(proper(tiny.program(), model), all(2)) << name(model);
}

TEST(ExecutionClasses, HaltsEndTheThread) {
  TinyProgram tiny({"x"});
  tiny.thread("P").store("x", 1).add({.op = Opcode::kHalt}).store("x", 2);
  tiny.thread("Q").load("r", "x");
  for (const Model model : kModels) EXPECT_EQ(proper(tiny.program(), model), all(2)) << name(model);
}

// Nothing happens after a halt, so nobody sees what the block wrote before it.
TEST(ExecutionClasses, HaltingAtomicBlocksWriteNothing) {
  TinyProgram tiny({"x"});
  tiny.thread("P").atomic_begin().store("x", 1).add({.op = Opcode::kHalt}).atomic_end();
  tiny.thread("Q").load("r", "x");
  for (const Model model : kModels) EXPECT_EQ(proper(tiny.program(), model), all(1)) << name(model);
}

TEST(ExecutionClasses, FalseAssumptionsBlock) {
  TinyProgram tiny({"x"});
  tiny.thread("P").store("x", 1);
  tiny.thread("Q").load("r", "x").assume_equal("r", 1).load("s", "x");
  for (const Model model : kModels)
    EXPECT_EQ(ended_and_blocked(tiny.program(), model), std::pair(std::size_t{1}, std::size_t{1}));
}

// The waiting load is part of the execution only once it has happened.
TEST(ExecutionClasses, WaitingLoads) {
  TinyProgram tiny({"x"});
  tiny.thread("P").store("x", 1).store("x", 0);
  TinyThread waiting = tiny.thread("Q");
  wait_while(tiny, waiting, 0);
  for (const Model model : kModels)
    EXPECT_EQ(ended_and_blocked(tiny.program(), model), std::pair(std::size_t{1}, std::size_t{1}));
}

// r = 0: P writes y, and Q reads it or not. r = 1: P fails and writes nothing, and Q goes on.
TEST(ExecutionClasses, OthersGoOnAfterAFailure) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").load("r", "x").assert_equal("r", 0).store("y", 1);
  tiny.thread("Q").store("x", 1).load("r", "y");
  for (const Model model : kModels) {
    EXPECT_EQ(proper(tiny.program(), model), all(3)) << name(model);
    EXPECT_EQ(execution_classes(tiny.program(), model).failing.mazurkiewicz.size(), 1u);
  }
}

// P's block fails if it reads 1. What it had written before that is not seen.
TEST(ExecutionClasses, FailingAtomicBlocksWriteNothing) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").atomic_begin().store("x", 1).load("r", "y").assert_equal("r", 0).atomic_end();
  tiny.thread("Q").store("y", 1).fence().load("r", "x");
  for (const Model model : kModels) EXPECT_EQ(proper(tiny.program(), model), all(2)) << name(model);
}

// What the failing thread had buffered reaches memory: here that is the only way to see 1.
TEST(ExecutionClasses, BufferedStoresSurviveAFailure) {
  TinyProgram tiny({"x"});
  tiny.thread("P").store("x", 1).assign("r", tiny.program().constant(0)).assert_equal("r", 1).store("x", 2);
  tiny.thread("Q").load("r", "x");
  for (const Model model : kModels) EXPECT_EQ(proper(tiny.program(), model), all(2)) << name(model);
}

// Three threads write the same value to both variables, and two of them read one back: [Toman21], Figure 4.1,
// and with store buffers.
TEST(ExecutionClasses, FigureOfTheLiterature) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).store("y", 1);
  tiny.thread("Q").store("x", 1).store("y", 1).load("r", "x");
  tiny.thread("R").store("x", 1).store("y", 1).load("r", "y");
  EXPECT_EQ(proper(tiny.program(), Model::kSc), (Counts{98, 43, 9}));
  EXPECT_EQ(proper(tiny.program(), Model::kTso), (Counts{144, 64, 9}));
}

// Two threads each add the other's variable to their own three times, and a third one looks at both.
TEST(ExecutionClasses, Fibonacci) {
  TinyProgram tiny({"i", "j"});
  const auto add_three_times = [&](TinyThread thread, const char* own, const char* other) {
    const ExprId sum = tiny.program().binary(ExprOp::kAdd, thread.value("r"), thread.value("s"));
    for (int round = 0; round < 3; ++round)
      thread.load("r", own).load("s", other).assign("r", sum).store_register(own, "r");
  };
  add_three_times(tiny.thread("P"), "i", "j");
  add_three_times(tiny.thread("Q"), "j", "i");
  tiny.thread("R").load("r", "i").load("s", "j");
  EXPECT_EQ(proper(tiny.program(), Model::kSc), all(1698));
}

// Every interleaving of the machine's own steps, one by one; the class is the trace as robustness has it.
void add_traces(const ReferenceMachine& machine, const ReferenceState& state, Witness& path,
                std::set<std::pair<std::string, ReferenceState>>& known, std::set<std::string>& traces) {
  const std::string trace = trace_text(machine.program(), path);
  if (!known.emplace(trace, state).second) return;
  const std::vector<ReferenceStep> steps = machine.steps(state);
  if (steps.empty()) traces.insert(trace);
  for (const ReferenceStep& step : steps) {
    path.steps.insert(path.steps.end(), step.steps.begin(), step.steps.end());
    add_traces(machine, step.after, path, known, traces);
    path.steps.resize(path.steps.size() - step.steps.size());
  }
}

TEST(ExecutionClasses, AsManyAsTracesOfTheMachine) {
  GeneratorShape shape;
  shape.max_instructions = 3;
  shape.assertions = shape.nondeterminism = shape.choices = false;
  shape.goals = shape.exclusives = shape.invariants = false;
  shape.extra.waiting_loads = true;
  for (std::uint64_t seed = 0; seed < 75; ++seed)
    for (const Model model : kModels) {
      const Program program = build(random_genome(seed, shape));
      std::set<std::pair<std::string, ReferenceState>> known;
      std::set<std::string> traces;
      Witness path{.model = model, .steps = {}, .violation = {.kind = ViolationKind::kRobustness}};
      const ReferenceMachine machine(program, model);
      add_traces(machine, machine.initial(), path, known, traces);
      const ExecutionClasses classes = execution_classes(program, model);
      std::set<std::string> all_classes = classes.proper.mazurkiewicz;
      all_classes.insert(classes.blocked.mazurkiewicz.begin(), classes.blocked.mazurkiewicz.end());
      EXPECT_EQ(all_classes.size(), traces.size()) << "seed " << seed << ", " << name(model);
    }
}

TEST(ExecutionClasses, Limits) {
  TinyProgram finite({"x"}), endless({"x"}), silent({"x"});
  finite.thread("P").store("x", 1).store("x", 2);
  TinyThread spinning = endless.thread("P");
  const LocationId start = spinning.here();
  spinning.jump_to(start,
                   {.op = Opcode::kLoad, .result = spinning.reg("r"), .a = endless.program().constant(0)});
  silent.thread("P").jump_to(LocationId(0));
  EXPECT_TRUE(execution_classes(silent.program(), Model::kSc).too_large);
  EXPECT_TRUE(execution_classes(finite.program(), Model::kTso, {.states = 3}).too_large);
  EXPECT_TRUE(execution_classes(finite.program(), Model::kTso, {.steps = 3}).too_large);
  EXPECT_TRUE(execution_classes(endless.program(), Model::kSc).too_large);
}

}  // namespace weir::test::execution_classes_test
