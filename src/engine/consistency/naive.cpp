// The naive algorithms: enumerate the lower sets of program order, that is, all combinations of positions
// of the threads and stores that have left the buffers, by steps that keep what reads wait for. This
// carries the algorithm for SC [Abdulla19] over to TSO, where it visits up to n^(2k) prefixes, and to PSO,
// with up to n^(k(d+1)), for n events, k threads and d variables [Toman21, Sections 5.1 and 5.4.1].
//
// It is the baseline that VerifyTSO and VerifyPSO are measured against and compared with: no event has
// precedence over another, and nothing is done without being chosen. The state and the table are those of
// the others, so that times compare algorithms and not craft.
#include "engine/consistency/naive.hpp"

namespace weir::consistency {

namespace {

class NaiveSearch {
 public:
  NaiveSearch(const Layout& layout, Scratch& scratch, Budget& budget)
      : layout_(layout), prefix_(scratch.prefix), scratch_(scratch), budget_(budget) {}

  Outcome run() {
    start();
    remember();
    return depth_first(scratch_, budget_, [&](Frame& frame) { return extend(frame); });
  }

 private:
  void start() {
    prefix_.start(layout_);
    scratch_.packing.clear();
    for (Index t = 0; t < layout_.threads; ++t)
      scratch_.packing.add_digit(layout_.first_event[t + 1] - layout_.first_event[t] + 1);
    for (Index b = 0; b < layout_.buffers; ++b)
      scratch_.packing.add_digit(layout_.first_store[b + 1] - layout_.first_store[b] + 1);
    scratch_.done.start(scratch_.packing.words());
  }

  bool extend(Frame& frame) {
    while (frame.next < layout_.counters()) {
      const std::size_t length = prefix_.length();
      const Index choice = frame.next++;
      if (!(choice < layout_.threads ? take(choice) : commit(choice - layout_.threads))) continue;
      if (remember()) {
        scratch_.frames.push_back({length, 0});
        return true;
      }
      prefix_.shorten(length);
    }
    return false;
  }

  bool take(Index thread) {
    const Index event = prefix_.next_event(thread);
    if (event == kNone) return false;
    const EventKind kind = layout_.kind[event];
    if (drains(kind) && !prefix_.drained(thread)) return false;
    if (kind == EventKind::kRead && !prefix_.can_read(event)) return false;
    if (kind == EventKind::kUpdate && !prefix_.can_update(event)) return false;
    prefix_.issue(event);
    return true;
  }

  bool commit(Index buffer) {
    const Index store = prefix_.oldest(buffer);
    if (store == kNone || !prefix_.can_commit(store)) return false;
    prefix_.commit(store);
    return true;
  }

  bool remember() {
    std::uint64_t* row = scratch_.done.stage();
    for (Index c = 0; c < layout_.counters(); ++c) scratch_.packing.put(c, prefix_.counters()[c], row);
    return scratch_.done.insert();
  }

  const Layout& layout_;
  Prefix& prefix_;
  Scratch& scratch_;
  Budget& budget_;
};

}  // namespace

Outcome verify_naively(const Layout& layout, Scratch& scratch, Budget& budget) {
  return NaiveSearch(layout, scratch, budget).run();
}

}  // namespace weir::consistency
