#include "engine/coverability/multiset/pending_stores.hpp"

#include <algorithm>

namespace weir {

PendingStores::PendingStores(const ThreadMoves& moves, bool precise)
    : moves_(moves), stored_(moves.code_count()), order_(moves.post_count()), cells_(moves.post_count()) {
  std::vector<std::vector<std::uint32_t>> from(moves.post_count());
  for (std::uint32_t m = 0; m < moves.moves().size(); ++m) {
    const ThreadMove& move = moves.move(m);
    from[move.source].push_back(m);
    if (move.kind == MoveKind::kWrite) stored_[moves.code_of(move.source)].push_back(move.access.cell);
  }
  for (std::uint32_t code = 0; code < moves.code_count(); ++code) {
    std::ranges::sort(stored_[code]);
    stored_[code].erase(std::ranges::unique(stored_[code]).begin(), stored_[code].end());
    if (precise)
      analyse(code, from);
    else
      allow_all(code);
  }
}

void PendingStores::allow_all(std::uint32_t code) {
  const std::size_t width = stored_[code].size();
  for (Post post = moves_.start(code); post < moves_.end(code); ++post) {
    order_[post].assign(width * width, true);
    cells_[post] = stored_[code];
  }
}

void PendingStores::analyse(std::uint32_t code, const std::vector<std::vector<std::uint32_t>>& from) {
  const std::vector<std::uint16_t>& stored = stored_[code];
  width_ = stored.size();
  if (width_ == 0) return;
  order_[moves_.start(code)].resize(width_ * width_);
  std::vector<Post> open{moves_.start(code)};
  while (!open.empty()) {
    const Post post = open.back();
    open.pop_back();
    for (const std::uint32_t m : from[post]) {
      const ThreadMove& move = moves_.move(m);
      const Order order = after(move);
      Order& known = order_[move.target];
      bool changed = known.empty();
      if (changed) known.resize(width_ * width_);
      for (std::size_t i = 0; i < order.size(); ++i)
        if (order[i] && !known[i]) changed = known[i] = true;
      if (changed) open.push_back(move.target);
    }
  }
  for (Post post = moves_.start(code); post < moves_.end(code); ++post)
    for (std::size_t i = 0; i < width_ && !order_[post].empty(); ++i)
      if (order_[post][i * width_ + i]) cells_[post].push_back(stored[i]);
}

PendingStores::Order PendingStores::after(const ThreadMove& move) const {
  if (move.kind == MoveKind::kLocked) return Order(width_ * width_);
  Order order = order_[move.source];
  if (move.kind != MoveKind::kWrite) return order;
  const std::vector<std::uint16_t>& stored = stored_[moves_.code_of(move.source)];
  const auto x =
      static_cast<std::size_t>(std::ranges::lower_bound(stored, move.access.cell) - stored.begin());
  for (std::size_t y = 0; y < width_; ++y) {
    if (y == x) continue;
    order[x * width_ + y] = false;
    if (order[y * width_ + y]) order[y * width_ + x] = true;
  }
  order[x * width_ + x] = true;
  return order;
}

bool PendingStores::may_pend(Post post, std::uint16_t cell) const {
  return std::ranges::binary_search(cells_[post], cell);
}

bool PendingStores::may_be_older(Post post, std::uint16_t older, std::uint16_t newer) const {
  const std::vector<std::uint16_t>& stored = stored_[moves_.code_of(post)];
  const auto number = [&](std::uint16_t cell) {
    return static_cast<std::size_t>(std::ranges::lower_bound(stored, cell) - stored.begin());
  };
  return order_[post][number(older) * stored.size() + number(newer)];
}

}  // namespace weir
