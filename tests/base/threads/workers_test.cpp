#include "base/threads/workers.hpp"

#include <gtest/gtest.h>
#include <numeric>

namespace weir::workers_test {

// Every item is worked on exactly once, in every one of many short rounds.
TEST(Workers, DoEverythingOnce) {
  for (const std::size_t count : {1, 2, 5}) {
    Workers workers(count);
    for (std::size_t size = 0; size < 200; ++size) {
      std::vector<std::atomic<int>> done(size);
      workers.run(size, [&](std::size_t i) { ++done[i]; });
      for (const auto& times : done) ASSERT_EQ(times, 1);
    }
  }
}

// What was written by `work` can be read after `run`.
TEST(Workers, ResultsAreVisible) {
  Workers workers(3);
  std::vector<std::size_t> squares(1000);
  workers.run(squares.size(), [&](std::size_t i) { squares[i] = i * i; });
  EXPECT_EQ(std::accumulate(squares.begin(), squares.end(), std::size_t{0}), 332'833'500u);
}

}  // namespace weir::workers_test
