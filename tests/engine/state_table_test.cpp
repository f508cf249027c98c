// The packed table of states is a set of id tuples, also while fields are widened.
#include "engine/state_table.hpp"

#include <gtest/gtest.h>
#include <map>
#include <rapidcheck/gtest.h>

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

}  // namespace weir::state_table_test
