// The tables that hold everything: each is compared with a standard container on random operations.
#include <gtest/gtest.h>
#include <map>
#include <rapidcheck/gtest.h>
#include <vector>

#include "base/growing_array.hpp"
#include "base/sequence_interner.hpp"
#include "base/value_table.hpp"

namespace weir::containers_test {

RC_GTEST_PROP(SequenceInterner, NumbersAreEqualExactlyForEqualSequences,
              (const std::vector<std::vector<std::int64_t>>& sequences)) {
  SequenceInterner<std::int64_t> interner;
  std::map<std::vector<std::int64_t>, std::uint32_t> expected;
  for (const auto& sequence : sequences) {
    const std::uint32_t id = interner.intern(sequence);
    const auto [entry, added] = expected.emplace(sequence, static_cast<std::uint32_t>(expected.size()));
    RC_ASSERT(id == entry->second);
  }
  for (const auto& [sequence, id] : expected) RC_ASSERT(std::ranges::equal(interner[id], sequence));
}

TEST(SequenceInterner, SurvivesGrowth) {
  SequenceInterner<std::uint32_t> interner;
  for (std::uint32_t round = 0; round < 2; ++round)
    for (std::uint32_t i = 0; i < 10'000; ++i)
      ASSERT_EQ(interner.intern(std::vector<std::uint32_t>{i, i * i}), i);
}

RC_GTEST_PROP(ValueTable, FindsWhatWasInserted, (const std::map<std::int64_t, std::uint32_t>& entries)) {
  ValueTable table;
  const auto other = table.add_slot();
  const auto slot = table.add_slot();
  for (const auto& [key, number] : entries) table.insert(slot, key, number % 1000);
  for (const auto& [key, number] : entries) {
    RC_ASSERT(table.find(slot, key) == number % 1000);
    RC_ASSERT(table.find(other, key) == ValueTable::kNone);
  }
}

TEST(ValueTable, ManyEntriesInOneSlot) {
  ValueTable table;
  const auto slot = table.add_slot();
  for (std::int64_t key = 0; key < 1000; ++key)
    table.insert(slot, key * key, static_cast<std::uint32_t>(key));
  for (std::int64_t key = 0; key < 1000; ++key) EXPECT_EQ(table.find(slot, key * key), key);
  EXPECT_EQ(table.find(slot, 2), ValueTable::kNone);
}

TEST(GrowingArray, KeepsElementsAndStartsWithZeros) {
  GrowingArray<std::uint64_t> array;
  for (std::uint64_t i = 0; i < 100'000; ++i) array.push_back(i);
  array.resize(200'000);
  for (std::uint64_t i = 0; i < 100'000; ++i) ASSERT_EQ(array[i], i);
  for (std::uint64_t i = 100'000; i < 200'000; ++i) ASSERT_EQ(array[i], 0u);
}

}  // namespace weir::containers_test
