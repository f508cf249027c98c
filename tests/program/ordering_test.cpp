// What program/ordering.hpp says about memory models, fences and orders, against what the reference machine
// does, which does not know it: on the litmus tests that tell models apart, and one instruction at a time.
#include "program/ordering.hpp"

#include <algorithm>
#include <deque>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <vector>

#include "support/tiny_program.hpp"

namespace weir::test::ordering_test {

constexpr FenceKind kFences[] = {FenceKind::kFull, FenceKind::kStoreStore};
constexpr Order kOrders[] = {Order::kRelaxed, Order::kAcquire, Order::kRelease, Order::kAcquireRelease,
                             Order::kSequential};

// What stands between the two accesses of each thread.
using Between = std::optional<FenceKind>;
constexpr Between kBetween[] = {std::nullopt, FenceKind::kFull, FenceKind::kStoreStore};

bool keeps_loads_behind_stores(Between between) { return between && waits_for_empty_buffer(*between); }
bool keeps_stores_apart(Between between) {
  return between && (waits_for_empty_buffer(*between) || puts_barrier(*between));
}

void put(TinyThread& thread, Between between) {
  if (between) thread.add({.op = Opcode::kFence, .fence = *between});
}

// A program, what is looked at when it has ended, and the values that need an access to overtake another.
struct Litmus {
  TinyProgram tiny;
  std::vector<std::string> observed;
  std::vector<Value> weak;

