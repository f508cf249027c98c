// The rules of SC, TSO and PSO (docs/semantics.md; Figure 2.19 and Appendix C of [Calin16]), applied to one
// thread at a time.
//
// Ending: `halt` is no step here. A thread that could end the execution stays where it is instead; what the
// others do from there on they could also have done before the end, so the same violations are found, in
// fewer states. Only a deadlock must not be seen where a thread could still end everything (see Monitor).
#include "memory/thread_view.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/fault.hpp"
#include "machine/evaluate.hpp"
#include "program/address.hpp"
#include "program/ordering.hpp"

namespace weir {

ThreadView::ThreadView(ThreadAutomaton& automaton, SharedMemory& memory, StoreBuffers& buffers, Model model,
                       std::optional<std::uint32_t> buffer_bound)
    : automaton_(automaton), memory_(memory), buffers_(buffers), model_(model), buffer_bound_(buffer_bound) {}

ComponentId ThreadView::intern(StateId local, BufferId buffer, bool holds_lock) {
  const std::uint64_t key = std::uint64_t{local.index()} << 32 | buffer.index();
  const auto [entry, added] = ids_.try_emplace({key, holds_lock}, static_cast<std::uint32_t>(info_.size()));
  if (added) info_.push_back({local, buffer, holds_lock});
  return ComponentId(entry->second);
}

// Of those that are there already.
void ThreadView::number_components() {
  ids_.clear();
  for (std::size_t i = 0; i < info_.size(); ++i) {
    const Info& info = info_[i];
    const std::uint64_t key = std::uint64_t{info.local.index()} << 32 | info.buffer.index();
    ids_.emplace(std::pair{key, info.holds_lock}, static_cast<std::uint32_t>(i));
  }
}

void ThreadView::unfold(ComponentId component) {
  offered_.clear();
  const auto count = static_cast<std::uint32_t>(automaton_.actions(local(component)).size());
  for (std::uint32_t action = 0; action < count; ++action) offer(component, action);
  offer_flushes(component);
  Info& info = info_[component.index()];
  info.steps = steps_.add(offered_);
  info.unfolded = true;
}

void ThreadView::offer(ComponentId component, std::uint32_t index) {
  const Action action = automaton_.actions(local(component))[index];
  const bool drained = buffer(component) == StoreBuffers::kEmptyBuffer;
  const bool holds = holds_lock(component);
  Step step{.action = index};
  const auto goes_to = [&](bool lock_afterwards) {
    const StateId next = automaton_.successor(local(component), index);
    step.next = intern(next, buffer(component), lock_afterwards).index();
  };
  switch (action.kind) {
    case ActionKind::kInternal: goes_to(holds); break;
    case ActionKind::kFail: return offer_failure(component, action, step);
    case ActionKind::kLoad: return offer_load(component, action, step);
    case ActionKind::kStore: return offer_store(component, action, step);
    case ActionKind::kFree: return offer_free(component, action, step);
    case ActionKind::kHalt: return;  // see the note on ending below
    case ActionKind::kRmw:
      if (!drained) return;
      step.effect = Effect::kUpdate;
      step.access = AccessKind::kWrite;
      step.needs_lock = true;
      step.cell = memory_.cell(action.address, action.type);
      if (!guard(component, action, step)) break;
      step.next = after_.add_slot();
      break;
    case ActionKind::kFence:
      if (waits_for_empty_buffer(action.fence)) {
        if (!drained && !fault("fence-does-not-wait")) return;
        goes_to(holds);
      } else {
        const StateId next = automaton_.successor(local(component), index);
        const BufferId before = buffer(component);
        const BufferId after = puts_barrier(action.fence) ? buffers_.push_barrier(before) : before;
        step.next = intern(next, after, holds).index();
      }
      break;
    case ActionKind::kLock:
      if (!drained || holds) return;
      step.effect = Effect::kAcquire;
      goes_to(true);
      break;
    case ActionKind::kUnlock:
      if (!drained || !holds) return;
      step.effect = Effect::kRelease;
      goes_to(false);
      break;
    case ActionKind::kAtomicBegin:
      if (!drained) return;
      step.effect = Effect::kAtomic;
      step.needs_lock = true;
      break;
    case ActionKind::kAtomicEnd: WEIR_CHECK(false, "an atomic block ends only inside its own step");
  }
  offered_.push_back(step);
}

// An access to a block looks at the block's status first: in the own buffer, where a release makes the step
// fail for sure (false), or else in memory.
bool ThreadView::guard(ComponentId component, const Action& action, Step& step) {
  if (!memory_.releases() || address_kind(action.address) != AddressKind::kBlock) return true;
  step.failure = action.kind == ActionKind::kFree ? FailureKind::kBadFree : FailureKind::kFreed;
  const CellId status = memory_.cell(status_address(action.address));
  if (buffers_.newest(buffer(component), status).value_or(0) != 0) {
    step.effect = Effect::kFail;
    return false;
  }
  step.guard = status;
  return true;
}

void ThreadView::offer_load(ComponentId component, const Action& action, Step step) {
  step.access = AccessKind::kRead;
  step.plain = action.plain;
  step.copies = action.copies;
  step.waits = action.waits;
  step.needs_lock = true;
  step.cell = memory_.cell(action.address, action.type);
  if (!guard(component, action, step)) return offered_.push_back(step);
  if (const std::optional<Value> own = buffered(component, step)) {
    const Value returned = returned_value(action, *own);
    if (action.waits && !can_return(action, returned)) return;
    step.value = returned;
    if (returned == kUninitialised && !action.copies) {
      step.guard = {};
      step.effect = Effect::kFail;
      step.failure = FailureKind::kNotInitialised;
    } else {
      step.next =
          with_local(component, automaton_.successor(local(component), step.action, returned)).index();
    }
  } else {
    step.effect = Effect::kRead;
    step.value = action.expected;
    step.next = after_.add_slot();
  }
  offered_.push_back(step);
}

// Each byte comes from the newest store that holds it. What the own buffer holds of the cell, if that is all of it;
// otherwise `merges` says whether it is something.
std::optional<Value> ThreadView::buffered(ComponentId component, Step& step) {
  const BufferId own = buffer(component);
  const std::span<const CellId> leaves = memory_.leaves(step.cell);
  if (leaves.empty()) {
    const std::optional<BufferedStore> store = buffers_.newest_over(own, step.cell);
    return store ? std::optional(memory_.part(store->value, store->cell, step.cell)) : std::nullopt;
  }
  const auto is_buffered = [&](CellId leaf) { return buffers_.newest_over(own, leaf).has_value(); };
  step.merges = std::ranges::any_of(leaves, is_buffered);
  if (!std::ranges::all_of(leaves, is_buffered)) return std::nullopt;
  return merged(component, step, memory_.initial());
}

Value ThreadView::merged(ComponentId component, const Step& step, MemoryId memory) {
  const auto held = [&](CellId leaf) {
    const std::optional<BufferedStore> store = buffers_.newest_over(buffer(component), leaf);
    return store ? memory_.part(store->value, store->cell, leaf) : memory_.read(memory, leaf);
  };
  if (memory_.leaves(step.cell).empty()) return held(step.cell);
  if (fault("forwards-nothing-of-several")) return memory_.read(memory, step.cell);
  const Value value = memory_.together(step.cell, held);
  if (step.copies) memory_.note_copied(step.cell, value, held);
  return value;
}

void ThreadView::offer_store(ComponentId component, const Action& action, Step step) {
  step.access = AccessKind::kWrite;
  step.plain = action.plain;
  step.cell = memory_.cell(action.address, action.type);
  step.value = action.value;
  if (at_once(action.order) && buffer(component) != StoreBuffers::kEmptyBuffer) return;
  step.needs_lock = at_once(action.order);
  if (!guard(component, action, step)) return offered_.push_back(step);
  offer_buffered(component, action, step, automaton_.successor(local(component), step.action));
}

// A release is a store to the status of the block, after a look at it. That of a stack block is no
// instruction of the machine: it happens at once, whatever is in the buffer.
void ThreadView::offer_free(ComponentId component, const Action& action, Step step) {
  step.cell = memory_.cell(status_address(action.address));
  step.value = action.value;
  step.needs_lock = true;
  const bool renews = action.value == 0;
  if (!renews && !guard(component, action, step)) return offered_.push_back(step);
  offer_buffered(component, action, step, automaton_.successor(local(component), step.action));
}

// Writes memory at once or puts the store into the buffer, whichever the model says.
void ThreadView::offer_buffered(ComponentId component, const Action& action, Step step, StateId next) {
  const BufferId before = buffer(component);
  if (at_once(action.order)) {
    step.effect = Effect::kWrite;
    step.next = with_local(component, next).index();
  } else if (buffer_bound_ && buffers_.length(before) >= *buffer_bound_) {
    info_[component.index()].bounded = true;
    return;
  } else {
    const BufferId ready = puts_barrier(action.order) ? buffers_.push_barrier(before) : before;
    const BufferId after = buffers_.push(ready, {step.cell, step.value});
    step.next = intern(next, after, holds_lock(component)).index();
  }
  offered_.push_back(step);
}

void ThreadView::offer_flushes(ComponentId component) {
  std::uint32_t which = 0;
  for (const Flush& flush : buffers_.flushes(buffer(component))) {
    const ComponentId next = intern(local(component), flush.rest, holds_lock(component));
    Step step{.effect = Effect::kWrite,
              .needs_lock = true,
              .flush = true,
              .cell = flush.store.cell,
              .action = which++,
              .next = next.index(),
              .value = flush.store.value};
    if (flushes_late(flush.store.cell)) {
      step.guard = memory_.cell(status_address(memory_.address(flush.store.cell)));
      step.failure = FailureKind::kFreed;
    }
    offered_.push_back(step);
  }
}

// Can a store reach its block after another thread has released it, although it was executed before? Under
// PSO a later store of the same thread may have told the other one to do so. Under TSO that store would come
// second, so who releases the block too early does so before some store is executed, too. A thread's own
// variables end at once, with what it stored there still in the buffer; that harms nobody.
bool ThreadView::flushes_late(CellId cell) const {
  if (!reorders_stores(model_) || !memory_.releases()) return false;
  const Value address = memory_.address(cell);
  if (address_kind(address) != AddressKind::kBlock) return false;
  const BlockAddress block = decode_block(address);
  return block.kind != BlockKind::kStack || block.thread != automaton_.self();
}

// A failing instruction is executable under the conditions of the instruction itself.
void ThreadView::offer_failure(ComponentId component, const Action& action, Step step) {
  if (drains_to_fail(action) && buffer(component) != StoreBuffers::kEmptyBuffer) return;
  const bool direct =
      action.failing == Opcode::kRmw || (action.failing == Opcode::kStore && at_once(action.order));
  step.effect = Effect::kFail;
  step.failure = action.failure;
  step.needs_lock = direct || action.failing == Opcode::kLoad || action.failing == Opcode::kFree;
  offered_.push_back(step);
}

ComponentId ThreadView::compute_after(ComponentId component, const Step& step, Value value) {
  const Action action = automaton_.actions(local(component))[step.action];
  const Value returned = returned_value(action, value);
  const ComponentId next =
      with_local(component, automaton_.successor(local(component), step.action, returned));
  after_.insert(step.next, value, next.index());
  return next;
}

Value ThreadView::updated(ComponentId component, const Step& step, Value old) {
  const Action& action = automaton_.actions(local(component))[step.action];
  if (action.rmw == RmwOp::kCompareExchange && old != action.expected) return old;
  return apply_rmw(action.rmw, old, action.value, memory_.type(step.cell));
}

}  // namespace weir
