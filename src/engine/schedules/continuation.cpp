#include "engine/schedules/continuation.hpp"

#include <algorithm>

namespace weir {

namespace {

constexpr std::size_t kLongestLoop = 1000;  // components of a loop that polls; in a longer one it goes on

}  // namespace

bool Continuation::possible(std::size_t thread, ComponentId component, MemoryId memory) {
  auto& known = known_[system_.view_number(thread)];
  const std::uint64_t key = std::uint64_t{component.index()} << 32 | memory.index();
  if (const auto entry = known.find(key); entry != known.end()) return entry->second;
  const bool result = compute(thread, component, memory);
  known.emplace(key, result);
  return result;
}

bool Continuation::compute(std::size_t thread, ComponentId component, MemoryId memory) {
  if (!has_instruction(thread, component, memory)) {
    // In which order stores to different cells are flushed makes no difference in the end.
    for (bool flushed = true; flushed;) {
      flushed = false;
      const auto steps = system_.view(thread).steps(component);
      const auto flush = std::ranges::find_if(steps, &Step::flush);
      if (flush == steps.end()) break;
      system_.execute(thread, component, memory, Step(*flush), [&](const Move& move) {
        component = move.component;
        memory = move.memory;
        flushed = true;
      });
    }
    if (!has_instruction(thread, component, memory)) return false;
  }
  return !polls(thread, component, memory);
}

bool Continuation::has_instruction(std::size_t thread, ComponentId component, MemoryId memory) {
  for (const Step& step : system_.view(thread).steps(component))
    if (!step.flush && system_.enabled(thread, component, memory, step)) return true;
  return monitor_.can_halt(thread, component, memory);
}

bool Continuation::polls(std::size_t thread, ComponentId component, MemoryId memory) {
  met_.clear();
  met_.insert(component.index());
  open_.assign(1, component);
  while (!open_.empty()) {
    const ComponentId next = open_.back();
    open_.pop_back();
    if (!visit_instructions(thread, next, memory) || met_.size() > kLongestLoop) return false;
  }
  return true;
}

// Can an instruction be executed here, and does none change or end anything?
bool Continuation::visit_instructions(std::size_t thread, ComponentId component, MemoryId memory) {
  ThreadView& view = system_.view(thread);
  bool some = false, effective = monitor_.can_halt(thread, component, memory);
  for (const Step& step : view.steps(component)) {
    if (step.flush) continue;
    system_.execute(thread, component, memory, step, [&](const Move& move) {
      some = true;
      effective |=
          move.fails || move.memory != memory || view.buffer(move.component) != view.buffer(component);
      if (!effective && met_.insert(move.component.index()).second) open_.push_back(move.component);
    });
    if (effective) return false;
  }
  return some;
}

}  // namespace weir
