// Closure for good-writes [Toman21, Section 4.2.2]. Start from program order; for a read r let C be its
// good-writes that are visible: neither after r, nor before another write that precedes r.
//   1. C is not empty, or there is no witness.
//   2. The least element of C, if there is one, precedes r.
//   3. If C has a greatest element, every other write that precedes r and is not good precedes that.
//   4. A write that is not good and follows all of C follows r.
//
// With one good-write per read these are the rules of the reads-from map. The initial write precedes
// everything and needs no node. An update is one node. O(n^2) looks at pairs of writes per read and sweep.
#include "engine/consistency/good_writes_closure.hpp"

#include <algorithm>

namespace weir::consistency {

bool GoodWritesClosure::run(const ScLayout& layout) {
  layout_ = &layout;
  without_source_ = kNone;
  graph_.start(layout.events, layout.threads);
  first_writer_.assign(layout.variables + 1, 0);
  for (Index e = 0; e < layout.events; ++e) {
    graph_.place(e, layout.thread[e], layout.position(e));
    if (e + 1 < layout.events && layout.thread[e] == layout.thread[e + 1])
      graph_.connect(e, e + 1, Reason::kProgramOrder);
    if (writes(layout.kind[e])) ++first_writer_[layout.variable[e]];
  }
  Index sum = 0;
  for (Index& first : first_writer_) sum += std::exchange(first, sum);
  writers_.resize(sum);
  for (Index e = 0; e < layout.events; ++e)
    if (writes(layout.kind[e])) writers_[first_writer_[layout.variable[e]]++] = e;
  for (Index x = layout.variables; x > 0; --x) first_writer_[x] = first_writer_[x - 1];
  if (!first_writer_.empty()) first_writer_[0] = 0;
  if (!graph_.close()) return false;
  std::size_t edges;
  do {
    edges = graph_.edges().size();
    for (Index e = 0; e < layout.events; ++e)
      if (reads(layout.kind[e]) && !apply(e)) return false;
  } while (graph_.edges().size() != edges);
  return true;
}

// Of writes, where the initial write precedes all others.
bool GoodWritesClosure::precedes(Index write, Index other) const {
  if (layout_->initial(write)) return true;
  if (layout_->initial(other)) return false;
  return graph_.precedes(write - layout_->variables, other - layout_->variables);
}

bool GoodWritesClosure::visible(Index write, Index read) const {
  if (!layout_->initial(write) && graph_.precedes(read, write - layout_->variables)) return false;
  const Index x = layout_->variable[read];
  for (Index i = first_writer_[x]; i < first_writer_[x + 1]; ++i) {
    const Index other = writers_[i];
    if (other == read || layout_->write_of(other) == write) continue;
    if (graph_.precedes(other, read) && precedes(write, layout_->write_of(other))) return false;
  }
  return true;
}

bool GoodWritesClosure::good(Index event, Index read) const {
  const auto sources = layout_->sources(read);
  return std::find(sources.begin(), sources.end(), layout_->write_of(event)) != sources.end();
}

// The candidate that is `less` than all others, or kNone.
template <class Less>
Index GoodWritesClosure::extreme(Less less) const {
  for (const Index candidate : candidates_)
    if (std::all_of(candidates_.begin(), candidates_.end(),
                    [&](Index other) { return other == candidate || less(candidate, other); }))
      return candidate;
  return kNone;
}

bool GoodWritesClosure::apply(Index read) {
  const auto sources = layout_->sources(read);
  candidates_.clear();
  // A single source is a candidate whatever happens: the rules then lead to a cycle, which says more than
  // that it cannot be seen.
  for (const Index write : sources)
    if (sources.size() == 1 || visible(write, read)) candidates_.push_back(write);
  if (candidates_.empty()) {
    without_source_ = read;
    return false;
  }
  return order_sources(read) && order_others(read);
}

bool GoodWritesClosure::order_sources(Index read) {
  const Index least = extreme([&](Index a, Index b) { return precedes(a, b); });
  if (least == kNone || layout_->initial(least)) return true;
  return graph_.add(least - layout_->variables, read, Reason::kReadsFrom, read);
}

bool GoodWritesClosure::order_others(Index read) {
  const Index greatest = extreme([&](Index a, Index b) { return precedes(b, a); });
  const Index x = layout_->variable[read];
  for (Index i = first_writer_[x]; i < first_writer_[x + 1]; ++i) {
    const Index other = writers_[i];
    if (other == read || good(other, read)) continue;
    const bool older = graph_.precedes(other, read);
    const bool newer = std::all_of(candidates_.begin(), candidates_.end(),
                                   [&](Index write) { return precedes(write, layout_->write_of(other)); });
    if (older && greatest != kNone && !layout_->initial(greatest) &&
        !graph_.add(other, greatest - layout_->variables, Reason::kOlder, read))
      return false;
    if (newer && !graph_.add(read, other, Reason::kNewer, read)) return false;
  }
  return true;
}

std::span<const std::pair<Index, Requirement>> GoodWritesClosure::requirements() {
  requirements_.clear();
  for (const OrderEdge& edge : graph_.edges())
    if (edge.reason != Reason::kProgramOrder)
      requirements_.push_back({edge.to, {layout_->thread[edge.from], layout_->position(edge.from) + 1}});
  return requirements_;
}

}  // namespace weir::consistency
