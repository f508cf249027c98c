// VerifySC [Toman21, Algorithm 4.1]. The search enumerates witness states: positions of the threads, and
// for each variable the thread whose write is in memory. A read can take place if a good-write is there. A
// variable is held by a read that is still to come and has no good-write left to wait for; no write to it
// can take place then. At most n^k k^d states for n events, k threads and d variables, each left in O(n k).
//
// Differences. With the short cuts of Section 4.2.2 a read that can take place does so at once, and so does
// a write that is good for nobody where the write in memory is good for nobody. To these come fences, and
// updates for which the variable is held and whose source nobody else wants: nothing else can happen to the
// variable before. And a write in memory that is good for nobody is not told apart from another such write,
// which for reads-from maps leaves as many states as there are combinations of positions. `plain` does none
// of this; it is the baseline.
#include "engine/consistency/verify_sc.hpp"

#include <algorithm>

namespace weir::consistency {

Outcome VerifySc::run(const ScLayout& layout, bool plain, Scratch& scratch, Budget& budget) {
  layout_ = &layout;
  scratch_ = &scratch;
  plain_ = plain;
  start();
  settle();
  remember();
  const Outcome outcome = depth_first(
      scratch, budget, [&] { return trail_.size() == layout_->events; },
      [&](Frame& frame) { return extend(frame); }, [&](std::size_t length) { shorten(length); });
  return outcome;
}

void VerifySc::start() {
  const ScLayout& l = *layout_;
  position_.assign(l.threads, 0);
  active_.resize(l.variables);
  for (Index x = 0; x < l.variables; ++x) active_[x] = x;
  wanted_.resize(l.variables + l.events);
  for (Index w = 0; w < l.variables + l.events; ++w) wanted_[w] = static_cast<Index>(l.readers(w).size());
  missing_.assign(l.events, 0);
  holders_.assign(l.variables, 0);
  for (Index e = 0; e < l.events; ++e) {
    if (!reads(l.kind[e])) continue;
    for (const Index write : l.sources(e)) missing_[e] += l.initial(write) ? 0 : 1;
    if (missing_[e] == 0) ++holders_[l.variable[e]];
  }
  trail_.clear();
  replaced_.clear();
  scratch_->packing.clear();
  for (Index t = 0; t < l.threads; ++t)
    scratch_->packing.add_digit(l.first_event[t + 1] - l.first_event[t] + 1);
  for (Index x = 0; x < l.variables; ++x) scratch_->packing.add_digit(l.threads + 2);
  scratch_->done.start(scratch_->packing.words());
}

Index VerifySc::next_event(Index thread) const {
  const Index event = layout_->first_event[thread] + position_[thread];
  return event < layout_->first_event[thread + 1] ? event : kNone;
}

bool VerifySc::extend(Frame& frame) {
  while (frame.next < layout_->threads) {
    const Index event = next_event(frame.next++);
    if (event == kNone || !executable(event)) continue;
    const std::size_t length = trail_.size();
    execute(event);
    settle();
    if (remember()) {
      scratch_->frames.push_back({length, 0});
      return true;
    }
    shorten(length);
  }
  return false;
}

void VerifySc::settle() {
  if (plain_) return;
  bool changed = true;
  while (changed) {
    changed = false;
    for (Index t = 0; t < layout_->threads; ++t)
      for (Index event = next_event(t); event != kNone && needs_no_choice(event); event = next_event(t)) {
        execute(event);
        changed = true;
      }
  }
}

bool VerifySc::remember() {
  const ScLayout& l = *layout_;
  std::uint64_t* row = scratch_->done.stage();
  for (Index t = 0; t < l.threads; ++t) scratch_->packing.put(t, position_[t], row);
  for (Index x = 0; x < l.variables; ++x) {
    const Index write = active_[x];
    const bool told_apart = plain_ || wanted_[write] != 0;
    const Index owner = l.initial(write) ? 1 : 2 + l.thread[write - l.variables];
    scratch_->packing.put(l.threads + x, told_apart ? owner : 0, row);
  }
  return scratch_->done.insert();
}

bool VerifySc::in_order(Index event) const {
  for (const Requirement& requirement : layout_->requirements(event))
    if (position_[requirement.counter] < requirement.count) return false;
  return true;
}

bool VerifySc::good_source(Index event) const {
  const auto sources = layout_->sources(event);
  return std::find(sources.begin(), sources.end(), active_[layout_->variable[event]]) != sources.end();
}

bool VerifySc::executable(Index event) const {
  if (!in_order(event)) return false;
  switch (layout_->kind[event]) {
    case EventKind::kRead: return good_source(event);
    case EventKind::kWrite: return holders_[layout_->variable[event]] == 0;
    case EventKind::kUpdate:
      return good_source(event) && holders_[layout_->variable[event]] == (missing_[event] == 0 ? 1u : 0u);
    case EventKind::kFence:
    case EventKind::kStoreFence: return true;
  }
  return false;
}

bool VerifySc::needs_no_choice(Index event) const {
  if (!executable(event)) return false;
  if (!writes(layout_->kind[event])) return true;
  const Index there = wanted_[active_[layout_->variable[event]]];
  const Index after = wanted_[layout_->write_of(event)];
  if (layout_->kind[event] == EventKind::kWrite) return there == 0 && after == 0;
  return there == 1 && (after == 0 || missing_[event] == 0);
}

void VerifySc::execute(Index event) {
  const ScLayout& l = *layout_;
  const Index variable = l.variable[event];
  trail_.push_back({EventId(event), false});
  ++position_[l.thread[event]];
  if (reads(l.kind[event])) {
    for (const Index write : l.sources(event)) --wanted_[write];
    if (missing_[event] == 0) --holders_[variable];
  }
  if (!writes(l.kind[event])) return;
  replaced_.push_back(active_[variable]);
  active_[variable] = l.write_of(event);
  for (const Index read : l.readers(l.write_of(event)))
    if (--missing_[read] == 0 && !executed(read)) ++holders_[variable];
}

void VerifySc::take_back() {
  const ScLayout& l = *layout_;
  const Index event = trail_.back().event.index();
  const Index variable = l.variable[event];
  trail_.pop_back();
  if (writes(l.kind[event])) {
    for (const Index read : l.readers(l.write_of(event)))
      if (missing_[read]++ == 0 && !executed(read)) --holders_[variable];
    active_[variable] = replaced_.back();
    replaced_.pop_back();
  }
  if (reads(l.kind[event])) {
    if (missing_[event] == 0) ++holders_[variable];
    for (const Index write : l.sources(event)) ++wanted_[write];
  }
  --position_[l.thread[event]];
}

}  // namespace weir::consistency
