// Limits end a run within a tenth of a second, and the first reason stays.
#include "base/context.hpp"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>

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

// Who is paused goes on where it was, or learns that it has to stop.
TEST(Context, PausedUntilResumedOrStopped) {
  Context context;
  std::atomic<int> asked = 0;
  std::jthread worker([&] {
    while (!context.stopped()) ++asked;
  });
  while (asked == 0) std::this_thread::yield();
  context.pause();
  EXPECT_EQ(context.stop_reason(), StopReason::kNone);
  int before = -1;
  while (before != asked) {
    before = asked;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  context.resume();
  while (asked == before) std::this_thread::yield();
  context.pause();
  context.request_stop(StopReason::kInterrupt);
  worker.join();
  context.resume();
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
