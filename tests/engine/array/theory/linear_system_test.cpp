// Linear inequalities and equations over integers and reals, against all points of a box.
#include "engine/array/theory/linear_system.hpp"

#include <functional>
#include <gtest/gtest.h>
#include <random>

namespace weir::array::linear_system_test {

using Row = LinearSystem::Row;
using Answer = LinearSystem::Answer;

Row at_most(std::initializer_list<std::int64_t> factors, std::int64_t bound) {
  return {.factors = factors, .bound = bound};
}
Row below(std::initializer_list<std::int64_t> factors, std::int64_t bound) {
  return {.factors = factors, .bound = bound, .strict = true};
}
Row equal(std::initializer_list<std::int64_t> factors, std::int64_t bound) {
  return {.factors = factors, .bound = bound, .equation = true};
}

Answer solve(bool integers, const std::vector<Row>& rows) {
  LinearSystem system(rows.at(0).factors.size(), integers);
  for (const Row& row : rows) system.add(row);
  return system.solvable();
}
Answer integers(const std::vector<Row>& rows) { return solve(true, rows); }
Answer reals(const std::vector<Row>& rows) { return solve(false, rows); }

bool holds(const Row& row, const std::vector<std::int64_t>& point) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < point.size(); ++i) sum += row.factors[i] * point[i];
  return row.equation ? sum == row.bound : sum <= row.bound;
}

bool has_point(const std::vector<Row>& rows, std::size_t variables, std::int64_t radius) {
  std::vector<std::int64_t> point(variables, -radius);
  while (true) {
    if (std::all_of(rows.begin(), rows.end(), [&](const Row& row) { return holds(row, point); })) return true;
    std::size_t place = 0;
    while (place < variables && point[place] == radius) point[place++] = -radius;
    if (place == variables) return false;
    ++point[place];
  }
}

TEST(LinearSystem, RandomIntegerSystemsInABox) {
  constexpr std::int64_t kRadius = 5;
  std::mt19937_64 random(7);
  const auto between = [&](std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low + 1));
  };
  int solvable = 0;
  for (int round = 0; round < 3000; ++round) {
    const auto variables = static_cast<std::size_t>(between(1, 3));
    std::vector<Row> rows;
    for (std::int64_t count = between(1, 5); count > 0; --count) {
      Row row;
      for (std::size_t i = 0; i < variables; ++i) row.factors.push_back(between(-7, 7));
      row.bound = between(-12, 12);
      row.equation = between(0, 3) == 0;
      rows.push_back(row);
    }
    for (std::size_t i = 0; i < variables; ++i)
      for (const std::int64_t sign : {1, -1}) {
        Row row;
        row.factors.resize(variables);
        row.factors[i] = sign;
        row.bound = kRadius;
        rows.push_back(row);
      }
    const bool expected = has_point(rows, variables, kRadius);
    solvable += expected ? 1 : 0;
    ASSERT_EQ(integers(rows), expected ? Answer::kYes : Answer::kNo) << "round " << round;
    if (expected) {
      ASSERT_EQ(reals(rows), Answer::kYes) << "round " << round;
    }
  }
  EXPECT_GT(solvable, 500);
  EXPECT_LT(solvable, 2500);
}

TEST(LinearSystem, EquationsOverIntegersNeedDivisibility) {
  EXPECT_EQ(integers({equal({2, -4}, 1)}), Answer::kNo);
  EXPECT_EQ(reals({equal({2, -4}, 1)}), Answer::kYes);
  EXPECT_EQ(integers({equal({7, 12, 31}, 17), equal({3, 5, 14}, 7)}), Answer::kYes);  // Pugh's example
  EXPECT_EQ(integers({equal({6, 10, 15}, 1)}), Answer::kYes);
}

TEST(LinearSystem, GapsBetweenIntegersAreSeen) {
  // Pugh's example: real solutions, but no integer point, and no variable with factor 1.
  const std::vector<Row> rows = {at_most({11, 13}, 45), at_most({-11, -13}, -27), at_most({7, -9}, 4),
                                 at_most({-7, 9}, 10)};
  EXPECT_EQ(integers(rows), Answer::kNo);
  EXPECT_EQ(reals(rows), Answer::kYes);
  // An unbounded strip without integer points.
  EXPECT_EQ(integers({at_most({3, -3}, 2), at_most({-3, 3}, -1)}), Answer::kNo);
  EXPECT_EQ(integers({at_most({3, -6, 2}, 2), at_most({-3, 6, -2}, -1)}), Answer::kYes);
}

TEST(LinearSystem, StrictBoundsMeetOnlyWithRoom) {
  EXPECT_EQ(reals({below({1, 1}, 1), below({-1, -1}, -1)}), Answer::kNo);
  EXPECT_EQ(reals({at_most({1, 1}, 1), at_most({-1, -1}, -1)}), Answer::kYes);
  EXPECT_EQ(reals({at_most({1, 1}, 1), below({-1, -1}, -1)}), Answer::kNo);
  EXPECT_EQ(reals({below({2, 0}, 1), below({-2, 0}, 0), equal({4, -2}, 1)}), Answer::kYes);
}

TEST(LinearSystem, NumbersThatDoNotFitAreNotCutOff) {
  constexpr std::int64_t kLarge = std::int64_t{1} << 60;
  EXPECT_EQ(
      integers({at_most({kLarge, -kLarge + 1, 5}, 3), at_most({-kLarge + 3, kLarge, 7}, 2),
                at_most({kLarge - 1, kLarge - 7, -9}, -1), at_most({3 - kLarge, 11 - kLarge, -kLarge}, 5)}),
      Answer::kUnknown);
}

}  // namespace weir::array::linear_system_test
