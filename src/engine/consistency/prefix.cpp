// What VerifyTSO and VerifyPSO do without choosing. Each of these steps can be moved to the front of the
// rest of an execution, which stays one:
// - a write enters its buffer, and a store fence takes place: that concerns nobody else;
// - a read of its own thread's store, or of one that is in memory: the variable is held until the read has
//   taken place, so it reads the same now, and frees the variable earlier;
// - a fence whose thread's buffers are empty: they stay so until it takes place;
// - an update whose source is in memory and wanted by nobody else, if the buffers are empty: the variable
//   is held, so nothing happens to it before the update;
// - a store that nobody will read leaves its buffer, if the variable is free: what it overwrites is not
//   needed, and what overwrote that later overwrites this store.
#include "engine/consistency/prefix.hpp"

namespace weir::consistency {

bool Prefix::needs_no_choice(Index event) const {
  switch (layout_->kind[event]) {
    case EventKind::kRead: return can_read(event);
    case EventKind::kUpdate: return can_update(event) && drained(layout_->thread[event]);
    case EventKind::kFence: return drained(layout_->thread[event]);
    case EventKind::kWrite:
    case EventKind::kStoreFence: return true;
  }
  return false;
}

void Prefix::settle() {
  bool changed = true;
  while (changed) {
    const std::size_t before = trail_.size();
    for (Index t = 0; t < layout_->threads; ++t) {
      for (Index event = next_event(t); event != kNone && needs_no_choice(event); event = next_event(t))
        issue(event);
      for (Index b = layout_->first_buffer[t]; b < layout_->first_buffer[t + 1]; ++b)
        for (Index store = oldest(b); store != kNone && unread(store) && can_commit(store); store = oldest(b))
          commit(store);
    }
    changed = trail_.size() != before;
  }
}

}  // namespace weir::consistency
