// Partial coherence [Calin16, Figure 3.10; Kuperstein11]: a queue of at most k stores, and behind it a set
// with the last added store of each cell. With k = 0 this is the set abstraction (Figure 3.6).
//
// A store enters the queue as long as that is not full and the set is empty, otherwise the set; the set is
// flushed only when the queue is empty. In the figure as printed, rule LS-S asks for an empty set where it
// must be one that is not empty (or a full queue), and WM-SND removes what it flushes and does not ask for an
// empty queue. The content is the queue, then, if the set is not empty, a barrier and the set.
#include "memory/unordered_stores.hpp"

namespace weir {

namespace {

class PartialCoherence : public BufferRules {
 public:
  explicit PartialCoherence(std::uint32_t queue) : queue_(queue) {}

  void push(BufferContent& content, BufferedStore store) const override {
    const std::size_t barrier = queue_end(content);
    if (barrier == content.size()) {  // the set is empty
      if (barrier < queue_ * kEntry) {
        content.insert(content.end(), {static_cast<Value>(store.cell.index()), store.value});
        return;
      }
      content.insert(content.end(), {kBarrier, 0});
    }
    add_unordered(content, barrier + kEntry, store, Copies::kForgotten);
  }

  std::vector<FlushedContent> flushes(const BufferContent& content) const override {
    if (content.empty()) return {};
    std::vector<FlushedContent> found;
    if (content[0] == kBarrier) {
      flush_unordered(content, kEntry, Copies::kForgotten, found);
      for (FlushedContent& flush : found)
        if (flush.rest.size() == kEntry) flush.rest.clear();  // the set is empty now
    } else {
      found.push_back({{CellId(static_cast<std::size_t>(content[0])), content[1]},
                       {content.begin() + kEntry, content.end()}});
    }
    return found;
  }

 private:
  static std::size_t queue_end(const BufferContent& content) {
    std::size_t at = 0;
    while (at < content.size() && content[at] != kBarrier) at += kEntry;
    return at;
  }

  std::size_t queue_;
};

}  // namespace

std::unique_ptr<const BufferRules> partial_coherence(std::uint32_t queue) {
  return std::make_unique<PartialCoherence>(queue);
}

}  // namespace weir
