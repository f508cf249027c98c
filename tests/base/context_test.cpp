// Limits end a run within a tenth of a second, and the first reason stays.
#include "base/context.hpp"

#include <gtest/gtest.h>

namespace weir::context_test {

void wait_until_stopped(const Context& context) {
  while (!context.stopped() && context.seconds() < 5)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

TEST(Context, TimeLimitStops) {
  Context context({.timeout = std::chrono::milliseconds(50)}, {}, false);
  wait_until_stopped(context);
  EXPECT_EQ(context.stop_reason(), StopReason::kTimeout);
  EXPECT_LT(context.seconds(), 1.0);
}

TEST(Context, MemoryLimitStops) {
  Context context({.memory_bytes = 1}, {}, false);
  wait_until_stopped(context);
  EXPECT_EQ(context.stop_reason(), StopReason::kMemory);
}

TEST(Context, FirstReasonStays) {
  Context context;
  EXPECT_FALSE(context.stopped());
  context.request_stop(StopReason::kInterrupt);
  context.request_stop(StopReason::kTimeout);
  EXPECT_EQ(context.stop_reason(), StopReason::kInterrupt);
}

TEST(Context, PartsStopWithTheWhole) {
  Context whole;
  Context part(whole, {});
  EXPECT_FALSE(part.stopped());
  whole.request_stop(StopReason::kInterrupt);
  wait_until_stopped(part);
  EXPECT_EQ(part.stop_reason(), StopReason::kInterrupt);
}

TEST(Context, PartsHaveLimitsOfTheirOwn) {
  Context whole;
  Context part(whole, {.timeout = std::chrono::milliseconds(30), .memory_bytes = {}});
  wait_until_stopped(part);
  EXPECT_EQ(part.stop_reason(), StopReason::kTimeout);
  EXPECT_FALSE(whole.stopped());
}

TEST(Context, TimeBeginsWhenItIsSaidTo) {
  const auto start = Context::Clock::now() - std::chrono::seconds(2);
  Context context({.timeout = std::chrono::seconds(1), .memory_bytes = {}, .start = start}, {}, false);
  wait_until_stopped(context);
  EXPECT_EQ(context.stop_reason(), StopReason::kTimeout);
  EXPECT_GE(context.seconds(), 2);
}

TEST(Context, WhoDoesNotEndIsOverdue) {
  std::atomic<bool> told{false};
  Limits limits{.timeout = std::chrono::milliseconds(20), .memory_bytes = {}};
  limits.overdue = [&](StopReason reason) { told = reason == StopReason::kTimeout; };
  Context context(limits, {}, false);
  for (int i = 0; i < 3000 && !told; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_TRUE(told);
}

TEST(Context, WhoEndsInTimeIsNotOverdue) {
  std::atomic<bool> told{false};
  {
    Limits limits{.timeout = std::chrono::milliseconds(1), .memory_bytes = {}};
    limits.overdue = [&](StopReason) { told = true; };
    Context context(limits, {}, false);
    wait_until_stopped(context);
  }
  EXPECT_FALSE(told);
}

}  // namespace weir::context_test
