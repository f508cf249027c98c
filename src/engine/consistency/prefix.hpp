// A prefix of an execution under TSO or PSO, extended and shortened at its end: the state that all searches
// walk.
//
// It keeps what makes a prefix worth extending [Toman21, Section 5.2]: a variable is *held* as long as a
// read waits for the write that is in memory, and no other store may reach memory then; and a store reaches
// memory only if what its requirements name has happened. Every extension takes place in constant time, and
// so does taking it back.
#pragma once

#include "engine/consistency/layout.hpp"

namespace weir::consistency {

class Prefix {
 public:
  void start(const Layout& layout) {
    layout_ = &layout;
    counters_.assign(layout.counters(), 0);
    issued_.assign(layout.buffers, 0);
    active_.resize(layout.variables);
    for (Index x = 0; x < layout.variables; ++x) active_[x] = x;
    waiting_.assign(layout.readers.begin(), layout.readers.end());
    trail_.clear();
    replaced_.clear();
  }

  const Layout& layout() const { return *layout_; }
  const std::vector<Index>& counters() const { return counters_; }
  Index position(Index thread) const { return counters_[thread]; }
  Index flushed(Index buffer) const { return counters_[layout_->threads + buffer]; }
  // The next event of a thread, or kNone.
  Index next_event(Index thread) const {
    const Index event = layout_->first_event[thread] + counters_[thread];
    return event < layout_->first_event[thread + 1] ? event : kNone;
  }
  // The store that leaves the buffer next, or kNone if the buffer is empty.
  Index oldest(Index buffer) const {
    return empty(buffer) ? kNone : layout_->first_store[buffer] + flushed(buffer);
  }
  bool empty(Index buffer) const { return flushed(buffer) == issued_[buffer]; }
  bool drained(Index thread) const {
    for (Index b = layout_->first_buffer[thread]; b < layout_->first_buffer[thread + 1]; ++b)
      if (!empty(b)) return false;
    return true;
  }
  bool in_memory(Index write) const {
    if (layout_->initial(write)) return true;
    const Index store = layout_->store_of_write(write);
    return layout_->rank(store) < flushed(layout_->store_buffer[store]);
  }
  // The write that is in memory.
  Index active(Index variable) const { return active_[variable]; }
  bool held(Index variable) const { return waiting_[active_[variable]] != 0; }
  // Will no read that is still to come read it?
  bool unread(Index store) const { return waiting_[layout_->write_of(store)] == 0; }
  bool required(Index store) const {
    for (const Requirement& requirement : layout_->requirements(store))
      if (counters_[requirement.counter] < requirement.count) return false;
    return true;
  }
  bool complete() const { return trail_.size() == layout_->steps; }
  std::size_t length() const { return trail_.size(); }

  // May the oldest store of its buffer reach memory?
  bool can_commit(Index store) const { return !held(layout_->store_variable[store]) && required(store); }
  // May this read take place, given that its thread has come so far? What hides its source is gone when that
  // reaches memory.
  bool can_read(Index event) const { return layout_->local(event) || in_memory(layout_->source[event]); }
  // May this update take place, given that its thread has come so far and its buffers are empty?
  bool can_update(Index event) const {
    const Index source = layout_->source[event];
    return in_memory(source) && waiting_[source] == 1 && required(layout_->event_store[event]);
  }

  void commit(Index store) {
    const Index variable = layout_->store_variable[store];
    trail_.push_back({EventId(layout_->store_event[store]), true});
    replaced_.push_back(active_[variable]);
    active_[variable] = layout_->write_of(store);
    ++counters_[layout_->threads + layout_->store_buffer[store]];
  }
  void issue(Index event) {
    trail_.push_back({EventId(event), false});
    ++counters_[layout_->thread[event]];
    if (layout_->source[event] != kNone) --waiting_[layout_->source[event]];
    if (layout_->event_store[event] == kNone) return;
    const Index buffer = layout_->store_buffer[layout_->event_store[event]];
    ++issued_[buffer];
    if (layout_->kind[event] != EventKind::kUpdate) return;
    const Index variable = layout_->variable[event];
    replaced_.push_back(active_[variable]);
    active_[variable] = layout_->write_of(layout_->event_store[event]);
    ++counters_[layout_->threads + buffer];
  }
  // Does everything that needs no choice: whatever execution the prefix is extended to, there is one with
  // this done first.
  void settle();
  void shorten(std::size_t length) {
    while (trail_.size() > length) take_back();
  }

  std::span<const Step> trail() const { return trail_; }

 private:
  bool needs_no_choice(Index event) const;
  void take_back() {
    const Step step = trail_.back();
    trail_.pop_back();
    const Index event = step.event.index();
    const Index store = layout_->event_store[event];
    if (step.commit || layout_->kind[event] == EventKind::kUpdate) {
      active_[layout_->variable[event]] = replaced_.back();
      replaced_.pop_back();
      --counters_[layout_->threads + layout_->store_buffer[store]];
    }
    if (step.commit) return;
    --counters_[layout_->thread[event]];
    if (layout_->source[event] != kNone) ++waiting_[layout_->source[event]];
    if (store != kNone) --issued_[layout_->store_buffer[store]];
  }

  const Layout* layout_ = nullptr;
  std::vector<Index> counters_;  // events per thread, then stores that have left each buffer
  std::vector<Index> issued_;    // per buffer: stores that have entered it
  std::vector<Index> active_;    // per variable
  std::vector<Index> waiting_;   // per write: reads still to come
  std::vector<Step> trail_;
  std::vector<Index> replaced_;  // the writes that steps of the trail have overwritten in memory
};

}  // namespace weir::consistency
