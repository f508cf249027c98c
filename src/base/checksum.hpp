// A checksum of bytes that come in pieces, at the speed of memory: it finds damage, not forgery.
//
// Four lanes take a word in turn. A lane goes from state to state by a bijection that depends on the word,
// and different words lead from one state to different ones. So a single word that is changed always changes
// the sum; any other damage goes unseen with a probability of about one in 2^64.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>

namespace weir {

class Checksum {
 public:
  using Sum = std::array<std::uint64_t, 4>;

  void add(std::span<const char> bytes) {
    const std::size_t waiting = size_ % kBlock;
    size_ += bytes.size();
    if (waiting > 0) {
      const std::size_t taken = std::min(kBlock - waiting, bytes.size());
      std::memcpy(rest_.data() + waiting, bytes.data(), taken);
      bytes = bytes.subspan(taken);
      if (waiting + taken < kBlock) return;
      add_block(lanes_, rest_.data());
    }
    for (; bytes.size() >= kBlock; bytes = bytes.subspan(kBlock)) add_block(lanes_, bytes.data());
    if (!bytes.empty()) std::memcpy(rest_.data(), bytes.data(), bytes.size());
  }

  // Of all bytes so far: the last ones are filled up with zeros, and their number counts.
  Sum sum() const {
    Sum lanes = lanes_;
    std::array<char, kBlock> last{};
    std::copy_n(rest_.begin(), size_ % kBlock, last.begin());
    add_block(lanes, last.data());
    for (std::uint64_t& lane : lanes) lane = next(lane, size_);
    return lanes;
  }

 private:
  static constexpr std::size_t kBlock = sizeof(Sum);

  static std::uint64_t next(std::uint64_t lane, std::uint64_t word) {
    lane = (lane ^ word) * 0x9E3779B97F4A7C15;
    return lane ^ lane >> 29;
  }
  static void add_block(Sum& lanes, const char* block) {
    Sum words;
    std::memcpy(words.data(), block, kBlock);
    for (std::size_t i = 0; i < lanes.size(); ++i) lanes[i] = next(lanes[i], words[i]);
  }

  Sum lanes_ = {1, 2, 3, 4};
  std::array<char, kBlock> rest_{};
  std::uint64_t size_ = 0;
};

}  // namespace weir
