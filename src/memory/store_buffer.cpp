#include "memory/store_buffer.hpp"

#include <algorithm>

namespace weir {

BufferContent StoreBuffers::content(BufferId buffer) const {
  const std::span<const Value> words = contents_[buffer.index()];
  return {words.begin(), words.end()};
}

BufferId StoreBuffers::push(BufferId buffer, BufferedStore store) {
  pushed_.insert(store.cell.index());
  BufferContent after = content(buffer);
  rules_->push(after, store);
  return intern(after);
}

BufferId StoreBuffers::push_barrier(BufferId buffer) {
  BufferContent after = content(buffer);
  rules_->push_barrier(after);
  return intern(after);
}

std::vector<Flush> StoreBuffers::flushes(BufferId buffer) {
  std::vector<Flush> found;
  for (const FlushedContent& flush : rules_->flushes(content(buffer)))
    found.push_back({flush.store, intern(flush.rest)});
  return found;
}

std::optional<Value> StoreBuffers::newest(BufferId buffer, CellId cell) const {
  const std::span<const Value> words = contents_[buffer.index()];
  for (std::size_t at = words.size(); at > 0; at -= kEntry)
    if (words[at - kEntry] == static_cast<Value>(cell.index())) return words[at - kEntry + 1];
  return std::nullopt;
}

std::optional<BufferedStore> StoreBuffers::newest_over(BufferId buffer, CellId cell) const {
  const std::span<const Value> words = contents_[buffer.index()];
  for (std::size_t at = words.size(); at > 0; at -= kEntry) {
    if (words[at - kEntry] == BufferRules::kBarrier) continue;
    const CellId stored(static_cast<std::size_t>(words[at - kEntry]));
    if (share_(stored, cell)) return BufferedStore{stored, words[at - kEntry + 1]};
  }
  return std::nullopt;
}

bool StoreBuffers::ever_pushed(CellId cell) const {
  return std::ranges::any_of(pushed_, [&](std::uint32_t stored) { return share_(CellId(stored), cell); });
}

std::size_t StoreBuffers::length(BufferId buffer) const {
  const std::span<const Value> words = contents_[buffer.index()];
  std::size_t stores = 0;
  for (std::size_t at = 0; at < words.size(); at += kEntry) stores += words[at] != BufferRules::kBarrier;
  return stores;
}

}  // namespace weir
