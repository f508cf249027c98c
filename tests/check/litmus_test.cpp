// The classic litmus tests on the reference machine: which outcomes each memory model allows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/tiny_program.hpp"

namespace weir::test::litmus_test {

using ::testing::Contains;
using ::testing::Not;
using Outcomes = std::set<std::vector<Value>>;

constexpr Model kModels[] = {Model::kSc, Model::kTso, Model::kPso};

// What stands between the two accesses of each thread.
enum class Between { kNothing, kFullFence, kStoreFence };

void put(TinyThread& thread, Between between) {
  if (between == Between::kFullFence) thread.fence();
  if (between == Between::kStoreFence) thread.store_fence();
}

Outcomes store_buffering(Model model, Between between) {
  TinyProgram tiny({"x", "y"});
  TinyThread p = tiny.thread("P").store("x", 1);
  put(p, between);
  p.load("r", "y");
  TinyThread q = tiny.thread("Q").store("y", 1);
  put(q, between);
  q.load("s", "x");
  return outcomes(tiny.program(), model, {"P.r", "Q.s"});
}

TEST(StoreBuffering, BothLoadsMissTheStoresOnlyWithBuffers) {
  const Outcomes sequential = {{0, 1}, {1, 0}, {1, 1}};
  const Outcomes relaxed = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  EXPECT_EQ(store_buffering(Model::kSc, Between::kNothing), sequential);
  EXPECT_EQ(store_buffering(Model::kTso, Between::kNothing), relaxed);
  EXPECT_EQ(store_buffering(Model::kPso, Between::kNothing), relaxed);
}

TEST(StoreBuffering, FullFencesForbidItAndStoreFencesDoNot) {
  for (const Model model : kModels) {
    EXPECT_THAT(store_buffering(model, Between::kFullFence), Not(Contains(std::vector<Value>{0, 0})));
    EXPECT_EQ(store_buffering(model, Between::kStoreFence), store_buffering(model, Between::kNothing));
  }
}

TEST(StoreBuffering, SequentialStoresAndReadModifyWritesForbidIt) {
  for (const Model model : kModels) {
    TinyProgram stores({"x", "y"});
    stores.thread("P").store("x", 1, Order::kSequential).load("r", "y");
    stores.thread("Q").store("y", 1, Order::kSequential).load("s", "x");
    EXPECT_THAT(outcomes(stores.program(), model, {"P.r", "Q.s"}), Not(Contains(std::vector<Value>{0, 0})));
    TinyProgram exchanges({"x", "y"});
    exchanges.thread("P").exchange("t", "x", 1).load("r", "y");
    exchanges.thread("Q").exchange("t", "y", 1).load("s", "x");
    EXPECT_THAT(outcomes(exchanges.program(), model, {"P.r", "Q.s"}),
                Not(Contains(std::vector<Value>{0, 0})));
  }
}

Outcomes message_passing(Model model, Between between, Order flag_order = Order::kRelaxed) {
  TinyProgram tiny({"data", "flag"});
  TinyThread p = tiny.thread("P").store("data", 1);
  put(p, between);
  p.store("flag", 1, flag_order);
  tiny.thread("Q").load("r", "flag").load("s", "data");
  return outcomes(tiny.program(), model, {"Q.r", "Q.s"});
}

TEST(MessagePassing, TheFlagOvertakesTheDataOnlyUnderPso) {
  const Outcomes in_order = {{0, 0}, {0, 1}, {1, 1}};
  EXPECT_EQ(message_passing(Model::kSc, Between::kNothing), in_order);
  EXPECT_EQ(message_passing(Model::kTso, Between::kNothing), in_order);
  EXPECT_EQ(message_passing(Model::kPso, Between::kNothing), (Outcomes{{0, 0}, {0, 1}, {1, 0}, {1, 1}}));
}

TEST(MessagePassing, BarriersAndReleaseStoresKeepTheOrder) {
  const Outcomes in_order = {{0, 0}, {0, 1}, {1, 1}};
  EXPECT_EQ(message_passing(Model::kPso, Between::kStoreFence), in_order);
  EXPECT_EQ(message_passing(Model::kPso, Between::kFullFence), in_order);
  for (const Order order : {Order::kRelease, Order::kAcquireRelease, Order::kSequential})
    EXPECT_EQ(message_passing(Model::kPso, Between::kNothing, order), in_order);
  EXPECT_THAT(message_passing(Model::kPso, Between::kNothing, Order::kAcquire),
              Contains(std::vector<Value>{1, 0}));
}

TEST(MessagePassing, ABarrierOrdersAcrossOtherStores) {
  TinyProgram tiny({"data", "other", "flag"});
  tiny.thread("P").store("data", 1).store_fence().store("other", 1).store("flag", 1);
  tiny.thread("Q").load("r", "flag").load("s", "data").load("t", "other");
  const Outcomes found = outcomes(tiny.program(), Model::kPso, {"Q.r", "Q.s", "Q.t"});
  EXPECT_THAT(found, Contains(std::vector<Value>{1, 1, 0}));
  EXPECT_THAT(found, Not(Contains(std::vector<Value>{1, 0, 0})));
  EXPECT_THAT(found, Not(Contains(std::vector<Value>{1, 0, 1})));
}

TEST(Coherence, TwoReadsOfOneVariableNeverGoBack) {
  TinyProgram tiny({"x"});
  tiny.thread("P").store("x", 1).store("x", 2);
  tiny.thread("Q").load("r", "x").load("s", "x");
  const Outcomes expected = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
  for (const Model model : kModels) EXPECT_EQ(outcomes(tiny.program(), model, {"Q.r", "Q.s"}), expected);
}

TEST(Coherence, StoresToOneVariableStayInOrder) {
  TinyProgram tiny({"x"});
  tiny.thread("P").store("x", 1).store("x", 2);
  for (const Model model : kModels) EXPECT_EQ(outcomes(tiny.program(), model, {"x"}), (Outcomes{{2}}));
}

TEST(TwoPlusTwoWrites, BothFirstStoresWinOnlyUnderPso) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).store("y", 2);
  tiny.thread("Q").store("y", 1).store("x", 2);
  const Outcomes in_order = {{1, 2}, {2, 1}, {2, 2}};
  EXPECT_EQ(outcomes(tiny.program(), Model::kSc, {"x", "y"}), in_order);
  EXPECT_EQ(outcomes(tiny.program(), Model::kTso, {"x", "y"}), in_order);
  EXPECT_EQ(outcomes(tiny.program(), Model::kPso, {"x", "y"}), (Outcomes{{1, 1}, {1, 2}, {2, 1}, {2, 2}}));
}

