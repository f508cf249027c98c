// Persistent sets from local steps [Calin16, Section 4.1; Linden14, Algorithm 12].
//
// If everything that a thread's program can do next is local (touches neither memory nor lock, and is
// invisible to the properties), these steps are a persistent set: nothing that happens elsewhere can be in
// conflict with them, so it is enough to take them first.
//
// Two points go beyond the text. A thread may have *disabled* steps besides its local ones (waiting for the
// lock); then another thread can enable a step that conflicts, so all steps *offered* must be local, not just
// the enabled ones. On the other hand the thread's own flushes do no harm: putting a store into a buffer, or
// an internal step, commutes with flushing an older one (a load from the buffer does not). Unless a flush
// lets the thread do something else: a fence beside a store in a choice waits for the buffer to drain, and is
// not offered before. So with a filled buffer every action of the thread must be offered.
//
// With abstract buffers (BufferAbstraction) flush and then store can become store and then flush as well. A
// set or multiset is the same afterwards (where the flush had removed the last copy of what is then stored,
// it now leaves it there). With partial coherence, a store that found room in the queue after the flush finds
// it full before, and enters the set: another state, but one that can do whatever the first can, since a set
// gives everything that a queue gives. So every violation is still found; and as each step taken is a step
// of the abstract system, no other is.
//
// Ignoring: a cycle or an endless chain of such steps must not shut the others out for ever. The search
// therefore expands a state fully if all its chosen successors have been expanded already, and after
// kLongestChain chosen steps in a row.
#pragma once

#include <algorithm>

#include "base/fault.hpp"
#include "engine/explicit/exploration.hpp"

namespace weir {

inline constexpr std::uint8_t kLongestChain = 64;

class LocalMovers {
 public:
  LocalMovers(System& system, Monitor& monitor)
      : system_(system), monitor_(monitor), known_(system.view_count()) {}

  // Can the thread do something in this component, and is all of it local?
  bool moves_alone(std::size_t thread, ComponentId component) {
    std::vector<std::uint8_t>& known = known_[system_.view_number(thread)];
    if (component.index() >= known.size()) known.resize(system_.view(thread).size(), kUnknown);
    std::uint8_t& answer = known[component.index()];
    if (answer == kUnknown) answer = compute(thread, component) ? kYes : kNo;
    return answer == kYes;
  }

 private:
  enum : std::uint8_t { kUnknown, kYes, kNo };

  bool compute(std::size_t thread, ComponentId component) {
    bool any = false;
    if (waits_for_own_flush(thread, component)) return false;
    for (const Step& step : system_.view(thread).steps(component)) {
      if (step.flush) continue;
      if (step.effect != Effect::kNone || step.needs_lock || step.guard) return false;
      if (system_.program().properties.races && step.access != AccessKind::kNone) return false;
      const bool visible = monitor_.visible(thread, component, ComponentId(step.next));
      if (visible && !fault("unseen-step")) return false;
      any = true;
    }
    return any;
  }

  // Is there an action that is not offered with the buffer as it is?
  bool waits_for_own_flush(std::size_t thread, ComponentId component) {
    ThreadView& view = system_.view(thread);
    if (view.buffer(component) == StoreBuffers::kEmptyBuffer) return false;
    const auto offered = std::ranges::count(view.steps(component), false, &Step::flush);
    const auto actions = view.automaton().actions(view.local(component));
    return offered < std::ranges::count_if(
                         actions, [](const Action& action) { return action.kind != ActionKind::kHalt; });
  }

  System& system_;
  Monitor& monitor_;
  std::vector<std::vector<std::uint8_t>> known_;  // per view, per component
};

}  // namespace weir
