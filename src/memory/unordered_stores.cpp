#include "memory/unordered_stores.hpp"

namespace weir {

namespace {

constexpr std::size_t kEntry = BufferRules::kEntry;

void insert_entry(BufferContent& content, std::size_t at, Value cell, Value value) {
  content.insert(content.begin() + static_cast<std::ptrdiff_t>(at), {cell, value});
}

void erase_entry(BufferContent& content, std::size_t at) {
  const auto entry = content.begin() + static_cast<std::ptrdiff_t>(at);
  content.erase(entry, entry + kEntry);
}

// Is the entry the last of its cell?
bool added_last(const BufferContent& content, std::size_t at) {
  return at + kEntry == content.size() || content[at + kEntry] != content[at];
}

// Puts the store that was added last where its value belongs.
void sort_in(BufferContent& content, std::size_t first, std::size_t last) {
  for (std::size_t at = last;
       at > first && content[at - kEntry] == content[at] && content[at - kEntry + 1] > content[at + 1];
       at -= kEntry)
    std::swap(content[at + 1], content[at - kEntry + 1]);
}

}  // namespace

void add_unordered(BufferContent& content, std::size_t first, BufferedStore store, Copies copies) {
  const auto cell = static_cast<Value>(store.cell.index());
  std::size_t group = first;
  while (group < content.size() && content[group] < cell) group += kEntry;
  std::size_t end = group;
  while (end < content.size() && content[end] == cell) end += kEntry;
  if (end > group) sort_in(content, group, end - kEntry);
  if (copies == Copies::kForgotten)
    for (std::size_t at = group; at < end; at += kEntry)
      if (content[at + 1] == store.value) {
        erase_entry(content, at);
        end -= kEntry;
        break;
      }
  insert_entry(content, end, cell, store.value);
}

void flush_unordered(const BufferContent& content, std::size_t first, Copies copies,
                     std::vector<FlushedContent>& found) {
  for (std::size_t at = first; at < content.size(); at += kEntry) {
    const bool begins_cell = at == first || content[at - kEntry] != content[at];
    const bool last = added_last(content, at);
    const BufferedStore store{CellId(static_cast<std::size_t>(content[at])), content[at + 1]};
    const bool like_previous = !begins_cell && !last && content[at - kEntry + 1] == store.value;
    if (like_previous) continue;  // a further copy
    if (!last || begins_cell) {
      found.push_back({store, content});
      erase_entry(found.back().rest, at);
    }
    if (copies == Copies::kForgotten) found.push_back({store, content});
  }
}

}  // namespace weir
