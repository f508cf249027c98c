// Protects that everybody waits while one looks, also when members leave before, after or during a meeting.
#include "base/threads/rendezvous.hpp"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace weir::rendezvous_test {

TEST(Rendezvous, NobodyGoesOnWhileSomebodyLooks) {
  constexpr std::size_t kMembers = 4;
  std::vector<int> work(kMembers);  // each changes its own; one reads all
  int meetings = 0;
  std::vector<int> sums;
  Rendezvous all(kMembers, [&] {
    ++meetings;
    int sum = 0;
    for (const int each : work) sum += each;
    sums.push_back(sum);
  });
  {
    std::vector<std::jthread> members;
    for (std::size_t m = 0; m < kMembers; ++m)
      members.emplace_back([&, m] {
        const int rounds = 10 * static_cast<int>(m + 1);  // some leave earlier
        for (int i = 0; i < rounds; ++i) {
          ++work[m];
          all.meet();
        }
        all.leave();
      });
  }
  ASSERT_EQ(meetings, 40);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(sums[static_cast<std::size_t>(i)], 4 * (i + 1));
  EXPECT_EQ(sums.back(), 10 + 20 + 30 + 40);
}

TEST(Rendezvous, OneAloneNeedNotWait) {
  int meetings = 0;
  Rendezvous all(1, [&] { ++meetings; });
  all.meet();
  all.meet();
  all.leave();
  EXPECT_EQ(meetings, 2);
}

}  // namespace weir::rendezvous_test
