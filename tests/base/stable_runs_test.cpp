// Views of runs that were added earlier stay good: engines walk over one while they add others.
#include "base/stable_runs.hpp"

#include <gtest/gtest.h>
#include <numeric>

namespace weir::stable_runs_test {

TEST(StableRuns, ViewsStayGoodWhileOthersAreAdded) {
  StableRuns<int> runs;
  std::vector<std::span<const int>> views;
  for (int length = 0; length < 3000; length += 7) {
    std::vector<int> run(static_cast<std::size_t>(length));
    std::iota(run.begin(), run.end(), length);
    views.push_back(runs.add(run));
  }
  for (std::size_t i = 0; i < views.size(); ++i) {
    const int length = static_cast<int>(i) * 7;
    ASSERT_EQ(views[i].size(), static_cast<std::size_t>(length));
    for (int k = 0; k < length; ++k) ASSERT_EQ(views[i][static_cast<std::size_t>(k)], length + k);
  }
}

}  // namespace weir::stable_runs_test
