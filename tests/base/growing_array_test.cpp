// Protects the array below the tables of states: nothing is lost when it moves from the heap to pages of its
// own, nor when those are mapped anew.
#include "base/growing_array.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <utility>

namespace weir::growing_array_test {

TEST(GrowingArray, KeepsItsElementsAndNewOnesAreZero) {
  GrowingArray<std::uint32_t> array;
  for (std::uint32_t i = 0; i < 200'000; ++i) array.push_back(i);
  array.resize(300'000);
  ASSERT_EQ(array.size(), 300'000U);
  for (std::uint32_t i = 0; i < 300'000; ++i) ASSERT_EQ(array[i], i < 200'000 ? i : 0);
}

TEST(GrowingArray, CanBeMovedSmallOrLarge) {
  for (const std::size_t size : {0, 1, 64, 65, 100'000}) {
    GrowingArray<std::uint64_t> from;
    from.resize(size);
    if (size > 0) from[size - 1] = 7;
    GrowingArray<std::uint64_t> to(std::move(from));
    EXPECT_EQ(to.size(), size);
    GrowingArray<std::uint64_t> other;
    other.push_back(3);
    other = std::move(to);
    EXPECT_EQ(other.size(), size);
    if (size > 0) {
      EXPECT_EQ(other[size - 1], 7U);
    }
  }
}

}  // namespace weir::growing_array_test
