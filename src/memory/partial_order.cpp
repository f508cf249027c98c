// Partial store order: one queue per cell. Within a part between two barriers the entries are kept sorted by
// cell (the order between cells carries no information there); the oldest entry of each cell in the first
// part can be flushed. A barrier never comes first.
//
// Stores to cells that have bytes in common keep their order. Then a part is the least, in the order of cells, of all
// sequences that differ in the order of other stores only: a new store moves to the front as far as it may, and back
// behind smaller ones.
#include "base/fault.hpp"
#include "memory/buffer_rules.hpp"

namespace weir {

namespace {

class PartialOrder : public BufferRules {
 public:
  explicit PartialOrder(ShareBytes share) : share_(std::move(share)) {}

  void push(BufferContent& content, BufferedStore store) const override {
    const auto cell = static_cast<Value>(store.cell.index());
    std::size_t at = content.size();
    while (at > 0 && content[at - kEntry] != kBarrier && !share_(cell_at(content, at - kEntry), store.cell))
      at -= kEntry;
    while (at < content.size() && content[at] < cell) at += kEntry;
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
      if (is_behind_another(content, at)) continue;
      BufferContent rest = content;
      const auto taken = rest.begin() + static_cast<std::ptrdiff_t>(at);
      rest.erase(taken, taken + kEntry);
      if (!rest.empty() && rest[0] == kBarrier) rest.erase(rest.begin(), rest.begin() + kEntry);
      found.push_back({{CellId(static_cast<std::size_t>(content[at])), content[at + 1]}, std::move(rest)});
    }
    return found;
  }

 private:
  static CellId cell_at(const BufferContent& content, std::size_t at) {
    return CellId(static_cast<std::size_t>(content[at]));
  }
  bool is_behind_another(const BufferContent& content, std::size_t at) const {
    for (std::size_t older = 0; older < at; older += kEntry)
      if (share_(cell_at(content, older), cell_at(content, at)) &&
          !(fault("part-overtakes") && content[older] != content[at]))
        return true;
    return false;
  }

  ShareBytes share_;
};

}  // namespace

std::unique_ptr<const BufferRules> partial_order(ShareBytes share) {
  return std::make_unique<PartialOrder>(std::move(share));
}

}  // namespace weir
