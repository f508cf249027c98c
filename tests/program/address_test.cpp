// Addresses say what they point to, whatever the numbers in them.
#include "program/address.hpp"

#include <gtest/gtest.h>

namespace weir {
namespace {

constexpr BlockKind kKinds[] = {BlockKind::kHeap,    BlockKind::kZeroed, BlockKind::kStack,
                                BlockKind::kAligned, BlockKind::kObject, BlockKind::kArray};

TEST(Address, OfABlockCanBeTakenApart) {
  for (const std::uint64_t thread : {0u, 1u, 63u})
    for (const std::uint64_t number : {0u, 15u, 16u, 4095u})
      for (const BlockKind kind : kKinds)
        for (const std::uint64_t size : {std::uint64_t{0}, kSmallBlocks - 1, kSmallBlocks, kLargestBlock})
          for (const std::int64_t offset :
               {std::int64_t{-16}, std::int64_t{0}, static_cast<std::int64_t>(size)}) {
            const Value address = encode(BlockAddress{thread, number, kind, size, offset});
            ASSERT_EQ(address_kind(address), AddressKind::kBlock);
            const BlockAddress found = decode_block(address);
            EXPECT_EQ(found.thread, thread);
            EXPECT_EQ(found.number, number);
            EXPECT_EQ(found.kind, kind);
            EXPECT_EQ(found.size, size);
            EXPECT_EQ(found.offset, offset);
            EXPECT_EQ(inside_block(found, 1), offset >= 0 && static_cast<std::uint64_t>(offset) < size);
            const BlockAddress status = decode_status(status_address(address));
            EXPECT_EQ(status.thread, thread);
            EXPECT_EQ(status.number, number);
            EXPECT_EQ(status.kind == BlockKind::kStack, kind == BlockKind::kStack);
          }
}

TEST(Address, OfSmallBlocksAndVariablesLooksLikeOneOfAProcess) {
  constexpr Value kEnd = Value{1} << 47;
  const BlockAddress last{63, kMostBlocks - 1, BlockKind::kArray, kSmallBlocks - 1, kSmallBlocks - 1};
  EXPECT_LT(encode(last), kEnd);
  EXPECT_GT(encode(BlockAddress{}), 0);
  EXPECT_LT(encode(PrivateAddress{0x3FFF, kPrivateBytes - 1}), kEnd);
}

TEST(Address, OfALargeBlockIsRecognisedWhenItLacksItsHighestBits) {
  const Value address = encode(BlockAddress{5, 100, BlockKind::kHeap, kSmallBlocks, 8});
  EXPECT_FALSE(is_cut_address(address));
  const Value cut = address & ((Value{1} << 48) - 1);
  EXPECT_TRUE(is_cut_address(cut));
  EXPECT_EQ(address_kind(cut), AddressKind::kOrdinary);
  EXPECT_FALSE(is_cut_address(encode(BlockAddress{})));
  EXPECT_FALSE(is_cut_address(encode(PrivateAddress{1, 8})));
}

TEST(Address, WithAVersionNumberInItIsNone) {
  const Value small = encode(BlockAddress{1, 2, BlockKind::kHeap, 8, 0});
  for (std::uint64_t tag = 1; tag < 65536; tag += 7)
    EXPECT_EQ(address_kind(static_cast<Value>(static_cast<std::uint64_t>(small) | tag << 48)) ==
                  AddressKind::kBlock,
              false)
        << tag;
}

TEST(Address, OfPrivateMemoryHasRoomForDeepStacks) {
  for (const std::uint64_t activation :
       {std::uint64_t{0}, std::uint64_t{0x3FFF}, std::uint64_t{0x4000}, (std::uint64_t{1} << 20) - 1}) {
    const Value address = encode(PrivateAddress{activation, 12});
    EXPECT_EQ(address_kind(address), AddressKind::kPrivate);
    EXPECT_EQ(decode_private(address).activation, activation);
    EXPECT_EQ(decode_private(address).offset, 12u);
  }
}

TEST(Address, OfTheHeapIsAlignedTo16BytesOnly) {
  for (const BlockKind kind : {BlockKind::kHeap, BlockKind::kZeroed, BlockKind::kObject, BlockKind::kArray})
    for (const std::uint64_t size : {std::uint64_t{8}, kSmallBlocks})
      EXPECT_EQ(encode(BlockAddress{0, 0, kind, size}) % 32, 16);
  EXPECT_EQ(encode(BlockAddress{0, 0, BlockKind::kAligned, 8}) % 4096, 0);
}

TEST(Address, SaysWhoReleasesIt) {
  EXPECT_TRUE(releases(BlockKind::kHeap, BlockKind::kZeroed));
  EXPECT_TRUE(releases(BlockKind::kHeap, BlockKind::kAligned));
  EXPECT_FALSE(releases(BlockKind::kHeap, BlockKind::kStack));
  EXPECT_FALSE(releases(BlockKind::kHeap, BlockKind::kObject));
  EXPECT_FALSE(releases(BlockKind::kArray, BlockKind::kObject));
  EXPECT_TRUE(releases(BlockKind::kArray, BlockKind::kArray));
}

}  // namespace
}  // namespace weir