TEST(IndependentReads, AllThreadsSeeTheStoresInOneOrder) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1);
  tiny.thread("Q").store("y", 1);
  tiny.thread("R").load("a", "x").load("b", "y");
  tiny.thread("S").load("c", "y").load("d", "x");
  for (const Model model : kModels) {
    const Outcomes found = outcomes(tiny.program(), model, {"R.a", "R.b", "S.c", "S.d"});
    EXPECT_EQ(found.size(), 15u);
    EXPECT_THAT(found, Not(Contains(std::vector<Value>{1, 0, 1, 0})));
  }
}

TEST(LoadBuffering, LoadsNeverSeeLaterStores) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").load("r", "x").store("y", 1);
  tiny.thread("Q").load("s", "y").store("x", 1);
  for (const Model model : kModels)
    EXPECT_EQ(outcomes(tiny.program(), model, {"P.r", "Q.s"}), (Outcomes{{0, 0}, {0, 1}, {1, 0}}));
}

// A thread sees its own store before the others do: n6 of the x86-TSO work.
TEST(EarlyReads, OwnStoresAreReadFromTheBuffer) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).load("a", "x").load("b", "y");
  tiny.thread("Q").store("y", 2).store("x", 2);
  const std::vector<Value> early = {1, 0, 1};
  EXPECT_THAT(outcomes(tiny.program(), Model::kSc, {"P.a", "P.b", "x"}), Not(Contains(early)));
  EXPECT_THAT(outcomes(tiny.program(), Model::kTso, {"P.a", "P.b", "x"}), Contains(early));
  EXPECT_THAT(outcomes(tiny.program(), Model::kPso, {"P.a", "P.b", "x"}), Contains(early));
}

TEST(EarlyReads, TheNewestOwnStoreIsRead) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).store("y", 7).store("x", 2).load("r", "x");
  for (const Model model : kModels) EXPECT_EQ(outcomes(tiny.program(), model, {"P.r"}), (Outcomes{{2}}));
}

TEST(ReadModifyWrite, NoUpdateIsLost) {
  TinyProgram tiny({"x"});
  tiny.thread("P").fetch_add("r", "x", 1);
  tiny.thread("Q").fetch_add("r", "x", 1);
  for (const Model model : kModels)
    EXPECT_EQ(outcomes(tiny.program(), model, {"P.r", "Q.r", "x"}), (Outcomes{{0, 1, 2}, {1, 0, 2}}));
}

TEST(ReadModifyWrite, OneCompareExchangeWins) {
  TinyProgram tiny({"x"});
  tiny.thread("P").compare_exchange("r", "x", 0, 1);
  tiny.thread("Q").compare_exchange("r", "x", 0, 2);
  for (const Model model : kModels)
    EXPECT_EQ(outcomes(tiny.program(), model, {"P.r", "Q.r", "x"}), (Outcomes{{0, 1, 1}, {2, 0, 2}}));
}

}  // namespace weir::test::litmus_test
