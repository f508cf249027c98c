// Addresses that no declared object has: private memory of an activation, and blocks allocated at run time.
//
// An address says all about its block: who allocated it, the how-manieth block of that thread it is, where it
// comes from and how many bytes it has. So allocating changes nothing but the thread's own count, equal local
// states allocate equal addresses, and an access out of bounds is seen without a look at memory. Only whether
// the block was released is a matter of shared memory: that is the block's *status* cell.
//
// Programs keep version numbers in the 16 highest bits of a pointer, since those of a process are 0. So they
// are 0 in the addresses of blocks below 2 KB and of private memory, too. A large block has no room for that:
// what is left of its address without these bits is recognised (`is_cut_address`), and is no address.
//
//                 63 62  61..56  55..48   47..44  43..0
//   ordinary       0  0    0       0      0000
//   private        0  0    0     high     0001    activation (14 bits, six higher ones in 53..48), offset
//   (30) small block    0  0    0       0      01      thread (6), number (13), kind (3), size (11), offset
//   (13) large block    0  1  thread  number   001     number (4 lower bits), kind (3), size (19), offset
//   (19) status         3 in 63..60, thread in 59..54, number in 53..40, in 39..38: heap 0, stack 2
//
// Offsets are stored with a number added to them, so that a step before the start of a block is seen too.
// Blocks of the heap start 16 bytes behind a page: `malloc` promises no more.
//
// A program with open memory has none of these: there every value is an ordinary address.
#pragma once

#include <cstdint>

#include "program/program.hpp"

