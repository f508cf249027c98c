// Which stores may be on their way to memory when a thread is at a post, and in which order? A forward
// analysis of each code: whatever is not drained by a locked move may still be pending. It is an
// over-approximation that lets the backward search drop configurations which no execution reaches.
//
// The order is kept pair by pair: "the newest store to x may be older than the newest store to y".
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/coverability/multiset/thread_moves.hpp"

namespace weir {

class PendingStores {
 public:
  // `precise`: otherwise whatever the code stores anywhere may be pending everywhere, in any order.
  PendingStores(const ThreadMoves& moves, bool precise);

  // The cells that may have a pending store there.
  std::span<const std::uint16_t> cells(Post post) const { return cells_[post]; }
  bool may_pend(Post post, std::uint16_t cell) const;
  // Both may pend; may the newest store to the first be older than the newest to the second?
  bool may_be_older(Post post, std::uint16_t older, std::uint16_t newer) const;

 private:
  using Order = std::vector<bool>;  // per pair (older, newer) of cells that the code stores to; the diagonal
                                    // says whether the cell may have a pending store at all

  void analyse(std::uint32_t code, const std::vector<std::vector<std::uint32_t>>& from);
  void allow_all(std::uint32_t code);
  Order after(const ThreadMove& move) const;

  const ThreadMoves& moves_;
  std::vector<std::vector<std::uint16_t>> stored_;  // per code: cells with buffered stores, ascending
  std::vector<Order> order_;                        // per post
  std::vector<std::vector<std::uint16_t>> cells_;   // per post
  std::size_t width_ = 0;                           // of the code being analysed
};

}  // namespace weir
