// Abstract store buffers do what the rules of the literature say, written down here again with plain
// containers, and everything that a TSO buffer does.
#include "memory/buffer_abstraction.hpp"

#include <deque>
#include <gtest/gtest.h>
#include <map>
#include <rapidcheck/gtest.h>
#include <set>

#include "memory/store_buffer.hpp"

namespace weir::buffer_abstraction_test {

using Pair = std::pair<std::size_t, Value>;  // cell and value
using Script = std::vector<std::uint8_t>;    // what to do next

constexpr std::size_t kCells = 2;
constexpr Value kValues = 2;

// [Calin16, Figures 3.6, 3.8 and 3.10] (the latter as corrected): a queue of at most `bound`, a multiset or,
// if copies do not count, a set, and the value added last to each cell.
struct PlainBuffer {
  bool counts = false;
  std::size_t bound = 0;
  std::deque<Pair> queue;
  std::multiset<Pair> rest;
  std::map<std::size_t, Value> last;  // of what is in `rest`

  friend bool operator<(const PlainBuffer& a, const PlainBuffer& b) {
    return std::tie(a.queue, a.rest, a.last) < std::tie(b.queue, b.rest, b.last);
  }
  bool empty() const { return queue.empty() && rest.empty(); }

  void push(Pair store) {
    if (rest.empty() && queue.size() < bound) return queue.push_back(store);
    if (counts || !rest.contains(store)) rest.insert(store);
    last[store.first] = store.second;
  }

  std::optional<Value> newest(std::size_t cell) const {
    if (const auto found = last.find(cell); found != last.end()) return found->second;
    for (auto store = queue.rbegin(); store != queue.rend(); ++store)
      if (store->first == cell) return store->second;
    return std::nullopt;
  }

