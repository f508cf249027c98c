// The closure of a program over a finite set of values: what is in it, and what is said when there is none.
#include "machine/value_closure.hpp"

#include <gtest/gtest.h>

#include "selfcheck/random/program_generator.hpp"
#include "support/tiny_program.hpp"

namespace weir::value_closure_test {

using test::TinyProgram;
using test::TinyThread;
using Values = std::vector<Value>;

ValueClosure close(const Program& program, const ValueClosureLimits& limits = {}) {
  const Context context;
  return ValueClosure(program, {}, limits, context);
}

Value address_of(const Program& program, std::string_view variable) {
  return program.object(*program.find_object(variable)).base;
}

TEST(ValueClosure, HoldsInitialAndStoredValues) {
  TinyProgram tiny({"x", "y"});
  tiny.variable("z", kInt64, {5});
  tiny.thread("P").store("x", 3).load("r", "y");
  tiny.thread("Q").store("x", -1).load("r", "z");
  const ValueClosure closure = close(tiny.program());
  ASSERT_TRUE(closure.closed());
  EXPECT_EQ(closure.reason(), "");
  EXPECT_EQ(closure.values(address_of(tiny.program(), "x")), (Values{-1, 0, 3}));
  EXPECT_EQ(closure.values(address_of(tiny.program(), "y")), (Values{0}));
  EXPECT_EQ(closure.values(address_of(tiny.program(), "z")), (Values{5}));
  EXPECT_EQ(closure.addresses().size(), 3u);
}

// Two increments: no execution counts further than to 2, and nobody reads more.
TEST(ValueClosure, EndsWithTheWrites) {
  TinyProgram tiny({"x"});
  tiny.thread("P").fetch_add("r", "x", 1);
  tiny.thread("Q").fetch_add("r", "x", 1).load("s", "x");
  EXPECT_FALSE(close(tiny.program()).closed());
  const ValueClosure closure = close(tiny.program(), {.most_writes = 2});
  ASSERT_TRUE(closure.closed());
  EXPECT_EQ(closure.values(address_of(tiny.program(), "x")), (Values{0, 1, 2}));
}

// A variable that is first met late has its initial value from the start.
TEST(ValueClosure, InitialValuesAreThereInEveryRound) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1);
  tiny.thread("Q").load("r", "x").assume_equal("r", 1).load("s", "y").store_register("x", "s");
  const ValueClosure closure = close(tiny.program(), {.most_writes = 2});
  ASSERT_TRUE(closure.closed());
  EXPECT_EQ(closure.values(address_of(tiny.program(), "x")), (Values{0, 1}));
  // Before each of its three accesses, stopped, and where it is stuck with r = 0.
  EXPECT_EQ(closure.threads()[closure.code_of(ThreadId(1))].state_count(), 5u);
}

// What P copies from x to y, Q copies on to z, although Q was unfolded before.
TEST(ValueClosure, FollowsValuesFromAddressToAddress) {
  TinyProgram tiny({"x", "y", "z"});
  tiny.thread("Q").load("r", "y").store_register("z", "r");
  tiny.thread("P").load("r", "x").store_register("y", "r");
  tiny.thread("R").store("x", 7);
  const ValueClosure closure = close(tiny.program());
  ASSERT_TRUE(closure.closed());
  EXPECT_EQ(closure.values(address_of(tiny.program(), "z")), (Values{0, 7}));
  // Before the load, before the store of 0 and of 7, and stopped.
  EXPECT_EQ(closure.threads()[closure.code_of(ThreadId(0))].state_count(), 4u);
}

TEST(ValueClosure, ReadModifyWritesReadAndStore) {
  TinyProgram tiny({"x", "y", "z"});
  tiny.thread("P").exchange("r", "x", 4).store_register("y", "r");
  tiny.thread("Q").compare_exchange("r", "z", 0, 1);
  tiny.thread("R").compare_exchange("r", "z", 1, 2);
  tiny.thread("S").compare_exchange("r", "z", 9, 10);
  const ValueClosure closure = close(tiny.program());
  ASSERT_TRUE(closure.closed());
  EXPECT_EQ(closure.values(address_of(tiny.program(), "x")), (Values{0, 4}));
  EXPECT_EQ(closure.values(address_of(tiny.program(), "y")), (Values{0, 4}));
  EXPECT_EQ(closure.values(address_of(tiny.program(), "z")), (Values{0, 1, 2}));
}

TEST(ValueClosure, NarrowCellsWrapAround) {
  TinyProgram tiny({"y"});
  tiny.variable("x", {.bits = 2, .is_signed = false}, {1});
  TinyThread p = tiny.thread("P");
  Program& program = tiny.program();
  p.add({.op = Opcode::kRmw,
         .rmw = RmwOp::kAdd,
         .type = {.bits = 2, .is_signed = false},
         .a = program.constant(address_of(program, "x")),
         .b = program.constant(1, {.bits = 2, .is_signed = false})});
  const ValueClosure closure = close(program);
  ASSERT_TRUE(closure.closed());
  EXPECT_EQ(closure.values(address_of(program, "x")), (Values{0, 1, 2, 3}));
}

