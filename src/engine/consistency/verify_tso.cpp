// VerifyTSO [Toman21, Algorithm 5.1]. The search tries orders in which stores reach memory. Between two of
// them all threads run as far as they can: that is never wrong, because an event of a thread that is
// possible stays possible until it takes place, and only frees variables. So the numbers of stores that
// have left the buffers determine the prefix, and each combination of them is visited once: O(k n^(k+1))
// for k threads and n events, where the naive algorithm visits combinations of positions and stores.
//
// Differences. More than thread events is done without choosing: stores that nobody will read any more and
// updates that wait for nothing (see prefix.cpp for why). What remains to be chosen are stores that
// somebody waits for. Updates are one event; that they wait for an empty buffer is a condition and not a
// fence event. The search is depth-first and takes its steps back, instead of keeping a trace for each
// prefix.
#include "engine/consistency/verify_tso.hpp"

namespace weir::consistency {

namespace {

class TsoSearch {
 public:
  TsoSearch(const Layout& layout, Scratch& scratch, Budget& budget)
      : layout_(layout), prefix_(scratch.prefix), scratch_(scratch), budget_(budget) {}

  Outcome run() {
    start();
    prefix_.settle();
    remember();
    return depth_first(scratch_, budget_, [&](Frame& frame) { return extend(frame); });
  }

 private:
  void start() {
    prefix_.start(layout_);
    scratch_.packing.clear();
    for (Index b = 0; b < layout_.buffers; ++b)
      scratch_.packing.add_digit(layout_.first_store[b + 1] - layout_.first_store[b] + 1);
    scratch_.done.start(scratch_.packing.words());
  }

  // Goes to the next prefix that is one chosen store longer and has not been visited. False if there is none
  // left.
  bool extend(Frame& frame) {
    while (frame.next < layout_.buffers) {
      const Index store = prefix_.oldest(frame.next++);
      if (store == kNone || !prefix_.can_commit(store)) continue;
      const std::size_t length = prefix_.length();
      prefix_.commit(store);
      prefix_.settle();
      if (remember()) {
        scratch_.frames.push_back({length, 0});
        return true;
      }
      prefix_.shorten(length);
    }
    return false;
  }

  bool remember() {
    std::uint64_t* row = scratch_.done.stage();
    for (Index b = 0; b < layout_.buffers; ++b) scratch_.packing.put(b, prefix_.flushed(b), row);
    return scratch_.done.insert();
  }

  const Layout& layout_;
  Prefix& prefix_;
  Scratch& scratch_;
  Budget& budget_;
};

}  // namespace

Outcome verify_tso(const Layout& layout, Scratch& scratch, Budget& budget) {
  return TsoSearch(layout, scratch, budget).run();
}

}  // namespace weir::consistency
