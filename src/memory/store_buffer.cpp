#include "memory/store_buffer.hpp"

#include <algorithm>

namespace weir {

std::vector<Value> StoreBuffers::words(BufferId buffer) const {
  const std::span<const Value> content = contents_[buffer.index()];
  return {content.begin(), content.end()};
}

BufferId StoreBuffers::push(BufferId buffer, BufferedStore store) {
  pushed_.insert(store.cell.index());
  std::vector<Value> content = words(buffer);
  const auto cell = static_cast<Value>(store.cell.index());
  std::size_t at = content.size();
  if (discipline_ ==
      Discipline::kPartial)  // behind everything with a smaller or equal cell, in the last part
    while (at > 0 && content[at - 2] != kBarrier && content[at - 2] > cell) at -= 2;
  content.insert(content.begin() + static_cast<std::ptrdiff_t>(at), {cell, store.value});
  return intern(content);
}

BufferId StoreBuffers::push_barrier(BufferId buffer) {
  if (discipline_ == Discipline::kTotal || buffer == kEmptyBuffer) return buffer;
  std::vector<Value> content = words(buffer);
  if (content[content.size() - 2] == kBarrier) return buffer;
  content.insert(content.end(), {kBarrier, 0});
  return intern(content);
}

std::vector<Flush> StoreBuffers::flushes(BufferId buffer) {
  std::vector<Flush> found;
  const std::vector<Value> content = words(buffer);
  for (std::size_t at = 0; at < content.size() && content[at] != kBarrier; at += 2) {
    if (at > 0 && content[at] == content[at - 2]) continue;  // not the oldest store to its cell
    std::vector<Value> rest = content;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(at),
               rest.begin() + static_cast<std::ptrdiff_t>(at + 2));
    if (!rest.empty() && rest[0] == kBarrier) rest.erase(rest.begin(), rest.begin() + 2);
    found.push_back({{CellId(static_cast<std::size_t>(content[at])), content[at + 1]}, intern(rest)});
    if (discipline_ == Discipline::kTotal) break;
  }
  return found;
}

std::optional<Value> StoreBuffers::newest(BufferId buffer, CellId cell) const {
  const std::span<const Value> content = contents_[buffer.index()];
  for (std::size_t at = content.size(); at > 0; at -= 2)
    if (content[at - 2] == static_cast<Value>(cell.index())) return content[at - 1];
  return std::nullopt;
}

std::size_t StoreBuffers::length(BufferId buffer) const {
  const std::span<const Value> content = contents_[buffer.index()];
  std::size_t stores = 0;
  for (std::size_t at = 0; at < content.size(); at += 2) stores += content[at] != kBarrier;
  return stores;
}

}  // namespace weir
