// VerifyPSO [Toman21, Algorithm 5.2]. The search tries orders of thread events. A store that nobody will
// read any more reaches memory as soon as its variable is free; every other store as late as possible, that
// is, when a read of another thread or a fence needs it. Two prefixes with the same thread events then
// differ only in unread stores that came too late, and stay in their buffers because their variable is
// held. That matters when their thread comes to a fence. The *fence map* tells how long: for threads t and
// u, the last read of u that t's next fence has to wait for. One prefix for each combination of positions
// and fence map is enough: O(k n^(k+1) min(n^(k(k-1)), 2^(kd))) for n events, k threads and d variables,
// O(k n^(k+1)) without fences.
//
// Differences; the first three each have a test that fails without them:
// - *Own readers.* The text leaves reads of the thread whose write holds the variable out of the fence map.
//   Such a read may wait for something behind the fence, so it belongs there.
// - *Updates* hand a variable on: when an update has read the write that held the variable, its own write
//   holds it, and nothing comes between. So a store waits for the readers of the whole chain of updates,
//   and what a reader of the chain has in its own buffer must be in memory before the chain starts
//   (`Layout::last_reader` and the requirements). With the readers of the holding write alone the fence map
//   would not be monotone.
// - *Store fences.* A store that a later one must wait for cannot always be put off: an unread store behind
//   it would miss the time when its variable is free. Such stores may be chosen at any time, and in their
//   threads the buffers, not the fence map, tell prefixes apart. The store fence map of the text tells
//   prefixes apart too, but never looks for the earlier commit.
// - *No choice where none is needed.* Thread events that need no store to be committed take place at once;
//   see prefix.cpp.
#include "engine/consistency/verify_pso.hpp"

#include <algorithm>

namespace weir::consistency {

namespace {

class PsoSearch {
 public:
  PsoSearch(const Layout& layout, Scratch& scratch, Budget& budget)
      : layout_(layout), prefix_(scratch.prefix), scratch_(scratch), budget_(budget) {}

  Outcome run() {
    start();
    prefix_.settle();
    remember();
    return depth_first(scratch_, budget_, [&](Frame& frame) { return extend(frame); });
  }

 private:
  bool mapped(Index thread) const { return layout_.drained[thread] != 0 && layout_.ordered[thread] == 0; }

  void start() {
    prefix_.start(layout_);
    scratch_.packing.clear();
    for (Index t = 0; t < layout_.threads; ++t) scratch_.packing.add_digit(events_of(t) + 1);
    for (Index t = 0; t < layout_.threads; ++t) {
      if (mapped(t))
        for (Index u = 0; u < layout_.threads; ++u)
          if (u != t) scratch_.packing.add_digit(events_of(u) + 1);
      if (layout_.ordered[t])
        for (Index b = layout_.first_buffer[t]; b < layout_.first_buffer[t + 1]; ++b)
          scratch_.packing.add_digit(layout_.first_store[b + 1] - layout_.first_store[b] + 1);
    }
    scratch_.done.start(scratch_.packing.words());
    scratch_.numbers.resize(layout_.threads);
  }

  Index events_of(Index thread) const {
    return layout_.first_event[thread + 1] - layout_.first_event[thread];
  }

  // Goes to the next prefix that is one choice longer and has not been visited. The choices are the next
  // event of each thread, then the oldest store of each buffer. False if there is none left.
  bool extend(Frame& frame) {
    while (frame.next < layout_.threads + layout_.buffers) {
      const std::size_t length = prefix_.length();
      const Index choice = frame.next++;
      if (choice < layout_.threads ? take(choice) : commit_early(choice - layout_.threads)) {
        prefix_.settle();
        if (remember()) {
          scratch_.frames.push_back({length, 0});
          return true;
        }
      }
      prefix_.shorten(length);
    }
    return false;
  }

  // Executes the next event of the thread after committing the stores it waits for; false if that cannot be
  // done, with some of them committed.
  bool take(Index thread) {
    const Index event = prefix_.next_event(thread);
    if (event == kNone) return false;
    if (drains(layout_.kind[event]) && !drain(thread)) return false;
    if (reads(layout_.kind[event]) && !fetch(layout_.source[event])) return false;
    if (layout_.kind[event] == EventKind::kUpdate && !prefix_.can_update(event)) return false;
    prefix_.issue(event);
    return true;
  }

  bool drain(Index thread) {
    for (bool progress = true; progress;) {
      progress = false;
      for (Index b = layout_.first_buffer[thread]; b < layout_.first_buffer[thread + 1]; ++b)
        for (Index store = prefix_.oldest(b); store != kNone && prefix_.can_commit(store);
             store = prefix_.oldest(b)) {
          prefix_.commit(store);
          progress = true;
        }
    }
    return prefix_.drained(thread);
  }

  // Brings the source of a read into memory. It is not of the reader's own thread: such reads do not have to
  // be chosen.
  bool fetch(Index source) {
    if (prefix_.in_memory(source)) return true;
    const Index store = layout_.store_of_write(source);
    if (prefix_.oldest(layout_.store_buffer[store]) != store || !prefix_.can_commit(store)) return false;
    prefix_.commit(store);
    return true;
  }

  bool commit_early(Index buffer) {
    const Index store = prefix_.oldest(buffer);
    if (store == kNone || !layout_.kept_apart[store] || !prefix_.can_commit(store)) return false;
    prefix_.commit(store);
    return true;
  }

  bool remember() {
    std::uint64_t* row = scratch_.done.stage();
    std::size_t digit = 0;
    for (Index t = 0; t < layout_.threads; ++t) scratch_.packing.put(digit++, prefix_.position(t), row);
    for (Index t = 0; t < layout_.threads; ++t) {
      if (mapped(t)) {
        map_fences(t);
        for (Index u = 0; u < layout_.threads; ++u)
          if (u != t) scratch_.packing.put(digit++, scratch_.numbers[u], row);
      }
      if (layout_.ordered[t])
        for (Index b = layout_.first_buffer[t]; b < layout_.first_buffer[t + 1]; ++b)
          scratch_.packing.put(digit++, prefix_.flushed(b), row);
    }
    return scratch_.done.insert();
  }

  // The row of the fence map for `thread`: one beyond the position of the read to wait for, or 0.
  void map_fences(Index thread) {
    std::vector<Index>& map = scratch_.numbers;
    std::fill(map.begin(), map.end(), 0);
    if (prefix_.position(thread) >= layout_.drained[thread]) return;
    for (Index b = layout_.first_buffer[thread]; b < layout_.first_buffer[thread + 1]; ++b) {
      const Index store = prefix_.oldest(b);
      if (store == kNone) continue;
      const Index variable = layout_.store_variable[store];
      if (!prefix_.held(variable)) continue;
      const Index* last =
          layout_.last_reader.data() + std::size_t{prefix_.active(variable)} * layout_.threads;
      for (Index u = 0; u < layout_.threads; ++u)
        if (u != thread && last[u] > prefix_.position(u)) map[u] = std::max(map[u], last[u]);
    }
  }

  const Layout& layout_;
  Prefix& prefix_;
  Scratch& scratch_;
  Budget& budget_;
};

}  // namespace

Outcome verify_pso(const Layout& layout, Scratch& scratch, Budget& budget) {
  return PsoSearch(layout, scratch, budget).run();
}

}  // namespace weir::consistency
