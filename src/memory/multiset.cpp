// The multiset of buffered stores with the last added one of each cell [Calin16, Figure 3.8].
#include "memory/unordered_stores.hpp"

namespace weir {

namespace {

class Multiset : public BufferRules {
 public:
  void push(BufferContent& content, BufferedStore store) const override {
    add_unordered(content, 0, store, Copies::kCounted);
  }

  std::vector<FlushedContent> flushes(const BufferContent& content) const override {
    std::vector<FlushedContent> found;
    flush_unordered(content, 0, Copies::kCounted, found);
    return found;
  }
};

}  // namespace

std::unique_ptr<const BufferRules> multiset() { return std::make_unique<Multiset>(); }

}  // namespace weir
