#include "engine/consistency/instance.hpp"

#include <algorithm>

namespace weir::consistency {

void Instance::clear() {
  events_.clear();
  first_.clear();
  head_.clear();
  links_.clear();
  variables_ = 0;
  several_ = 0;
}

void Instance::add_thread() { first_.push_back(static_cast<std::uint32_t>(events_.size())); }

EventId Instance::add(EventKind kind, VariableId variable) {
  WEIR_CHECK(!first_.empty(), "an event belongs to a thread");
  WEIR_CHECK((reads(kind) || writes(kind)) == variable.valid(), "exactly the accesses have a variable");
  if (variable) variables_ = std::max<std::size_t>(variables_, variable.index() + std::size_t{1});
  events_.push_back({kind, variable, static_cast<std::uint32_t>(first_.size() - 1)});
  head_.push_back(kNoLink);
  return EventId(events_.size() - 1);
}

void Instance::add_source(EventId read, EventId write) {
  std::uint32_t& head = head_[read.index()];
  for (std::uint32_t link = head; link != kNoLink; link = links_[link].next)
    if (links_[link].write == write) return;
  if (head != kNoLink) ++several_;
  links_.push_back({write, head});
  head = static_cast<std::uint32_t>(links_.size() - 1);
}

bool Instance::complete() const {
  for (std::size_t i = 0; i < events_.size(); ++i) {
    if (reads(events_[i].kind) != (head_[i] != kNoLink)) return false;
    bool fits = true;
    for_each_source(EventId(i), [&](EventId write) {
      if (write == kInitialWrite) return;
      fits = fits && write.index() < events_.size() && write.index() != i && writes(event(write).kind) &&
             event(write).variable == events_[i].variable;
    });
    if (!fits) return false;
  }
  return true;
}

}  // namespace weir::consistency
