// The global transition system of a program under a memory model: threads with their buffers (components),
// the shared memory, and what can happen next. Every search of the explicit engine walks it.
//
// Threads that run the same code from the same arguments, and that the properties treat alike, share one
// view: they are interchangeable.
#pragma once

#include <memory>
#include <vector>

#include "base/error.hpp"
#include "memory/atomic_block.hpp"
#include "memory/buffer_abstraction.hpp"
#include "memory/thread_view.hpp"

namespace weir {

struct SystemOptions {
  Model model = Model::kSc;
  bool every_instruction = false;
  bool live_variables = true;
  std::optional<std::uint32_t> buffer;
  std::uint64_t local_steps = 20'000'000;
  ValueLimits values;
  std::optional<BufferAbstraction> abstraction;  // of the buffers; only under TSO
  // Threads of one function stop at the same locations and changes of registers, whichever of them properties
  // name.
  bool observe_alike = false;
  Overlaps overlaps =
      Overlaps::kNoticed;  // of accesses in memory made of bytes; split only without an abstraction
};

// How each thread is unfolded so that the properties see what they want to see.
std::vector<AutomatonOptions> automaton_options(const Program& program, const SystemOptions& options);

// A global state, unpacked: one component per thread, and memory.
struct GlobalState {
  std::vector<ComponentId> components;
  MemoryId memory;

  friend bool operator==(const GlobalState&, const GlobalState&) = default;
};

// One way to execute a step: where it leads, and what is needed to say what happened. A failing step leads
// nowhere: `component` and `memory` are then those before.
struct Move {
  const Step* step = nullptr;
  std::uint32_t outcome = 0;  // atomic block: which of its outcomes
  bool fails = false;
  FailureKind failure = FailureKind::kAssertion;
  Value value = 0;  // what was read
  ComponentId component;
  MemoryId memory;
};

class System {
 public:
  // `program` must outlive the system.
  System(const Program& program, const SystemOptions& options);

  const Program& program() const { return program_; }
  Model model() const { return options_.model; }
  const SystemOptions& options() const { return options_; }
  std::size_t thread_count() const { return view_of_.size(); }
  ThreadView& view(std::size_t thread) { return *thread_views_[thread]; }
  // Threads with the same view number are interchangeable.
  std::uint32_t view_number(std::size_t thread) const { return view_of_[thread]; }
  std::size_t view_count() const { return views_.size(); }
  SharedMemory& memory() { return memory_; }
  const SharedMemory& memory() const { return memory_; }
  const StoreBuffers& buffers() const { return buffers_; }
  AtomicBlocks& blocks(std::size_t thread) { return *views_[view_of_[thread]].blocks; }

  // See base/archive.hpp. All that was found, with its numbers; the program and the options are the same.
  template <class Archive>
  void transfer(Archive& archive) {
    archive(memory_, buffers_);
    for (SharedView& each : views_) archive(*each.automaton, *each.view, *each.blocks);
  }

  GlobalState initial();

  // Calls `sink(const Move&)` for every way in which `step`, offered by `component`, can happen now.
  template <class Sink>
  void execute(std::size_t thread, ComponentId component, MemoryId memory, const Step& step, Sink&& sink);

  // Calls `sink(thread, const Move&)` for everything that can happen.
  template <class Sink>
  void successors(const GlobalState& state, Sink&& sink);

  // Does a step that reads `value` fail because that is not initialised?
  static bool fails_on(const Step& step, Value value) { return value == kUninitialised && !step.copies; }

  // Does another thread hold the lock that the step needs?
  bool waits_for_lock(std::size_t thread, ComponentId component, MemoryId memory, const Step& step) {
    return uses_lock_ && step.needs_lock && memory_.locked(memory) && !view(thread).holds_lock(component);
  }

  bool enabled(std::size_t thread, ComponentId component, MemoryId memory, const Step& step) {
    bool found = false;
    execute(thread, component, memory, step, [&](const Move&) { found = true; });
    return found;
  }

 private:
  ShareBytes shares_bytes() const;

  struct SharedView {
    std::unique_ptr<ThreadAutomaton> automaton;
    std::unique_ptr<ThreadView> view;
    std::unique_ptr<AtomicBlocks> blocks;
  };

  const Program& program_;
  SystemOptions options_;
  Code code_;
  SharedMemory memory_;
  StoreBuffers buffers_;
  bool uses_lock_ = false;
  std::vector<SharedView> views_;
  std::vector<std::uint32_t> view_of_;     // per thread: its number in `views_`
  std::vector<ThreadView*> thread_views_;  // per thread: the same, one step nearer
};

template <class Sink>
void System::execute(std::size_t thread, ComponentId component, MemoryId memory, const Step& step,
                     Sink&& sink) {
  ThreadView& own = view(thread);
  if (waits_for_lock(thread, component, memory, step)) return;
  Move move{.step = &step, .component = ComponentId(step.next), .memory = memory};
  const auto fail = [&](FailureKind kind) {
    move.fails = true;
    move.failure = kind;
    move.component = component;
    move.memory = memory;
    sink(static_cast<const Move&>(move));
  };
  if (step.guard && memory_.read(memory, step.guard) != 0) return fail(step.failure);
  switch (step.effect) {
    case Effect::kNone: move.value = step.value; break;
    case Effect::kRead:
      move.value = own.found(component, step, memory);
      if (fails_on(step, move.value)) return fail(FailureKind::kNotInitialised);
      if (step.waits && own.returns_unwanted(component, step, move.value)) return;
      move.component = own.after(component, step, move.value);
      break;
    case Effect::kWrite:
      if (!memory_.admits(step.cell, step.value)) return;
      move.memory = memory_.write(memory, step.cell, step.value);
      break;
    case Effect::kUpdate: {
      move.value = memory_.read(memory, step.cell);
      if (fails_on(step, move.value)) return fail(FailureKind::kNotInitialised);
      const Value updated = own.updated(component, step, move.value);
      if (updated == kUninitialised) return fail(FailureKind::kMark);
      if (!memory_.admits(step.cell, updated)) return;
      move.component = own.after(component, step, move.value);
      move.memory = memory_.write(memory, step.cell, updated);
      break;
    }
    case Effect::kAcquire:
      if (memory_.locked(memory)) return;
      move.memory = memory_.write(memory, SharedMemory::kLockCell, 1);
      break;
    case Effect::kRelease: move.memory = memory_.write(memory, SharedMemory::kLockCell, 0); break;
    case Effect::kAtomic: {
      const auto& outcomes = blocks(thread).outcomes(own.local(component), step.action, memory);
      for (; move.outcome < outcomes.size(); ++move.outcome) {
        const AtomicOutcome& outcome = outcomes[move.outcome];
        if (outcome.halts) continue;
        move.fails = outcome.fails;
        move.failure = outcome.failure;
        move.component = outcome.fails ? component : own.with_local(component, outcome.local);
        move.memory = outcome.fails ? memory : outcome.memory;
        sink(static_cast<const Move&>(move));
      }
      return;
    }
    case Effect::kFail: return fail(step.failure);
  }
  sink(static_cast<const Move&>(move));
}

template <class Sink>
void System::successors(const GlobalState& state, Sink&& sink) {
  for (std::size_t t = 0; t < thread_count(); ++t)
    for (const Step& step : view(t).steps(state.components[t]))
      execute(t, state.components[t], state.memory, step, [&](const Move& move) { sink(t, move); });
}

}  // namespace weir
