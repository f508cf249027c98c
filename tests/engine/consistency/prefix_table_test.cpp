// The table of prefixes against a set of vectors, also when it is used again.
#include "engine/consistency/prefix_table.hpp"

#include <gtest/gtest.h>
#include <random>
#include <set>

namespace weir::consistency::prefix_table_test {

TEST(PrefixTable, IsASetOfRows) {
  PrefixTable table;
  std::mt19937_64 random(7);
  for (unsigned round = 0; round < 20; ++round) {
    Packing packing;
    std::vector<std::uint64_t> bounds;
    for (unsigned i = 0; i < 1 + round; ++i) {
      bounds.push_back(1 + random() % (round % 3 == 0 ? 3 : 1000));
      packing.add_digit(bounds.back());
    }
    table.start(packing.words());
    std::set<std::vector<std::uint64_t>> expected;
    for (unsigned i = 0; i < 3000; ++i) {
      std::vector<std::uint64_t> digits;
      std::uint64_t* row = table.stage();
      for (std::size_t d = 0; d < bounds.size(); ++d) {
        digits.push_back(random() % std::min<std::uint64_t>(bounds[d], 3));
        packing.put(d, digits.back(), row);
      }
      ASSERT_EQ(table.insert(), expected.insert(digits).second);
      ASSERT_EQ(table.size(), expected.size());
    }
  }
}

TEST(PrefixTable, WideDigits) {
  Packing packing;
  for (int i = 0; i < 3; ++i) packing.add_digit(std::uint64_t{1} << 40);
  EXPECT_EQ(packing.words(), 3u);
  Packing narrow;
  for (int i = 0; i < 16; ++i) narrow.add_digit(15);
  EXPECT_EQ(narrow.words(), 1u);
  Packing none;
  EXPECT_EQ(none.words(), 1u);
}

}  // namespace weir::consistency::prefix_table_test