TEST(ValueClosure, ThreadsWithTheSameCodeAreUnfoldedOnce) {
  TinyProgram tiny({"x"});
  const TinyThread p = tiny.thread("P").store("x", 1);
  tiny.program().add_thread("Q", p.function());
  const Context context;
  const ValueClosure same(tiny.program(), {}, {}, context);
  ASSERT_EQ(same.threads().size(), 1u);
  EXPECT_EQ(same.threads()[0].threads, (std::vector{ThreadId(0), ThreadId(1)}));
  EXPECT_EQ(same.code_of(ThreadId(1)), 0u);
  const ValueClosure different(tiny.program(), {{}, {.every_instruction = true}}, {}, context);
  EXPECT_EQ(different.threads().size(), 2u);
}

TEST(ValueClosure, ACounterInMemoryIsNamed) {
  TinyProgram tiny({"x", "count"});
  TinyThread p = tiny.thread("P");
  const LocationId head = p.here();
  p.fetch_add("r", "count", 1).jump_to(head);
  const ValueClosure closure = close(tiny.program(), {.values_per_address = 100});
  EXPECT_EQ(closure.end(), ValueClosure::End::kTooManyValues);
  EXPECT_EQ(closure.address(), address_of(tiny.program(), "count"));
  EXPECT_EQ(closure.reason(), "count takes more than 100 values");
}

// Without a loop in the code: each copy of the thread adds one.
TEST(ValueClosure, CopiesOfAThreadCount) {
  TinyProgram tiny({"count"});
  tiny.thread("P").fetch_add("r", "count", 1);
  EXPECT_EQ(close(tiny.program(), {.values_per_address = 100}).end(), ValueClosure::End::kTooManyValues);
}

TEST(ValueClosure, ACounterInARegisterIsNamed) {
  TinyProgram tiny({"x"});
  TinyThread p = tiny.thread("P");
  const LocationId head = p.here();
  p.load("r", "x").jump_to(
      head, {.op = Opcode::kAssign,
             .result = p.reg("n"),
             .a = tiny.program().binary(ExprOp::kAdd, p.value("n"), tiny.program().constant(1))});
  p.assume_equal("n", -1).store("x", 1);
  const ValueClosure closure = close(tiny.program(), {.states_per_thread = 50});
  EXPECT_EQ(closure.end(), ValueClosure::End::kTooManyStates);
  EXPECT_EQ(closure.reason(), "thread P has more than 50 local states");
}

TEST(ValueClosure, AnEndlessLocalRunIsNamed) {
  TinyProgram tiny({"x"});
  TinyThread p = tiny.thread("P");
  const LocationId head = p.here();
  p.jump_to(head, {.op = Opcode::kAssign,
                   .result = p.reg("r"),
                   .a = tiny.program().binary(ExprOp::kAdd, p.value("r"), tiny.program().constant(1))});
  const Context context;
  const ValueClosure closure(tiny.program(), {{.local_steps = 1000}}, {}, context);
  EXPECT_EQ(closure.end(), ValueClosure::End::kCut);
  EXPECT_EQ(closure.thread(), ThreadId(0));
  EXPECT_EQ(closure.location(), head);
}

TEST(ValueClosure, StopsWhenAsked) {
  TinyProgram tiny({"x"});
  tiny.thread("P").store("x", 1);
  Context context;
  context.request_stop(StopReason::kInterrupt);
  EXPECT_EQ(ValueClosure(tiny.program(), {}, {}, context).end(), ValueClosure::End::kStopped);
}

// Nothing is missing: in a closed program every step leads to known states and values. Nothing is in it
// without a reason is what the examples above are for.
void check_closed(const Program& program, const ValueClosure& closure) {
  for (const ClosedThread& thread : closure.threads()) {
    const std::size_t states = thread.state_count();
    for (std::size_t s = 0; s < states; ++s) {
      const auto actions = thread.automaton->actions(StateId(s));
      for (std::uint32_t i = 0; i < actions.size(); ++i) {
        if (actions[i].kind == ActionKind::kFail) continue;
        const Values read = returns_value(actions[i]) ? closure.values(actions[i].address) : Values{0};
        for (const Value value : read) thread.automaton->successor(StateId(s), i, value);
        if (actions[i].kind != ActionKind::kStore) continue;
        const Values written = closure.values(actions[i].address);
        EXPECT_TRUE(std::ranges::binary_search(written, actions[i].value)) << program.name;
      }
    }
    EXPECT_EQ(thread.state_count(), states);
  }
}

// What the reference machine reaches under TSO is inside the closure.
TEST(ValueClosure, ContainsWhatHappensInGeneratedPrograms) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const selfcheck::Genome genome = selfcheck::random_genome(seed, {.failures = true});
    const Program program = selfcheck::build(genome);
    const ValueClosure closure = close(program);
    ASSERT_TRUE(closure.closed()) << closure.reason();
    check_closed(program, closure);
    std::vector<std::string> names;
    for (const SharedObject& object : program.objects)
      if (object.initial.size() == 1) names.push_back(object.name);
    for (const Values& outcome : test::outcomes(program, Model::kTso, names))
      for (std::size_t i = 0; i < names.size(); ++i)
        ASSERT_TRUE(std::ranges::binary_search(closure.values(address_of(program, names[i])), outcome[i]))
            << "seed " << seed << "\n"
            << selfcheck::describe(genome);
  }
}

}  // namespace weir::value_closure_test
