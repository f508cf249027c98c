// Addresses that no declared object has: private memory of an activation, and blocks allocated at run time.
//
// An address says all about its block: who allocated it, the how-manieth block of that thread it is, where it
// comes from and how many bytes it has. So allocating changes nothing but the thread's own count, equal local
// states allocate equal addresses, and an access out of bounds is seen without a look at memory. Only whether
// the block was released is a matter of shared memory: that is the block's *status* cell.
//
//            63..60  59..54  53..40  39..38  37..19  18..0
//   block      1     thread  number  kind    size    offset
//   status     3     thread  number  heap 0, stack 2
//   private    2     activation (59..40)     offset (39..0)
//   ordinary   0
//
// A program with open memory has none of these: there every value is an ordinary address.
#pragma once

#include <cstdint>

#include "program/program.hpp"

namespace weir {

inline constexpr std::uint64_t kLargestBlock = (std::uint64_t{1} << 19) - 1;  // bytes
inline constexpr std::uint64_t kMostBlocks = std::uint64_t{1} << 14;          // of one thread and kind
inline constexpr std::uint64_t kMostAllocatingThreads = 64;
inline constexpr Type kAddressType{64, false};
inline constexpr Type kStatusType{8, false};

enum class AddressKind : std::uint8_t { kOrdinary, kBlock, kPrivate, kStatus };

constexpr AddressKind address_kind(Value address) {
  switch (static_cast<std::uint64_t>(address) >> 60) {
    case 1: return AddressKind::kBlock;
    case 2: return AddressKind::kPrivate;
    case 3: return AddressKind::kStatus;
    default: return AddressKind::kOrdinary;
  }
}

inline constexpr int kBlockNumberShift = 40;

struct BlockAddress {
  std::uint64_t thread = 0;
  std::uint64_t number = 0;  // of the thread, counted from 0, stack blocks apart
  BlockKind kind = BlockKind::kHeap;
  std::uint64_t size = 0;
  std::uint64_t offset = 0;
};

constexpr Value encode(const BlockAddress& block) {
  return static_cast<Value>(std::uint64_t{1} << 60 | block.thread << 54 | block.number << 40 |
                            static_cast<std::uint64_t>(block.kind) << 38 | block.size << 19 | block.offset);
}

constexpr BlockAddress decode_block(Value address) {
  const auto bits = static_cast<std::uint64_t>(address);
  const auto field = [&](int low, int width) { return bits >> low & ((std::uint64_t{1} << width) - 1); };
  return {field(54, 6), field(40, 14), static_cast<BlockKind>(field(38, 2)), field(19, 19), field(0, 19)};
}

// Of the block that `address` points into.
constexpr Value status_address(Value address) {
  const BlockAddress block = decode_block(address);
  const std::uint64_t stack = block.kind == BlockKind::kStack ? 2 : 0;
  return static_cast<Value>(std::uint64_t{3} << 60 | block.thread << 54 | block.number << 40 | stack << 38);
}

constexpr bool inside_block(const BlockAddress& block, std::uint64_t bytes) {
  return block.offset + bytes <= block.size;
}

struct PrivateAddress {
  std::uint64_t activation = 0;  // 0 is the outermost
  std::uint64_t offset = 0;
};

constexpr Value encode(const PrivateAddress& address) {
  return static_cast<Value>(std::uint64_t{2} << 60 | address.activation << 40 | address.offset);
}

constexpr PrivateAddress decode_private(Value address) {
  const auto bits = static_cast<std::uint64_t>(address);
  return {bits >> 40 & 0xFFFFF, bits & 0xFF'FFFF'FFFF};
}

constexpr std::uint64_t bytes_of(Type type) { return (type.bits + 7u) / 8u; }

}  // namespace weir
