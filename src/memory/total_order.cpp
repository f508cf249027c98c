// Total store order: program order is kept, and the oldest store is flushed.
#include "base/fault.hpp"
#include "memory/buffer_rules.hpp"

namespace weir {

namespace {

class TotalOrder : public BufferRules {
 public:
  void push(BufferContent& content, BufferedStore store) const override {
    content.insert(content.end(), {static_cast<Value>(store.cell.index()), store.value});
  }

  std::vector<FlushedContent> flushes(const BufferContent& content) const override {
    if (content.empty()) return {};
    const bool loses_next = fault("lost-flush") && content.size() > kEntry;
    return {{{CellId(static_cast<std::size_t>(content[0])), content[1]},
             {content.begin() + (loses_next ? 2 * kEntry : kEntry), content.end()}}};
  }
};

}  // namespace

std::unique_ptr<const BufferRules> total_order() { return std::make_unique<TotalOrder>(); }

}  // namespace weir
