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

}  // namespace weir::context_test
