// The packed table of states is a set of id tuples, also while fields are widened.
#include "engine/state_table.hpp"

#include <gtest/gtest.h>
#include <map>
#include <rapidcheck/gtest.h>
#include <string>

#include "base/archive.hpp"

namespace weir::state_table_test {

RC_GTEST_PROP(StateTable, BehavesLikeASet, (const std::vector<std::array<std::uint32_t, 5>>& tuples)) {
  StateTable table(5);
  std::map<std::array<std::uint32_t, 5>, StateTable::Index> expected;
  for (std::array<std::uint32_t, 5> ids : tuples) {
    for (std::uint32_t& id : ids) id &= 0x7FFFFFFF >> (id % 31);
    for (std::size_t f = 0; f < ids.size(); ++f)
      if (!table.fits(f, ids[f])) table.widen(f, ids[f]);
    std::vector<std::uint64_t> packed(table.words());
    table.pack(ids, packed.data());
    const auto [index, added] = table.insert(packed.data(), table.hash(packed.data()), 7);
    const auto [entry, is_new] = expected.emplace(ids, index);
    RC_ASSERT(added == is_new);
    RC_ASSERT(index == entry->second);
  }
  RC_ASSERT(table.size() == expected.size());
  for (const auto& [ids, index] : expected) {
    std::array<std::uint32_t, 5> unpacked{};
    table.unpack(table.row(index), unpacked.data());
    RC_ASSERT(unpacked == ids);
    RC_ASSERT(table.parent(index) == 7u);
  }
}

// A table that comes from a checkpoint goes on as the one that was saved would have: same numbers for what it
// knows, the next number for what it does not, same size in memory.
TEST(StateTable, ComesBackAsItWas) {
  struct Bytes : ArchiveWriter {
    std::string text;
    void write(std::span<const char> bytes) override { text.append(bytes.data(), bytes.size()); }
    std::string all() { return flush(), text; }
  };
  StateTable saved(3);
  std::vector<std::uint64_t> packed;
  const auto insert = [&](StateTable& table, std::uint32_t i) {
    const std::uint32_t ids[] = {i % 7, i, i * 3};
    for (std::size_t f = 0; f < 3; ++f)
      if (!table.fits(f, ids[f])) table.widen(f, ids[f]);
    packed.resize(table.words());
    table.pack(ids, packed.data());
    return table.insert(packed.data(), table.hash(packed.data()), i / 2);
  };
  for (std::uint32_t i = 0; i < 5000; ++i) insert(saved, i);
  Bytes writer;
  writer(saved);
  const std::string text = writer.all();
  StateTable restored(3);
  ArchiveReader reader(text);
  reader(restored);
  EXPECT_EQ(reader.left(), 0u);
  EXPECT_EQ(restored.size(), saved.size());
  EXPECT_EQ(restored.bytes(), saved.bytes());
  for (std::uint32_t i = 0; i < 5000; i += 100) {
    EXPECT_EQ(insert(restored, i).index, i);
    EXPECT_EQ(restored.parent(i), i / 2);
  }
  EXPECT_TRUE(insert(restored, 5000).added);
  EXPECT_EQ(restored.size(), 5001u);
}

}  // namespace weir::state_table_test