namespace weir {

inline constexpr std::uint64_t kSmallBlocks = std::uint64_t{1} << 11;  // have fewer bytes than this
inline constexpr std::uint64_t kLargestBlock = (std::uint64_t{1} << 19) - (std::uint64_t{1} << 13) - 1;
// Of one thread, stack blocks counted apart.
inline constexpr std::uint64_t kMostBlocks = std::uint64_t{1} << 13;
inline constexpr std::uint64_t kMostBlocksWithLarge = std::uint64_t{1} << 12;  // when a large one is added
inline constexpr std::uint64_t kMostAllocatingThreads = 64;
inline constexpr std::uint64_t kBlockAlignment = 4096;                  // of those that ask for one
inline constexpr std::uint64_t kPrivateBytes = std::uint64_t{1} << 30;  // of one activation
inline constexpr std::uint64_t kFirstSpecialAddress = std::uint64_t{1} << 44;
inline constexpr Type kAddressType{64, false};
inline constexpr Type kStatusType{8, false};

enum class AddressKind : std::uint8_t { kOrdinary, kBlock, kPrivate, kStatus };

namespace address_bits {

constexpr std::uint64_t field(std::uint64_t bits, int low, int width) {
  return bits >> low & ((std::uint64_t{1} << width) - 1);
}

constexpr bool is_small_block(std::uint64_t bits) { return bits >> 46 == 1; }
constexpr bool is_large_block(std::uint64_t bits) { return bits >> 62 == 1 && field(bits, 45, 3) == 1; }
constexpr bool is_private(std::uint64_t bits) { return bits >> 54 == 0 && field(bits, 44, 4) == 1; }

}  // namespace address_bits

constexpr AddressKind address_kind(Value address) {
  const auto bits = static_cast<std::uint64_t>(address);
  if (bits < kFirstSpecialAddress) return AddressKind::kOrdinary;
  if (address_bits::is_small_block(bits) || address_bits::is_large_block(bits)) return AddressKind::kBlock;
  if (address_bits::is_private(bits)) return AddressKind::kPrivate;
  return bits >> 60 == 3 ? AddressKind::kStatus : AddressKind::kOrdinary;
}

// Such addresses are those of large blocks without the 16 highest bits, and of what is not in the program.
// There is no memory that could be followed: an access gives up.
inline constexpr Value kFirstCutAddress = Value{1} << 45;
constexpr bool is_cut_address(Value address) { return static_cast<std::uint64_t>(address) >> 45 == 1; }

struct BlockAddress {
  std::uint64_t thread = 0;
  std::uint64_t number = 0;  // of the thread, counted from 0, stack blocks apart
  BlockKind kind = BlockKind::kHeap;
  std::uint64_t size = 0;
  std::int64_t offset = 0;
};

// What is added to the offsets of such a block.
constexpr std::uint64_t offset_bias(BlockKind kind) {
  return kind == BlockKind::kStack || kind == BlockKind::kAligned ? kBlockAlignment
                                                                  : kBlockAlignment / 2 + 16;
}

// May the next block, after `count` others, have so many bytes?
constexpr bool can_allocate(std::uint64_t count, std::uint64_t size) {
  return size <= kLargestBlock && count < (size < kSmallBlocks ? kMostBlocks : kMostBlocksWithLarge);
}

// Does a `free` of one kind release blocks of the other?
constexpr bool releases(BlockKind free, BlockKind block) {
  const auto pairs_up = [](BlockKind kind) {
    return kind == BlockKind::kStack || kind == BlockKind::kObject || kind == BlockKind::kArray;
  };
  return pairs_up(free) || pairs_up(block) ? free == block : true;
}

constexpr Value encode(const BlockAddress& block) {
  const auto kind = static_cast<std::uint64_t>(block.kind);
  const std::uint64_t offset = static_cast<std::uint64_t>(block.offset) + offset_bias(block.kind);
  if (block.size < kSmallBlocks)
    return static_cast<Value>(std::uint64_t{1} << 46 | block.thread << 40 | block.number << 27 | kind << 24 |
                              block.size << 13 | offset);
  return static_cast<Value>(std::uint64_t{1} << 62 | block.thread << 56 | block.number >> 4 << 48 |
                            std::uint64_t{1} << 45 | (block.number & 15) << 41 | kind << 38 |
                            block.size << 19 | offset);
}

constexpr BlockAddress decode_block(Value address) {
  using address_bits::field;
  const auto bits = static_cast<std::uint64_t>(address);
  BlockAddress block;
  std::uint64_t offset = 0;
  if (address_bits::is_small_block(bits)) {
    block = {field(bits, 40, 6), field(bits, 27, 13), static_cast<BlockKind>(field(bits, 24, 3)),
             field(bits, 13, 11)};
    offset = field(bits, 0, 13);
  } else {
    block = {field(bits, 56, 6), field(bits, 48, 8) << 4 | field(bits, 41, 4),
             static_cast<BlockKind>(field(bits, 38, 3)), field(bits, 19, 19)};
    offset = field(bits, 0, 19);
  }
  block.offset = static_cast<std::int64_t>(offset) - static_cast<std::int64_t>(offset_bias(block.kind));
  return block;
}

// Of the block that `address` points into.
constexpr Value status_address(Value address) {
  const BlockAddress block = decode_block(address);
  const std::uint64_t stack = block.kind == BlockKind::kStack ? 2 : 0;
  return static_cast<Value>(std::uint64_t{3} << 60 | block.thread << 54 | block.number << 40 | stack << 38);
}

// Of the block that this is the status of: its thread and its number, and whether it is on the stack.
constexpr BlockAddress decode_status(Value status) {
  using address_bits::field;
  const auto bits = static_cast<std::uint64_t>(status);
  return {field(bits, 54, 6), field(bits, 40, 14),
          field(bits, 38, 2) == 2 ? BlockKind::kStack : BlockKind::kHeap};
}

constexpr bool inside_block(const BlockAddress& block, std::uint64_t bytes) {
  return block.offset >= 0 && static_cast<std::uint64_t>(block.offset) + bytes <= block.size;
}

struct PrivateAddress {
  std::uint64_t activation = 0;  // 0 is the outermost
  std::uint64_t offset = 0;
};

constexpr Value encode(const PrivateAddress& address) {
  return static_cast<Value>(std::uint64_t{1} << 44 | address.activation >> 14 << 48 |
                            (address.activation & 0x3FFF) << 30 | address.offset);
}

constexpr PrivateAddress decode_private(Value address) {
  using address_bits::field;
  const auto bits = static_cast<std::uint64_t>(address);
  return {field(bits, 48, 6) << 14 | field(bits, 30, 14), field(bits, 0, 30)};
}

constexpr std::uint64_t bytes_of(Type type) { return (type.bits + 7u) / 8u; }

}  // namespace weir
