// A thread together with its store buffer, as memory sees it.
//
// Under SC, TSO and PSO the only thing a thread shares with others is memory and the global lock; its buffer
// is its own. So (local state, buffer, holds the lock) is one *component*, interned to a 32-bit id, and all
// that a component may do next is a list of steps, computed once: what the step does to memory, and the
// component it leads to. Only steps that read memory need a look-up by the value read. An engine's inner loop
// never sees buffers, nor which memory model it runs: the model decides only how steps are built
// (thread_view.cpp).
#pragma once

#include <memory>
#include <span>

#include "base/stable_runs.hpp"
#include "machine/thread_automaton.hpp"
#include "memory/store_buffer.hpp"
#include "program/model.hpp"
#include "program/ordering.hpp"

namespace weir {

using ComponentId = Id<struct ComponentTag>;

// What a step does outside its component.
enum class Effect : std::uint8_t {
  kNone,     // nothing: local to the thread and its buffer
  kRead,     // reads `cell`
  kWrite,    // writes `value` to `cell`
  kUpdate,   // reads and may write `cell` atomically
  kAcquire,  // takes the global lock
  kRelease,  // gives it back
  kAtomic,   // runs an atomic block
  kFail,     // violates a property
};

// What the instruction of a step does to its cell, whether at once or later by a flush.
enum class AccessKind : std::uint8_t { kNone, kRead, kWrite };

struct Step {
  Effect effect = Effect::kNone;
  FailureKind failure =
      FailureKind::kAssertion;  // of effect kFail; with a guard, the failure if that is not 0
  AccessKind access = AccessKind::kNone;
  bool needs_lock = false;  // executable only while no other thread holds the global lock
  bool flush = false;       // memory's own step: the oldest buffered store goes to memory
  bool plain = false;       // the access is not atomic in the source
  bool copies = false;      // may read what is not initialised
  bool waits = false;       // a read that is executable only with certain values
  bool merges = false;      // a read of which the own buffer holds some bytes, but not all
  CellId cell;
  CellId guard;  // the status of the block accessed: if memory holds anything but 0 there, the step fails
  std::uint32_t action = 0;  // of the local state; for a flush, which of the possible ones
  std::uint32_t next = 0;    // the component afterwards; for reads and updates a slot, see `after`
  Value value = 0;

  template <class Archive>
  void transfer(Archive& archive) {
    archive(effect, failure, access, needs_lock, flush, plain, copies, waits, merges, cell, guard, action,
            next, value);
  }
};

class ThreadView {
 public:
  // Everything passed by reference must outlive the view. `buffer_bound`: stores beyond it are not offered.
  ThreadView(ThreadAutomaton& automaton, SharedMemory& memory, StoreBuffers& buffers, Model model,
             std::optional<std::uint32_t> buffer_bound);

  ComponentId initial() { return intern(automaton_.initial(), StoreBuffers::kEmptyBuffer, false); }

  // Everything the component offers, executable or not in the current memory.
  std::span<const Step> steps(ComponentId component) {
    if (!info_[component.index()].unfolded) unfold(component);
    return info_[component.index()].steps;
  }

  // What a read or update finds in its cell, or finds there with what the own buffer holds of it.
  Value found(ComponentId component, const Step& step, MemoryId memory) {
    const Value whole = memory_.read(memory, step.cell);
    return step.merges || whole == kUninitialised ? merged(component, step, memory) : whole;
  }
  // The component after a step that found `value` in its cell.
  ComponentId after(ComponentId component, const Step& step, Value value) {
    const std::uint32_t known = after_.find(step.next, value);
    return known != ValueTable::kNone ? ComponentId(known) : compute_after(component, step, value);
  }
  // Can a read that waits not be executed when its cell holds this value?
  bool returns_unwanted(ComponentId component, const Step& step, Value value) {
    const Action& action = automaton_.actions(local(component))[step.action];
    return !can_return(action, returned_value(action, value));
  }
  // What an update leaves in its cell.
  Value updated(ComponentId component, const Step& step, Value old);

  ComponentId with_local(ComponentId component, StateId local) {
    return intern(local, buffer(component), holds_lock(component));
  }

  StateId local(ComponentId component) const { return info_[component.index()].local; }
  BufferId buffer(ComponentId component) const { return info_[component.index()].buffer; }
  bool holds_lock(ComponentId component) const { return info_[component.index()].holds_lock; }
  // Was a store left out because of the buffer bound? Known once `steps` has been asked for.
  bool bounded(ComponentId component) const { return info_[component.index()].bounded; }
  std::size_t buffer_length(ComponentId component) const { return buffers_.length(buffer(component)); }
  std::size_t size() const { return info_.size(); }

  ThreadAutomaton& automaton() { return automaton_; }
  const ThreadAutomaton& automaton() const { return automaton_; }

  // See base/archive.hpp. Without the automaton.
  template <class Archive>
  void transfer(Archive& archive) {
    archive(info_, after_);
    for (Info& info : info_) {
      offered_.assign(info.steps.begin(), info.steps.end());
      archive(offered_);
      if constexpr (Archive::kReads) info.steps = steps_.add(offered_);
    }
    if constexpr (Archive::kReads) number_components();
  }

 private:
  struct Info {
    StateId local;
    BufferId buffer;
    bool holds_lock = false;
    bool bounded = false;
    bool unfolded = false;
    std::span<const Step> steps;

    template <class Archive>
    void transfer(Archive& archive) {
      archive(local, buffer, holds_lock, bounded, unfolded);
    }
  };

  ComponentId intern(StateId local, BufferId buffer, bool holds_lock);
  void number_components();
  ComponentId compute_after(ComponentId component, const Step& step, Value value);
  void unfold(ComponentId component);
  void offer(ComponentId component, std::uint32_t action);
  std::optional<Value> buffered(ComponentId component, Step& step);
  Value merged(ComponentId component, const Step& step, MemoryId memory);
  void offer_load(ComponentId component, const Action& action, Step step);
  void offer_store(ComponentId component, const Action& action, Step step);
  void offer_flushes(ComponentId component);
  bool flushes_late(CellId cell) const;
  void offer_failure(ComponentId component, const Action& action, Step step);
  void offer_free(ComponentId component, const Action& action, Step step);
  void offer_buffered(ComponentId component, const Action& action, Step step, StateId next);
  bool guard(ComponentId component, const Action& action, Step& step);
  bool at_once(Order store) const { return writes_at_once(model_, store); }

  ThreadAutomaton& automaton_;
  SharedMemory& memory_;
  StoreBuffers& buffers_;
  Model model_;
  std::optional<std::uint32_t> buffer_bound_;

  std::vector<Info> info_;
  std::vector<Step> offered_;  // of the component that is being unfolded
  StableRuns<Step> steps_;     // of all that were
  ValueTable after_;
  absl::flat_hash_map<std::pair<std::uint64_t, bool>, std::uint32_t> ids_;
};

}  // namespace weir
