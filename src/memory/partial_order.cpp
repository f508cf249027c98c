// Partial store order: one queue per cell. Within a part between two barriers the entries are kept sorted by
// cell (the order between cells carries no information there); the oldest entry of each cell in the first
// part can be flushed. A barrier never comes first.
#include "base/fault.hpp"
#include "memory/buffer_rules.hpp"

namespace weir {

namespace {

class PartialOrder : public BufferRules {
 public:
  // Behind everything with a smaller or equal cell, in the last part.
  void push(BufferContent& content, BufferedStore store) const override {
    const auto cell = static_cast<Value>(store.cell.index());
    std::size_t at = content.size();
    while (at > 0 && content[at - kEntry] != kBarrier && content[at - kEntry] > cell) at -= kEntry;
    content.insert(content.begin() + static_cast<std::ptrdiff_t>(at), {cell, store.value});
  }

  void push_barrier(BufferContent& content) const override {
    if (content.empty() || content[content.size() - kEntry] == kBarrier) return;
    if (fault("lost-barrier")) return;
    content.insert(content.end(), {kBarrier, 0});
  }

  std::vector<FlushedContent> flushes(const BufferContent& content) const override {
    std::vector<FlushedContent> found;
    for (std::size_t at = 0; at < content.size() && content[at] != kBarrier; at += kEntry) {
      if (at > 0 && content[at] == content[at - kEntry]) continue;  // not the oldest store to its cell
      BufferContent rest = content;
      const auto taken = rest.begin() + static_cast<std::ptrdiff_t>(at);
      rest.erase(taken, taken + kEntry);
      if (!rest.empty() && rest[0] == kBarrier) rest.erase(rest.begin(), rest.begin() + kEntry);
      found.push_back({{CellId(static_cast<std::size_t>(content[at])), content[at + 1]}, std::move(rest)});
    }
    return found;
  }
};

}  // namespace

std::unique_ptr<const BufferRules> partial_order() { return std::make_unique<PartialOrder>(); }

}  // namespace weir