  bool allows_weak(Model model) { return outcomes(tiny.program(), model, observed).contains(weak); }
};

Litmus store_buffering(Between between) {
  Litmus test{TinyProgram({"x", "y"}), {"P.r", "Q.s"}, {0, 0}};
  TinyThread p = test.tiny.thread("P").store("x", 1);
  put(p, between);
  p.load("r", "y");
  TinyThread q = test.tiny.thread("Q").store("y", 1);
  put(q, between);
  q.load("s", "x");
  return test;
}

Litmus message_passing(Between between, Order flag = Order::kRelaxed) {
  Litmus test{TinyProgram({"data", "flag"}), {"Q.r", "Q.s"}, {1, 0}};
  TinyThread p = test.tiny.thread("P").store("data", 1);
  put(p, between);
  p.store("flag", 1, flag);
  test.tiny.thread("Q").load("r", "flag").load("s", "data");
  return test;
}

// The second store has the order, the third is behind it.
Litmus message_behind(Order order) {
  Litmus test{TinyProgram({"data", "middle", "flag"}), {"Q.r", "Q.s"}, {1, 0}};
  test.tiny.thread("P").store("data", 1).store("middle", 1, order).store("flag", 1);
  test.tiny.thread("Q").load("r", "flag").load("s", "data");
  return test;
}

Litmus two_plus_two_writes(Between between) {
  Litmus test{TinyProgram({"x", "y"}), {"x", "y"}, {1, 1}};
  TinyThread p = test.tiny.thread("P").store("x", 1);
  put(p, between);
  p.store("y", 2);
  TinyThread q = test.tiny.thread("Q").store("y", 1);
  put(q, between);
  q.store("x", 2);
  return test;
}

Litmus load_buffering(Between between) {
  Litmus test{TinyProgram({"x", "y"}), {"P.r", "Q.s"}, {1, 1}};
  TinyThread p = test.tiny.thread("P").load("r", "x");
  put(p, between);
  p.store("y", 1);
  TinyThread q = test.tiny.thread("Q").load("s", "y");
  put(q, between);
  q.store("x", 1);
  return test;
}

std::vector<Litmus> all_litmus() {
  std::vector<Litmus> all;
  for (const Between between : kBetween) {
    all.push_back(store_buffering(between));
    all.push_back(message_passing(between));
    all.push_back(two_plus_two_writes(between));
    all.push_back(load_buffering(between));
  }
  return all;
}

TEST(AllModels, EachIsThereOnceAndHasAName) {
  for (std::size_t m = 0; m < all_models().size(); ++m) {
    EXPECT_EQ(all_models()[m], static_cast<Model>(m));
    EXPECT_EQ(parse_model(name(all_models()[m])), all_models()[m]);
  }
  EXPECT_STREQ(name(static_cast<Model>(all_models().size())), "?") << "all_models() lacks a model";
}

TEST(AllModels, TheirNamesAreListed) {
  EXPECT_EQ(model_names(","), "sc,tso,pso");
  EXPECT_EQ(model_names(", ", " and "), "sc, tso and pso");
}

TEST(Overtaking, LoadsOvertakeStores) {
  for (const Model model : all_models())
    for (const Between between : kBetween)
      EXPECT_EQ(store_buffering(between).allows_weak(model),
                overtaking(model).loads_overtake_stores && !keeps_loads_behind_stores(between))
          << name(model);
}

TEST(Overtaking, StoresOvertakeStores) {
  for (const Model model : all_models())
    for (const Between between : kBetween) {
      const bool expected = overtaking(model).stores_overtake_stores && !keeps_stores_apart(between);
      EXPECT_EQ(two_plus_two_writes(between).allows_weak(model), expected) << name(model);
      EXPECT_EQ(message_passing(between).allows_weak(model), expected) << name(model);
    }
}

// The stores are kept in order, so only the loads can be to blame.
TEST(Overtaking, LoadsOvertakeLoads) {
  for (const Model model : all_models())
    EXPECT_EQ(message_passing(FenceKind::kFull).allows_weak(model), overtaking(model).loads_overtake_loads)
        << name(model);
}

TEST(Overtaking, StoresOvertakeLoads) {
  for (const Model model : all_models())
    EXPECT_EQ(load_buffering(std::nullopt).allows_weak(model), overtaking(model).stores_overtake_loads)
        << name(model);
}

TEST(Overtaking, ProgramOrderIsKeptWhereNothingWeakHappens) {
  for (const Model model : all_models()) {
    bool weak = false;
    for (Litmus& test : all_litmus()) weak |= test.allows_weak(model);
    EXPECT_EQ(keeps_program_order(model), !weak) << name(model);
  }
}

TEST(NextWeaker, AllowsAllThatTheModelAllowsAndMore) {
  for (const Model model : all_models()) {
    const std::optional<Model> weaker = next_weaker(model);
    if (!weaker) continue;
    bool more = false;
    for (Litmus& test : all_litmus()) {
      const auto here = outcomes(test.tiny.program(), model, test.observed);
      const auto there = outcomes(test.tiny.program(), *weaker, test.observed);
      EXPECT_TRUE(std::ranges::includes(there, here)) << name(model);
      more |= there.size() > here.size();
    }
    EXPECT_TRUE(more) << name(model);
  }
}

TEST(NextWeaker, LeadsThroughAllModels) {
  std::vector<Model> reached{all_models().front()};
  while (const std::optional<Model> weaker = next_weaker(reached.back())) reached.push_back(*weaker);
  EXPECT_TRUE(std::ranges::equal(reached, all_models()));
}

TEST(Stores, WriteAtOnceOrLeaveSomethingToFlush) {
  for (const Model model : all_models())
    for (const Order order : kOrders) {
      TinyProgram tiny({"x"});
      const ThreadId p = tiny.thread("P").store("x", 1, order).id();
      const ReferenceMachine machine(tiny.program(), model);
      const ReferenceState stored = after_instruction(machine, machine.initial(), p);
      EXPECT_EQ(can_move(machine, stored, p, WitnessStep::Kind::kFlush), !writes_at_once(model, order));
      EXPECT_EQ(observe(tiny.program(), stored, "x") == 1, writes_at_once(model, order));
    }
}

TEST(Stores, OwnOnesAreReadFromTheBuffer) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).load("a", "x").load("b", "y");
  tiny.thread("Q").store("y", 2).store("x", 2);
  for (const Model model : all_models())
    EXPECT_EQ(outcomes(tiny.program(), model, {"P.a", "P.b", "x"}).contains({1, 0, 1}), buffers_stores(model))
        << name(model);
}

