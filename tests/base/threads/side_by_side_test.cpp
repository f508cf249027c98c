// An exception in a thread that helps must reach the caller: anything else ends the process, or hides a mistake.
#include "base/threads/side_by_side.hpp"

#include <atomic>
#include <gtest/gtest.h>
#include <stdexcept>

#include "base/threads/rendezvous.hpp"
#include "base/threads/workers.hpp"

namespace weir::side_by_side_test {

TEST(SideBySide, EveryPartIsDoneOnce) {
  for (const std::size_t threads : {1, 2, 7}) {
    std::vector<std::atomic<int>> done(threads);
    side_by_side(threads, [&](std::size_t i) { ++done[i]; });
    for (const auto& times : done) EXPECT_EQ(times, 1);
  }
}

TEST(SideBySide, AnExceptionOfAnyPartReachesTheCallerAndTheOthersAreTold) {
  for (std::size_t failing = 0; failing < 3; ++failing) {
    std::atomic<bool> told = false;
    std::atomic<int> ended = 0;
    const auto work = [&](std::size_t i) {
      if (i == failing) throw std::runtime_error("a mistake");
      while (!told) std::this_thread::yield();  // for ever, if nobody is told
      ++ended;
    };
    EXPECT_THROW(side_by_side(3, work, [&] { told = true; }), std::runtime_error);
    EXPECT_EQ(ended, 2);
  }
}

TEST(Workers, AnExceptionReachesTheCallerAndTheNextRoundIsAsUsual) {
  Workers workers(3);
  EXPECT_THROW(workers.run(100,
                           [](std::size_t i) {
                             if (i == 41) throw std::runtime_error("a mistake");
                           }),
               std::runtime_error);
  std::atomic<int> done = 0;
  workers.run(100, [&](std::size_t) { ++done; });
  EXPECT_EQ(done, 100);
}

TEST(Rendezvous, WhoLooksAndFailsDoesNotKeepTheOthersWaiting) {
  Rendezvous all(2, [] { throw std::runtime_error("the disk is full"); });
  std::atomic<int> went_on = 0;
  EXPECT_THROW(side_by_side(2,
                            [&](std::size_t) {
                              all.meet();
                              ++went_on;
                            }),
               std::runtime_error);
  EXPECT_EQ(went_on, 1);
}

}  // namespace weir::side_by_side_test
