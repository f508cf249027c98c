// Interned memories and buffers behave like the plain maps and queues they stand for.
#include <array>
#include <deque>
#include <gtest/gtest.h>
#include <map>
#include <rapidcheck/gtest.h>

#include "memory/shared_memory.hpp"
#include "memory/store_buffer.hpp"
#include "support/tiny_program.hpp"

namespace weir::memory_test {

Program open_program() {
  Program program;
  program.open_memory = true;
  program.objects.push_back({.name = "x", .base = 3, .initial = {5}});
  return program;
}

RC_GTEST_PROP(SharedMemory, BehavesLikeAMap,
              (const std::vector<std::pair<std::uint8_t, std::int8_t>>& writes)) {
  const Program program = open_program();
  SharedMemory memory(program);
  std::map<Value, Value> expected{{3, 5}};
  std::map<std::map<Value, Value>, MemoryId> seen{{expected, memory.initial()}};
  MemoryId now = memory.initial();
  for (const auto& [address, value] : writes) {
    now = memory.write(now, memory.cell(address % 40), value);
    expected[address % 40] = value;
    auto nonzero = expected;
    std::erase_if(nonzero, [](const auto& cell) { return cell.second == 0; });
    const auto [entry, added] = seen.emplace(nonzero, now);
    RC_ASSERT(entry->second == now);  // equal contents, equal ids
    for (const auto& [cell, content] : expected) RC_ASSERT(memory.read(now, memory.cell(cell)) == content);
  }
  RC_ASSERT(memory.size() <= seen.size() + 1);
}

TEST(SharedMemory, TheLockIsApart) {
  const Program program = open_program();
  SharedMemory memory(program);
  const MemoryId locked = memory.write(memory.initial(), SharedMemory::kLockCell, 1);
  EXPECT_TRUE(memory.locked(locked));
  EXPECT_EQ(memory.read(locked, memory.cell(0)), 0);
  EXPECT_EQ(memory.write(locked, SharedMemory::kLockCell, 0), memory.initial());
}

// Eight bytes in two objects of different types, and accesses of one to eight bytes anywhere in them.
RC_GTEST_PROP(SharedMemory, IsSplitWhereAccessesOverlap,
              (const std::vector<std::tuple<std::uint8_t, std::uint8_t, std::uint64_t>>& writes)) {
  Program program;
  program.byte_memory = true;
  program.objects.push_back({.name = "x", .base = 16, .type = {32, true}, .initial = {-2}, .stride = 4});
  program.objects.push_back({.name = "y", .base = 20, .type = {16, false}, .initial = {7, 8}, .stride = 2});
  SharedMemory memory(program, {}, Overlaps::kSplit);
  std::array<std::uint8_t, 8> expected = {0xFE, 0xFF, 0xFF, 0xFF, 7, 0, 8, 0};
  std::map<std::array<std::uint8_t, 8>, MemoryId> seen{{expected, memory.initial()}};
  MemoryId now = memory.initial();
  for (const auto& [at, log, value] : writes) {
    const std::size_t bytes = std::size_t{1} << log % 4, offset = at % (9 - bytes);
    const Type type{static_cast<std::uint8_t>(8 * bytes), false};
    const CellId cell = memory.cell(static_cast<Value>(16 + offset), type);
    now = memory.write(now, cell, wrap(value, memory.type(cell)));
    for (std::size_t i = 0; i < bytes; ++i) expected[offset + i] = static_cast<std::uint8_t>(value >> 8 * i);
    RC_ASSERT(seen.emplace(expected, now).first->second == now);  // equal contents, equal ids
    for (std::size_t i = 0; i < 8; ++i) {
      const CellId byte = memory.cell(static_cast<Value>(16 + i), {8, false});
      RC_ASSERT(memory.read(now, byte) == expected[i]);
      RC_ASSERT(memory.overlap(byte, cell) == (i >= offset && i < offset + bytes));
    }
  }
  RC_ASSERT(!memory.mixed_sizes());
  RC_ASSERT(memory.size() == seen.size());
}

BufferedStore store(std::size_t cell, Value value) { return {CellId(cell), value}; }

TEST(StoreBuffers, TotalOrderFlushesTheOldest) {
  StoreBuffers buffers(total_order());
  BufferId b = buffers.push(buffers.push(StoreBuffers::kEmptyBuffer, store(2, 1)), store(1, 9));
  const auto flushes = buffers.flushes(b);
  ASSERT_EQ(flushes.size(), 1u);
  EXPECT_EQ(flushes[0].store.cell, CellId(2));
  EXPECT_EQ(flushes[0].rest, buffers.push(StoreBuffers::kEmptyBuffer, store(1, 9)));
  EXPECT_EQ(buffers.push_barrier(b), b);
}

TEST(StoreBuffers, PartialOrderForgetsTheOrderBetweenCells) {
  StoreBuffers buffers(partial_order());
  const BufferId one = buffers.push(buffers.push(StoreBuffers::kEmptyBuffer, store(2, 1)), store(1, 9));
  const BufferId other = buffers.push(buffers.push(StoreBuffers::kEmptyBuffer, store(1, 9)), store(2, 1));
  EXPECT_EQ(one, other);
  EXPECT_EQ(buffers.flushes(one).size(), 2u);
}

TEST(StoreBuffers, StoresToOneCellStayInOrder) {
  StoreBuffers buffers(partial_order());
  const BufferId b = buffers.push(buffers.push(StoreBuffers::kEmptyBuffer, store(1, 8)), store(1, 9));
  ASSERT_EQ(buffers.flushes(b).size(), 1u);
  EXPECT_EQ(buffers.flushes(b)[0].store.value, 8);
  EXPECT_EQ(buffers.newest(b, CellId(1)), 9);
}

// Cells 1 and 3 have bytes in common.
TEST(StoreBuffers, StoresToOneByteStayInOrder) {
  StoreBuffers buffers(
      partial_order([](CellId a, CellId b) { return a == b || a.index() + b.index() == 4; }));
  const auto pushed = [&](const std::vector<BufferedStore>& stores) {
    BufferId buffer = StoreBuffers::kEmptyBuffer;
    for (const BufferedStore& each : stores) buffer = buffers.push(buffer, each);
    return buffer;
  };
  EXPECT_NE(pushed({store(1, 5), store(3, 6)}), pushed({store(3, 6), store(1, 5)}));
  EXPECT_EQ(pushed({store(3, 6), store(2, 4), store(1, 5)}), pushed({store(2, 4), store(3, 6), store(1, 5)}));
  EXPECT_EQ(pushed({store(3, 6), store(1, 5), store(2, 4)}), pushed({store(2, 4), store(3, 6), store(1, 5)}));
  const auto flushes = buffers.flushes(pushed({store(3, 6), store(1, 5), store(2, 4)}));
  ASSERT_EQ(flushes.size(), 2u);
  EXPECT_EQ(flushes[0].store.cell, CellId(2));
  EXPECT_EQ(flushes[1].store.cell, CellId(3));
}

TEST(StoreBuffers, NothingPassesABarrier) {
  StoreBuffers buffers(partial_order());
  BufferId b = buffers.push_barrier(buffers.push(StoreBuffers::kEmptyBuffer, store(2, 1)));
  EXPECT_EQ(buffers.push_barrier(b), b);
  b = buffers.push(b, store(1, 9));
  EXPECT_EQ(buffers.length(b), 2u);
  const auto flushes = buffers.flushes(b);
  ASSERT_EQ(flushes.size(), 1u);
  EXPECT_EQ(flushes[0].store.cell, CellId(2));
  EXPECT_EQ(flushes[0].rest,
            buffers.push(StoreBuffers::kEmptyBuffer, store(1, 9)));  // the barrier is gone too
  EXPECT_EQ(buffers.push_barrier(StoreBuffers::kEmptyBuffer), StoreBuffers::kEmptyBuffer);
}

}  // namespace weir::memory_test