// In how many ways a buffer with stores to two cells can be flushed first.
std::size_t first_flushes(Model model, Order second, Between between = std::nullopt) {
  TinyProgram tiny({"x", "y"});
  TinyThread p = tiny.thread("P").store("x", 1);
  put(p, between);
  p.store("y", 1, second);
  const ReferenceMachine machine(tiny.program(), model);
  ReferenceState state = after_instruction(machine, machine.initial(), p.id());
  if (between) state = after_instruction(machine, state, p.id());
  return machine.flushable(after_instruction(machine, state, p.id()), p.id()).size();
}

TEST(Stores, HaveAQueueForEachCellWhereTheyAreReordered) {
  for (const Model model : all_models()) {
    if (!buffers_stores(model)) continue;
    EXPECT_EQ(first_flushes(model, Order::kRelaxed), reorders_stores(model) ? 2u : 1u);
    EXPECT_EQ(first_flushes(model, Order::kRelaxed, FenceKind::kStoreStore),
              reorders_stores(model) && !puts_barrier(FenceKind::kStoreStore) ? 2u : 1u);
  }
}

TEST(Stores, PutABarrierByTheirOrder) {
  for (const Model model : all_models())
    for (const Order order : kOrders) {
      const bool apart = puts_barrier(order) || waits_for_empty_buffer(order);
      EXPECT_EQ(message_passing(std::nullopt, order).allows_weak(model), reorders_stores(model) && !apart);
      EXPECT_EQ(message_behind(order).allows_weak(model), reorders_stores(model) && !apart);
    }
}

// A thread with a store in its buffer, if the model has one, before an instruction.
class FullBuffer {
 public:
  explicit FullBuffer(bool locked = false) : tiny_({"x", "y"}), thread_(tiny_.thread("P")), locked_(locked) {
    if (locked) thread_.lock();
    thread_.store("x", 1);
    at_ = thread_.here();
  }

  TinyThread& thread() { return thread_; }
  const Instruction& instruction() {
    Program& program = tiny_.program();
    return program.edge(program.location(at_).edges.front()).instruction;
  }
  bool lets_it_through(Model model) {
    const ReferenceMachine machine(tiny_.program(), model);
    ReferenceState state = machine.initial();
    for (int executed = 0; executed < (locked_ ? 2 : 1); ++executed)
      state = after_instruction(machine, state, thread_.id());
    return can_move(machine, state, thread_.id());
  }

 private:
  TinyProgram tiny_;
  TinyThread thread_;
  LocationId at_;
  bool locked_;
};

std::deque<FullBuffer> before_each_instruction() {
  std::deque<FullBuffer> all;
  const auto before = [&](bool locked = false) -> TinyThread& { return all.emplace_back(locked).thread(); };
  for (const FenceKind fence : kFences) before().add({.op = Opcode::kFence, .fence = fence});
  for (const Order order : kOrders) before().store("y", 1, order);
  before().exchange("r", "y", 1);
  before().lock();
  before(true).unlock();
  before().atomic_begin().atomic_end();
  before().nop();
  before().load("r", "y");
  before().load("r", "x");
  before().choose("r", 0, 1);
  before().assume_equal("r", 0);
  before().assert_equal("r", 0);
  before().leave();
  return all;
}

TEST(Instructions, WaitForAnEmptyBuffer) {
  for (const Model model : all_models())
    for (FullBuffer& buffer : before_each_instruction()) {
      const bool waits = buffers_stores(model) && waits_for_empty_buffer(buffer.instruction());
      EXPECT_EQ(buffer.lets_it_through(model), !waits)
          << name(model) << ", opcode " << static_cast<int>(buffer.instruction().op) << ", order "
          << static_cast<int>(buffer.instruction().order);
    }
}

}  // namespace weir::test::ordering_test
