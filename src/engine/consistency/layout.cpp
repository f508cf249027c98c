#include "engine/consistency/layout.hpp"

#include <algorithm>

#include "program/ordering.hpp"

namespace weir::consistency {

void Layout::build(const Instance& instance, Model under) {
  WEIR_CHECK(buffers_stores(under), "there are buffers to lay out");
  model = under;
  number_events(instance);
  number_stores();
  find_sources(instance);
  find_last_readers();
  collected_.clear();
  find_store_fences();
  collect_requirements();
  require(collected_);
}

void Layout::number_events(const Instance& instance) {
  threads = static_cast<Index>(instance.threads());
  variables = static_cast<Index>(instance.variables());
  events = static_cast<Index>(instance.events());
  kind.resize(events);
  variable.resize(events);
  thread.resize(events);
  first_event.resize(threads + 1);
  drained.assign(threads, 0);
  for (Index t = 0; t < threads; ++t) first_event[t] = instance.begin(t);
  first_event[threads] = events;
  for (Index e = 0; e < events; ++e) {
    const Instance::Event& event = instance.event(EventId(e));
    kind[e] = event.kind;
    variable[e] = event.variable.index();
    thread[e] = event.thread;
    if (drains(event.kind)) drained[event.thread] = position(e) + 1;
  }
}

void Layout::number_stores() {
  // The buffer of each variable in the thread at hand; where stores keep their order, all are the same.
  first_buffer.resize(threads + 1);
  event_store.assign(events, kNone);  // in the first loop, the buffer of the store; in the second, its number
  first_store.clear();
  buffer_thread.clear();
  for (Index t = 0; t < threads; ++t) {
    first_buffer[t] = static_cast<Index>(buffer_thread.size());
    last_write_.assign(variables, kNone);
    if (!reorders_stores(model)) {
      last_write_.assign(variables, first_buffer[t]);
      buffer_thread.push_back(t);
      first_store.push_back(0);
    }
    for (Index e = first_event[t]; e < first_event[t + 1]; ++e) {
      if (!writes(kind[e])) continue;
      Index& buffer = last_write_[variable[e]];
      if (buffer == kNone) {
        buffer = static_cast<Index>(buffer_thread.size());
        buffer_thread.push_back(t);
        first_store.push_back(0);
      }
      event_store[e] = buffer;
      ++first_store[buffer];
    }
  }
  buffers = static_cast<Index>(buffer_thread.size());
  first_buffer[threads] = buffers;
  stores = 0;
  for (Index& first : first_store) stores += std::exchange(first, stores);
  first_store.push_back(stores);
  store_event.resize(stores);
  store_buffer.resize(stores);
  store_variable.resize(stores);
  steps = events;
  for (Index e = 0; e < events; ++e) {
    if (event_store[e] == kNone) continue;
    const Index buffer = event_store[e];
    const Index store = first_store[buffer]++;
    store_event[store] = e;
    store_buffer[store] = buffer;
    store_variable[store] = variable[e];
    event_store[e] = store;
    if (kind[e] == EventKind::kWrite) ++steps;
  }
  for (Index b = buffers; b > 0; --b) first_store[b] = first_store[b - 1];
  first_store[0] = 0;
}

void Layout::find_sources(const Instance& instance) {
  contradiction.reset();
  source.assign(events, kNone);
  own_write.assign(events, kNone);
  readers.assign(variables + stores, 0);
  for (Index t = 0; t < threads; ++t) {
    last_write_.assign(variables, kNone);
    for (Index e = first_event[t]; e < first_event[t + 1]; ++e) {
      if (variable[e] == kNone) continue;
      own_write[e] = last_write_[variable[e]];
      if (reads(kind[e])) {
        const EventId from = instance.source(EventId(e));
        source[e] = from == kInitialWrite ? variable[e] : write_of(event_store[from.index()]);
        ++readers[source[e]];
        if (!contradiction) find_contradiction(e);
      }
      if (writes(kind[e])) last_write_[variable[e]] = event_store[e];
    }
  }
}

void Layout::find_contradiction(Index event) {
  const bool from_initial = initial(source[event]);
  if (!from_initial && !local(event)) return;
  const Index own = own_write[event];
  if (from_initial ? own == kNone : own != kNone && write_of(own) == source[event]) return;
  const Index from = from_initial ? kNone : store_event[store_of_write(source[event])];
  const bool later = !from_initial && from > event;
  contradiction = {later ? ContradictionKind::kReadsLater : ContradictionKind::kOverwritten, EventId(event),
                   from == kNone ? kInitialWrite : EventId(from),
                   later ? EventId::none() : EventId(store_event[own])};
}

// Nothing comes between an update and its source, so what must precede the update's write, apart from the
// source, must precede the source; and what waits for the source to be free waits for the readers of the
// update as well. Chains of updates are short, so both are propagated by sweeping; a cycle of updates does no
// harm, since the numbers only grow.
void Layout::find_last_readers() {
  last_reader.assign(std::size_t{variables + stores} * threads, 0);
  needed_.assign(std::size_t{stores} * threads, 0);
  bool updates = false;
  for (Index e = 0; e < events; ++e) {
    if (source[e] == kNone) continue;
    updates = updates || kind[e] == EventKind::kUpdate;
    Index& last = last_reader[std::size_t{source[e]} * threads + thread[e]];
    last = std::max(last, position(e) + 1);
    if (initial(source[e]) || local(e) || own_write[e] == kNone) continue;
    Index& need = needed_[std::size_t{store_of_write(source[e])} * threads + thread[e]];
    need = std::max(need, own_write[e] + 1);
  }
  while (updates) {
    updates = false;  // one more sweep?
    for (Index e = 0; e < events; ++e) {
      if (kind[e] != EventKind::kUpdate) continue;
      for (Index t = 0; t < threads; ++t) {
        Index& last = last_reader[std::size_t{source[e]} * threads + t];
        const Index after = last_reader[std::size_t{write_of(event_store[e])} * threads + t];
        if (after > last) last = after, updates = true;
        if (initial(source[e])) continue;
        const Index from = store_of_write(source[e]);
        const Index need = needed_[std::size_t{event_store[e]} * threads + t];
        if (need == 0 || need == from + 1) continue;
        Index& before = needed_[std::size_t{from} * threads + t];
        if (need > before) before = need, updates = true;
      }
    }
  }
}

void Layout::find_store_fences() {
  ordered.assign(threads, 0);
  kept_apart.assign(stores, 0);
  if (!reorders_stores(model)) return;
  for (Index t = 0; t < threads; ++t) {
    // Per buffer of the thread, all stores below these numbers: issued, left at the latest, before the store
    // fence.
    const Index first = first_buffer[t], count = first_buffer[t + 1] - first;
    last_write_.resize(3 * std::max(count, variables));
    Index* issued = last_write_.data();
    Index* gone = issued + count;
    Index* fenced = gone + count;
    for (Index b = 0; b < count; ++b) issued[b] = gone[b] = fenced[b] = first_store[first + b];
    for (Index e = first_event[t]; e < first_event[t + 1]; ++e) {
      if (drains(kind[e])) std::copy(issued, issued + count, gone);
      if (kind[e] == EventKind::kStoreFence) std::copy(issued, issued + count, fenced);
      if (event_store[e] == kNone) continue;
      const Index own = store_buffer[event_store[e]] - first;
      ++issued[own];
      if (kind[e] == EventKind::kUpdate) {
        ++gone[own];
        continue;
      }
      for (Index b = 0; b < count; ++b) {
        if (b == own || fenced[b] <= gone[b]) continue;
        ordered[t] = 1;
        std::fill(kept_apart.begin() + gone[b], kept_apart.begin() + fenced[b], 1);
        collected_.push_back(
            {event_store[e], {flush_counter(first + b), fenced[b] - first_store[first + b]}});
      }
    }
  }
}

void Layout::collect_requirements() {
  for (Index store = 0; store < stores; ++store)
    for (Index t = 0; t < threads; ++t) {
      const Index need = needed_[std::size_t{store} * threads + t];
      if (need == 0) continue;
      const Index buffer = store_buffer[need - 1];
      collected_.push_back({store, {flush_counter(buffer), need - first_store[buffer]}});
    }
}

void Layout::require(std::span<const std::pair<Index, Requirement>> stricter) {
  group_by_item(stricter, stores, first_requirement, requirement);
}

void group_by_item(std::span<const std::pair<Index, Requirement>> entries, Index items,
                   std::vector<Index>& first, std::vector<Requirement>& grouped) {
  first.assign(items + 1, 0);
  grouped.resize(entries.size());
  for (const auto& entry : entries) ++first[entry.first];
  Index sum = 0;
  for (Index& begin : first) sum += std::exchange(begin, sum);
  for (const auto& [item, what] : entries) grouped[first[item]++] = what;
  for (Index i = items; i > 0; --i) first[i] = first[i - 1];
  first[0] = 0;
}

}  // namespace weir::consistency