  std::set<std::pair<Pair, PlainBuffer>> flushes() const {
    std::set<std::pair<Pair, PlainBuffer>> found;
    if (!queue.empty()) {
      PlainBuffer after = *this;
      after.queue.pop_front();
      found.emplace(queue.front(), after);
      return found;
    }
    for (const Pair& store : rest) {
      const auto of_cell = static_cast<std::size_t>(
          std::count_if(rest.begin(), rest.end(), [&](const Pair& p) { return p.first == store.first; }));
      if (store.second != last.at(store.first) || rest.count(store) > 1 || of_cell == 1) {
        PlainBuffer after = *this;
        after.rest.erase(after.rest.find(store));
        if (of_cell == 1) after.last.erase(store.first);
        found.emplace(store, after);
      }
      if (!counts) found.emplace(store, *this);
    }
    return found;
  }
};

Pair store_of(std::uint8_t code) { return {code % kCells + 1, code / kCells % kValues}; }

// Walks both along the script and compares; equal buffers must have equal ids.
void expect_equal_behaviour(const BufferAbstraction& abstraction, PlainBuffer plain, const Script& script) {
  StoreBuffers buffers(buffer_rules(Model::kTso, abstraction));
  std::map<PlainBuffer, BufferId> seen{{plain, StoreBuffers::kEmptyBuffer}};
  BufferId now = StoreBuffers::kEmptyBuffer;
  for (const std::uint8_t code : script) {
    const auto expected = plain.flushes();
    std::map<std::pair<Pair, PlainBuffer>, BufferId> rests;
    const std::vector<Flush> flushes = buffers.flushes(now);
    RC_ASSERT(flushes.size() == expected.size());
    for (const auto& [store, after] : expected) {
      bool offered = false;
      for (const Flush& flush : flushes) {
        const auto known = seen.find(after);
        const bool same = flush.store.cell == CellId(store.first) && flush.store.value == store.second &&
                          (known == seen.end() || known->second == flush.rest) &&
                          buffers.length(flush.rest) == after.queue.size() + after.rest.size();
        if (same) rests[{store, after}] = flush.rest;
        offered |= same;
      }
      RC_ASSERT(offered);
    }
    if (code % 3 != 0 || expected.empty()) {
      plain.push(store_of(code / 3));
      now = buffers.push(now, {CellId(store_of(code / 3).first), store_of(code / 3).second});
    } else {
      const auto chosen = std::next(expected.begin(), code / 3 % static_cast<int>(expected.size()));
      now = rests.at(*chosen);
      plain = chosen->second;
    }
    const auto [entry, added] = seen.emplace(plain, now);
    RC_ASSERT(entry->second == now);
    RC_ASSERT((now == StoreBuffers::kEmptyBuffer) == plain.empty());
    for (std::size_t cell = 1; cell <= kCells; ++cell)
      RC_ASSERT(buffers.newest(now, CellId(cell)) == plain.newest(cell));
  }
}

RC_GTEST_PROP(BufferAbstraction, Set, (const Script& script)) {
  expect_equal_behaviour(kSetAbstraction, {}, script);
}

RC_GTEST_PROP(BufferAbstraction, Multiset, (const Script& script)) {
  expect_equal_behaviour(kMultisetAbstraction, {.counts = true}, script);
}

RC_GTEST_PROP(BufferAbstraction, PartialCoherence, (const Script& script)) {
  for (const std::uint32_t k : {1u, 2u, 3u})
    expect_equal_behaviour(partial_coherence_with(k), {.bound = k}, script);
}

// Whatever a queue does, each abstraction can do, with the same value for each load, and is empty with it.
RC_GTEST_PROP(BufferAbstraction, CanDoWhateverTsoDoes, (const Script& script)) {
  for (const BufferAbstraction& abstraction :
       {kSetAbstraction, kMultisetAbstraction, partial_coherence_with(1), partial_coherence_with(2)}) {
    StoreBuffers exact(total_order());
    StoreBuffers coarse(buffer_rules(Model::kTso, abstraction));
    BufferId now = StoreBuffers::kEmptyBuffer;
    std::set<BufferId> abstract{StoreBuffers::kEmptyBuffer};  // all that it may be after the same flushes
    for (const std::uint8_t code : script) {
      const auto [cell, value] = store_of(code / 3);
      const std::vector<Flush> flushes = exact.flushes(now);
      std::set<BufferId> next;
      if (code % 3 != 0 || flushes.empty()) {
        now = exact.push(now, {CellId(cell), value});
        for (const BufferId b : abstract) next.insert(coarse.push(b, {CellId(cell), value}));
      } else {
        now = flushes[0].rest;
        for (const BufferId b : abstract)
          for (const Flush& flush : coarse.flushes(b))
            if (flush.store.cell == flushes[0].store.cell && flush.store.value == flushes[0].store.value)
              next.insert(flush.rest);
      }
      const auto agrees = [&](BufferId b) {
        for (std::size_t c = 1; c <= kCells; ++c)
          if (coarse.newest(b, CellId(c)) != exact.newest(now, CellId(c))) return false;
        return (b == StoreBuffers::kEmptyBuffer) == (now == StoreBuffers::kEmptyBuffer);
      };
      std::erase_if(next, [&](BufferId b) { return !agrees(b); });
      RC_ASSERT(!next.empty());
      abstract = std::move(next);
    }
  }
}

TEST(BufferAbstraction, Names) {
  EXPECT_EQ(parse_abstraction("set"), kSetAbstraction);
  EXPECT_EQ(parse_abstraction("0"), kSetAbstraction);
  EXPECT_EQ(parse_abstraction("multiset"), kMultisetAbstraction);
  EXPECT_EQ(parse_abstraction("3"), partial_coherence_with(3));
  for (const char* wrong : {"", "sets", "-1", "3x", "99999999999"})
    EXPECT_FALSE(parse_abstraction(wrong)) << wrong;
  for (const char* right : {"set", "multiset", "3"}) EXPECT_EQ(name(*parse_abstraction(right)), right);
  EXPECT_EQ(describe(partial_coherence_with(1)), "the first buffered store and the set of the others");
}

}  // namespace weir::buffer_abstraction_test
