// Closure [Toman21, Sections 5.2.3 and 5.2.4]: start from what the machine orders anyway, and add what the
// reads-from map implies, until nothing new follows. For a read r of w:
//   1. w of another thread reaches memory before r, and the stores of r's own thread to the variable before
//      r reach memory before w, since they would hide it;
//   2. a store of another thread that precedes r precedes w;
//   3. a store of another thread that follows w follows r.
//
// If the order becomes a cycle there is no witness; otherwise every witness refines it, and the searches
// skip prefixes that do not. For two threads it decides the question. Cost: every rule looks at one store
// per thread and read, found by bisection, and a sweep without a change ends it; polynomial in any case.
//
// Differences. An update is one node, on the chain of its thread and on that of its buffer, which makes
// rules 4 and 5 of the text (what precedes or follows a part of a block does so with all of it) hold by
// themselves. In an execution the edges into reads are kept by the semantics, so a search has to watch
// those into stores only, and only the ones stated here: what follows from several of them is kept step by
// step.
#include "engine/consistency/closure.hpp"

#include <algorithm>

namespace weir::consistency {

bool Closure::run(const Layout& layout) {
  layout_ = &layout;
  graph_.start(layout.events + layout.stores, layout.counters());
  place_nodes();
  connect_program_order();
  connect_sources();
  list_columns();
  return graph_.close() && apply_rules();
}

Step Closure::step(Index node) const {
  if (node < layout_->events) return {EventId(node), false};
  return {EventId(layout_->store_event[node - layout_->events]), true};
}

// The node of an update's store exists too, but lies on no chain and has no edges.
void Closure::place_nodes() {
  for (Index e = 0; e < layout_->events; ++e) graph_.place(e, layout_->thread[e], layout_->position(e));
  for (Index s = 0; s < layout_->stores; ++s)
    graph_.place(store_node(s), layout_->flush_counter(layout_->store_buffer[s]), layout_->rank(s));
}

void Closure::connect_program_order() {
  const Layout& l = *layout_;
  for (Index s = 0; s < l.stores; ++s) {
    const Index event = l.store_event[s];
    if (l.kind[event] == EventKind::kWrite) graph_.connect(event, store_node(s), Reason::kBuffered);
    if (s + 1 < l.first_store[l.store_buffer[s] + 1])
      graph_.connect(store_node(s), store_node(s + 1), Reason::kBufferOrder);
    // Requirements within a thread come from store fences.
    for (const Requirement& required : l.requirements(s)) {
      const Index buffer = required.counter - l.threads;
      if (l.buffer_thread[buffer] != l.thread[event]) continue;
      const Index before = l.first_store[buffer] + required.count - 1;
      graph_.connect(store_node(before), store_node(s), Reason::kStoreFence);
    }
  }
  for (Index t = 0; t < l.threads; ++t) {
    for (Index e = l.first_event[t]; e + 1 < l.first_event[t + 1]; ++e)
      graph_.connect(e, e + 1, Reason::kProgramOrder);
    if (l.drained[t] == 0) continue;
    for (Index b = l.first_buffer[t]; b < l.first_buffer[t + 1]; ++b) {
      Index store = l.first_store[b];
      for (Index e = l.first_event[t]; e < l.first_event[t] + l.drained[t]; ++e) {
        if (drains(l.kind[e]) && store > l.first_store[b] && store_node(store - 1) != e)
          graph_.connect(store_node(store - 1), e, Reason::kDrained);
        if (l.event_store[e] != kNone && l.store_buffer[l.event_store[e]] == b) ++store;
      }
    }
  }
}

void Closure::connect_sources() {
  const Layout& l = *layout_;
  for (Index r = 0; r < l.events; ++r) {
    if (l.source[r] == kNone || l.initial(l.source[r]) || l.local(r)) continue;
    graph_.connect(write_node(l.source[r]), r, Reason::kReadsFrom, r);
    if (l.own_write[r] != kNone)
      graph_.connect(store_node(l.own_write[r]), write_node(l.source[r]), Reason::kHidden, r);
  }
}

void Closure::list_columns() {
  const Layout& l = *layout_;
  first_in_column_.assign(std::size_t{l.threads} * l.variables + 1, 0);
  columns_.resize(l.stores);
  const auto number = [&](Index s) {
    return std::size_t{l.buffer_thread[l.store_buffer[s]]} * l.variables + l.store_variable[s];
  };
  for (Index s = 0; s < l.stores; ++s) ++first_in_column_[number(s) + 1];
  for (std::size_t i = 1; i < first_in_column_.size(); ++i) first_in_column_[i] += first_in_column_[i - 1];
  for (Index s = l.stores; s-- > 0;) columns_[--first_in_column_[number(s) + 1]] = s;
  // The loop has moved every start one place down.
  first_in_column_.erase(first_in_column_.begin());
  first_in_column_.push_back(l.stores);
}

std::span<const Index> Closure::column(Index thread, Index variable) const {
  const std::size_t number = std::size_t{thread} * layout_->variables + variable;
  return {columns_.data() + first_in_column_[number],
          first_in_column_[number + 1] - first_in_column_[number]};
}

bool Closure::apply_rules() {
  std::size_t edges;
  do {
    edges = graph_.edges().size();
    for (Index r = 0; r < layout_->events; ++r) {
      if (layout_->source[r] == kNone) continue;
      if (!older_stores_first(r) || !newer_stores_last(r)) return false;
    }
  } while (graph_.edges().size() != edges);
  return true;
}

// Rule 2. The last store of each other thread that precedes the read; those before it follow.
bool Closure::older_stores_first(Index read) {
  const Layout& l = *layout_;
  if (l.initial(l.source[read])) return true;
  const Index source = l.store_of_write(l.source[read]);
  for (Index t = 0; t < l.threads; ++t) {
    if (t == l.thread[read]) continue;
    const auto stores = column(t, l.variable[read]);
    if (stores.empty()) continue;
    const Index chain = l.flush_counter(l.store_buffer[stores[0]]);
    const Index reached = graph_.reach(read, chain);
    const auto end =
        std::partition_point(stores.begin(), stores.end(), [&](Index s) { return l.rank(s) < reached; });
    if (end == stores.begin() || *(end - 1) == source) continue;
    if (!graph_.add(store_node(*(end - 1)), store_node(source), Reason::kOlder, read)) return false;
  }
  return true;
}

// Rule 3. The first store of each other thread that follows the source; those after it follow.
bool Closure::newer_stores_last(Index read) {
  const Layout& l = *layout_;
  const bool from_initial = l.initial(l.source[read]);
  const Index source = from_initial ? kNone : l.store_of_write(l.source[read]);
  for (Index t = 0; t < l.threads; ++t) {
    if (t == l.thread[read]) continue;
    const auto stores = column(t, l.variable[read]);
    auto first = stores.begin();
    if (!from_initial)
      first = std::partition_point(stores.begin(), stores.end(), [&](Index s) {
        return s == source || !graph_.precedes(store_node(source), store_node(s));
      });
    if (first == stores.end()) continue;
    if (!graph_.add(read, store_node(*first), Reason::kNewer, read)) return false;
  }
  return true;
}

std::span<const std::pair<Index, Requirement>> Closure::requirements() {
  const Layout& l = *layout_;
  requirements_.clear();
  for (const OrderEdge& edge : graph_.edges()) {
    const Index event = step(edge.to).event.index();
    const bool stated = edge.reason == Reason::kStoreFence || edge.reason == Reason::kHidden ||
                        edge.reason == Reason::kOlder || edge.reason == Reason::kNewer;
    if (!stated) continue;
    const Index from = edge.from;
    const Requirement what = from < l.events ? Requirement{l.thread[from], l.position(from) + 1}
                                             : Requirement{l.flush_counter(l.store_buffer[from - l.events]),
                                                           l.rank(from - l.events) + 1};
    requirements_.push_back({l.event_store[event], what});
  }
  return requirements_;
}

}  // namespace weir::consistency
