// Protects the sum by which checkpoints know that they are whole.
#include "base/checksum.hpp"

#include <gtest/gtest.h>
#include <set>
#include <string>

namespace weir::checksum_test {

Checksum::Sum sum_of(const std::string& text, std::size_t piece = 1000) {
  Checksum sum;
  for (std::size_t at = 0; at < text.size(); at += piece)
    sum.add({text.data() + at, std::min(piece, text.size() - at)});
  return sum.sum();
}

TEST(Checksum, DoesNotDependOnThePieces) {
  std::string text;
  for (int i = 0; i < 500; ++i) text += static_cast<char>(i * 7);
  for (std::size_t piece = 1; piece < 130; ++piece) EXPECT_EQ(sum_of(text, piece), sum_of(text)) << piece;
}

TEST(Checksum, EveryBitCounts) {
  std::set<Checksum::Sum> sums;
  const std::string text(200, 'a');
  sums.insert(sum_of(text));
  for (std::size_t bit = 0; bit < text.size() * 8; ++bit) {
    std::string changed = text;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << bit % 8));
    sums.insert(sum_of(changed));
  }
  EXPECT_EQ(sums.size(), text.size() * 8 + 1);
}

TEST(Checksum, ZerosAtTheEndCount) {
  std::set<Checksum::Sum> sums;
  for (std::size_t size = 0; size < 100; ++size) sums.insert(sum_of(std::string(size, '\0')));
  EXPECT_EQ(sums.size(), 100u);
}

}  // namespace weir::checksum_test
