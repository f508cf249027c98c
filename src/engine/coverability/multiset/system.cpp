#include "engine/coverability/multiset/system.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "engine/failure.hpp"
#include "machine/evaluate.hpp"
#include "memory/shared_memory.hpp"
#include "program/ordering.hpp"

namespace weir {

namespace {

constexpr std::uint32_t kNone = MultisetTransition::kNone;
constexpr std::uint32_t kAnyState = MultisetConfiguration::kAnyState;
constexpr ValueNumber kAnyValue = MultisetConfiguration::kAnyValue;
constexpr std::size_t kMostThreads = 63;  // see MultisetConfiguration::holders

constexpr std::uint64_t kNobody = 1;
std::uint64_t holder(std::uint32_t thread) { return std::uint64_t{1} << (thread + 1); }

// Does the action write memory at once even outside atomic blocks?
bool drains(const Action& action) { return waits_for_empty_buffer(action.order); }

}  // namespace

std::optional<std::string> MultisetSystem::obstacle(const Program& program, const ValueClosure& closure) {
  if (program.threads.size() > kMostThreads) return "there are more than 63 threads";
  for (const ClosedThread& thread : closure.threads())
    for (std::size_t s = 0; s < thread.state_count(); ++s)
      for (const Action& action : thread.automaton->actions(StateId(s)))
        if (action.kind == ActionKind::kHalt && leaves_out(program.edge(action.edge).instruction))
          return "an instruction ends the execution because what follows is left out";
  return std::nullopt;
}

MultisetSystem::MultisetSystem(const Program& program, const ValueClosure& closure)
    : program_(program), closure_(closure) {
  WEIR_CHECK(closure.closed() && !obstacle(program, closure), "a program that can be handled");
  uses_lock_ =
      std::ranges::any_of(program.edges, [](const Edge& e) { return e.instruction.op == Opcode::kLock; });
  look_at_cells(program, closure);
  for (const ClosedThread& thread : closure.threads()) {
    codes_.push_back(
        {.automaton = thread.automaton.get(), .inside = std::vector<bool>(thread.state_count())});
    unfold(codes_.back());
  }
  for (std::size_t t = 0; t < program.threads.size(); ++t) code_of_.push_back(closure.code_of(ThreadId(t)));
  add_slots();
}

void MultisetSystem::look_at_cells(const Program& program, const ValueClosure& closure) {
  SharedMemory memory(program);
  for (const Value address : closure.addresses()) {
    const CellId cell = memory.cell(address);
    cells_.push_back({address, memory.type(cell), closure.values(address)});
    const auto number = static_cast<std::uint32_t>(cells_.size() - 1);
    cells_.back().initial = number_of(number, memory.read(memory.initial(), cell));
  }
}

std::uint32_t MultisetSystem::cell_of(Value address) const {
  const auto found = std::ranges::lower_bound(cells_, address, {}, &Cell::address);
  WEIR_CHECK(found != cells_.end() && found->address == address, "an address of the closure");
  return static_cast<std::uint32_t>(found - cells_.begin());
}

ValueNumber MultisetSystem::number_of(std::uint32_t cell, Value value) const {
  const std::vector<Value>& values = cells_[cell].values;
  const auto found = std::ranges::lower_bound(values, value);
  WEIR_CHECK(found != values.end() && *found == value, "a value of the closure");
  return static_cast<ValueNumber>(found - values.begin());
}

// The steps of the code as they are outside atomic blocks; then those inside are put right.
void MultisetSystem::unfold(CodeSteps& code) {
  for (std::uint32_t s = 0; s < code.inside.size(); ++s) {
    const auto count = static_cast<std::uint32_t>(code.automaton->actions(StateId(s)).size());
    for (std::uint32_t i = 0; i < count; ++i) add_transitions(code, StateId(s), i);
  }
  mark_blocks(code);
  for (MultisetTransition& step : code.transitions) {
    if (!code.inside[step.from.index()]) continue;
    step.drained = true;
    step.needs_lock = false;
    if (step.buffered != kNone) step.written = std::exchange(step.buffered, kNone);
  }
  index_transitions(code);
}

void MultisetSystem::add_transitions(CodeSteps& code, StateId state, std::uint32_t index) {
  const Action action = code.automaton->actions(state)[index];
  MultisetTransition step{.from = state, .action = index};
  switch (action.kind) {
    case ActionKind::kHalt: return;  // the others could have done before whatever they do after
    case ActionKind::kLoad:
    case ActionKind::kStore:
    case ActionKind::kRmw: return add_access(code, action, step);
    case ActionKind::kFree: WEIR_CHECK(false, "a closed program has no blocks"); return;
    case ActionKind::kFail: {
      const bool direct =
          action.failing == Opcode::kRmw || (action.failing == Opcode::kStore && drains(action));
      step.drained = direct || drains_to_fail(action);
      step.needs_lock = direct || action.failing == Opcode::kLoad || action.failing == Opcode::kFree;
      code.transitions.push_back(step);
      return;
    }
    case ActionKind::kFence: step.drained = waits_for_empty_buffer(action.fence); break;
    case ActionKind::kLock:
      step.drained = true;
      step.lock = MultisetTransition::Lock::kTaken;
      break;
    case ActionKind::kUnlock:
      step.drained = true;
      step.lock = MultisetTransition::Lock::kGiven;
      break;
    case ActionKind::kAtomicBegin:
      step.drained = true;
      step.needs_lock = true;
      break;
    case ActionKind::kInternal:
    case ActionKind::kAtomicEnd: break;
  }
  step.to = code.automaton->successor(state, index);
  code.transitions.push_back(step);
}

// One step for each value that a load or update may find.
void MultisetSystem::add_access(CodeSteps& code, const Action& action, MultisetTransition step) {
  step.cell = cell_of(action.address);
  if (action.kind == ActionKind::kStore) {
    step.drained = step.needs_lock = drains(action);
    (step.drained ? step.written : step.buffered) = number_of(step.cell, action.value);
    step.to = code.automaton->successor(step.from, step.action);
    code.transitions.push_back(step);
    return;
  }
  step.needs_lock = true;
  step.drained = action.kind == ActionKind::kRmw;
  const std::vector<Value>& values = cells_[step.cell].values;
  for (step.found = 0; step.found < values.size(); ++step.found) {
    MultisetTransition way = step;
    const Value old = values[step.found];
    way.returned = returned_value(action, old);
    if (way.returned == kUninitialised && !action.copies) {
      code.transitions.push_back(way);
      continue;
    }
    if (!can_return(action, way.returned)) continue;
    const bool stores =
        action.kind == ActionKind::kRmw && (action.rmw != RmwOp::kCompareExchange || old == action.expected);
    if (stores) {
      const Value left = apply_rmw(action.rmw, old, action.value, cells_[step.cell].type);
      if (left == kUninitialised) {
        code.transitions.push_back(way);
        continue;
      }
      way.written = number_of(step.cell, left);
    }
    way.to = code.automaton->successor(step.from, step.action, way.returned);
    code.transitions.push_back(way);
  }
}

// A state is inside a block if a step led there from `atomic_begin`, or from inside by anything but
// `atomic_end`.
void MultisetSystem::mark_blocks(CodeSteps& code) const {
  std::vector<std::vector<const MultisetTransition*>> out(code.inside.size());
  for (const MultisetTransition& step : code.transitions) out[step.from.index()].push_back(&step);
  std::vector<bool> seen(code.inside.size());
  std::vector<std::uint32_t> open{code.automaton->initial().index()};
  seen[open[0]] = true;
  while (!open.empty()) {
    const std::uint32_t state = open.back();
    open.pop_back();
    for (const MultisetTransition* step : out[state]) {
      if (!step->to) continue;
      const ActionKind kind = code.automaton->actions(StateId(state))[step->action].kind;
      const bool inside =
          kind == ActionKind::kAtomicBegin || (code.inside[state] && kind != ActionKind::kAtomicEnd);
      const std::uint32_t next = step->to.index();
      WEIR_CHECK(!seen[next] || code.inside[next] == inside, "a state is inside a block or outside");
      if (seen[next]) continue;
      seen[next] = true;
      code.inside[next] = inside;
      open.push_back(next);
    }
  }
}

void MultisetSystem::index_transitions(CodeSteps& code) const {
  code.into.resize(code.inside.size());
  for (std::uint32_t i = 0; i < code.transitions.size(); ++i) {
    const MultisetTransition& step = code.transitions[i];
    if (!step.to) continue;
    code.into[step.to.index()].push_back(i);
    const bool tells = step.buffered != kNone || step.written != kNone ||
                       step.lock != MultisetTransition::Lock::kUnchanged || code.inside[step.from.index()];
    if (tells && !code.inside[step.to.index()]) code.telling.push_back(i);
  }
}

void MultisetSystem::add_slots() {
  for (std::uint32_t t = 0; t < code_of_.size(); ++t) {
    slot_of_.emplace_back(cells_.size(), kNoSlot);
    for (const MultisetTransition& step : transitions(t)) {
      if (step.buffered == kNone || slot_of_[t][step.cell] != kNoSlot) continue;
      slot_of_[t][step.cell] = static_cast<std::uint32_t>(slots_.size());
      slots_.push_back({t, step.cell});
    }
  }
}

MultisetSystem::Configuration MultisetSystem::anything() const {
  return {std::vector<std::uint32_t>(code_of_.size(), kAnyState),
          std::vector<ValueNumber>(cells_.size(), kAnyValue),
          std::vector<BufferedStores>(slots_.size(), BufferedStores::any())};
}

Signature MultisetSystem::signature(const Configuration& c) const {
  Signature signature;
  const auto feature = [&](std::uint64_t kind, std::uint64_t which, std::uint64_t what) {
    signature.features |= std::uint64_t{1} << (mix(mix(kind, which), what) & 63);
  };
  for (std::size_t t = 0; t < c.states.size(); ++t)
    if (c.states[t] != kAnyState) feature(0, t, c.states[t]);
  for (std::size_t cell = 0; cell < c.memory.size(); ++cell)
    if (c.memory[cell] != kAnyValue) feature(1, cell, c.memory[cell]);
  for (std::size_t s = 0; s < c.buffers.size(); ++s) {
    const BufferedStores& stores = c.buffers[s];
    if (stores.is_none()) feature(2, s, 0);
    if (stores.is_some()) feature(3, s, 0);
    if (stores.last() != kAnyValue) feature(4, s, stores.last());
    for (const auto& count : stores.counts()) feature(5, s, count.value);
    signature.size += stores.copies();
  }
  return signature;
}

bool MultisetSystem::covers(const Configuration& a, const Configuration& b) const {
  if ((b.holders & ~a.holders) != 0) return false;
  for (std::size_t t = 0; t < a.states.size(); ++t) {
    if (a.states[t] == b.states[t]) continue;
    if (a.states[t] != kAnyState || inside_block(t, b.states[t])) return false;
  }
  for (std::size_t cell = 0; cell < a.memory.size(); ++cell)
    if (a.memory[cell] != kAnyValue && a.memory[cell] != b.memory[cell]) return false;
  for (std::size_t s = 0; s < a.buffers.size(); ++s)
    if (!a.buffers[s].covers(b.buffers[s])) return false;
  return true;
}

bool MultisetSystem::initial(const Configuration& c) const {
  if ((c.holders & kNobody) == 0) return false;
  for (std::size_t t = 0; t < c.states.size(); ++t)
    if (c.states[t] != kAnyState && c.states[t] != automaton(t).initial().index()) return false;
  for (std::size_t cell = 0; cell < c.memory.size(); ++cell)
    if (c.memory[cell] != kAnyValue && c.memory[cell] != cells_[cell].initial) return false;
  return std::ranges::none_of(c.buffers, &BufferedStores::is_some);
}

std::uint64_t MultisetSystem::weight(const Configuration& c) const {
  std::uint64_t weight = 0;
  for (const BufferedStores& stores : c.buffers) weight += stores.copies();
  return weight;
}

void MultisetSystem::collect(const Configuration& c) {
  for (std::uint32_t t = 0; t < c.states.size(); ++t)
    if (c.states[t] != kAnyState && inside_block(t, c.states[t])) return collect_steps(c, t);
  for (std::uint32_t t = 0; t < c.states.size(); ++t) collect_steps(c, t);
  for (std::uint32_t s = 0; s < slots_.size(); ++s) collect_flushes(c, s);
}

void MultisetSystem::collect_steps(const Configuration& c, std::uint32_t thread) {
  const CodeSteps& code = codes_[code_of_[thread]];
  const bool anywhere = c.states[thread] == kAnyState;
  std::vector<Configuration> before;
  for (const std::uint32_t i : anywhere ? code.telling : code.into[c.states[thread]]) {
    const MultisetTransition& step = code.transitions[i];
    if (anywhere && !matters(c, thread, step)) continue;
    before.clear();
    undo(c, thread, step, before);
    for (Configuration& p : before)
      found_.push_back({std::move(p), {thread, false, step.action, step.returned}});
  }
}

// Of a thread that may be anywhere: does the step bring about something that is asked for? Otherwise what was
// before it is above `c`.
bool MultisetSystem::matters(const Configuration& c, std::uint32_t thread,
                             const MultisetTransition& step) const {
  if (inside_block(thread, step.from.index())) return true;
  if (step.lock != MultisetTransition::Lock::kUnchanged && c.holders != Configuration::kAnyHolder)
    return true;
  if (step.written != kNone) return c.memory[step.cell] != kAnyValue;
  return step.buffered != kNone && c.buffers[slot(thread, step.cell)].is_some();
}

void MultisetSystem::undo(const Configuration& c, std::uint32_t thread, const MultisetTransition& step,
                          std::vector<Configuration>& before) const {
  Configuration p = c;
  if (!undo_effects(p, thread, step) || !require(p, thread, step)) return;
  p.states[thread] = step.from.index();
  require_found(p, thread, step, before);
}

// What must hold for `c` to hold afterwards; false if the step makes it wrong.
bool MultisetSystem::undo_effects(Configuration& c, std::uint32_t thread,
                                  const MultisetTransition& step) const {
  if (step.written != kNone) {
    ValueNumber& held = c.memory[step.cell];
    if (held != kAnyValue && held != step.written) return false;
    held = kAnyValue;
  }
  if (step.buffered != kNone) {
    BufferedStores& stores = c.buffers[slot(thread, step.cell)];
    if (stores.is_none() || (stores.last() != kAnyValue && stores.last() != step.buffered)) return false;
    stores = stores.before_adding(step.buffered);
  }
  switch (step.lock) {
    case MultisetTransition::Lock::kUnchanged: return true;
    case MultisetTransition::Lock::kTaken:
      if ((c.holders & holder(thread)) == 0) return false;
      c.holders = kNobody;
      return true;
    case MultisetTransition::Lock::kGiven:
      if ((c.holders & kNobody) == 0) return false;
      c.holders = holder(thread);
      return true;
  }
  return false;
}

// Adds what the step needs of lock and buffer; false if that cannot be.
bool MultisetSystem::require(Configuration& c, std::uint32_t thread, const MultisetTransition& step) const {
  if (step.needs_lock && uses_lock_) c.holders &= kNobody | holder(thread);
  return c.holders != 0 && (!step.drained || drain(c, thread));
}

bool MultisetSystem::drain(Configuration& c, std::uint32_t thread) const {
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    if (slots_[s].thread != thread) continue;
    if (c.buffers[s].is_some()) return false;
    c.buffers[s] = BufferedStores::none();
  }
  return true;
}

// Adds what the step needs to find in its cell: added last to the own buffer, or in memory with nothing
// buffered.
void MultisetSystem::require_found(const Configuration& c, std::uint32_t thread,
                                   const MultisetTransition& step, std::vector<Configuration>& before) const {
  if (step.found == kNone) return before.push_back(c);
  const std::uint32_t own = slot(thread, step.cell);
  const bool buffered = own != kNoSlot && !step.drained;
  if (buffered && !c.buffers[own].is_none() &&
      (c.buffers[own].last() == kAnyValue || c.buffers[own].last() == step.found)) {
    before.push_back(c);
    before.back().buffers[own] = c.buffers[own].with_last(step.found);
  }
  if (buffered && c.buffers[own].is_some()) return;
  if (c.memory[step.cell] != kAnyValue && c.memory[step.cell] != step.found) return;
  before.push_back(c);
  before.back().memory[step.cell] = step.found;
  if (buffered) before.back().buffers[own] = BufferedStores::none();
}

// Where a flush brings about nothing that is asked for, what was before it is above `c`.
void MultisetSystem::collect_flushes(const Configuration& c, std::uint32_t slot) {
  const auto [thread, cell] = slots_[slot];
  Configuration after = c;
  if (uses_lock_) after.holders &= kNobody | holder(thread);
  if (after.holders == 0) return;
  const ValueNumber asked = c.memory[cell];
  after.memory[cell] = kAnyValue;
  if (asked != kAnyValue) return undo_flush(after, slot, asked);
  if (!c.buffers[slot].is_none()) return;
  after.buffers[slot] = BufferedStores::some();
  found_.push_back({std::move(after), {.thread = thread, .flush = true}});
}

// The essay at the head of system.hpp has the cases.
void MultisetSystem::undo_flush(const Configuration& after, std::uint32_t slot, ValueNumber value) {
  const auto before = [&](BufferedStores stores) {
    Configuration p = after;
    p.buffers[slot] = std::move(stores);
    found_.push_back({std::move(p), {.thread = slots_[slot].thread, .flush = true}});
  };
  const BufferedStores& stores = after.buffers[slot];
  if (stores.is_none()) return before(BufferedStores::some().with_last(value));
  if (stores.is_any() || stores.last() != kAnyValue || stores.least(value) > 0)
    return before(stores.with(value));
  before(stores.with(value, 2).with_last(value));
  const auto count = static_cast<ValueNumber>(cells_[slots_[slot].cell].values.size());
  for (ValueNumber last = 0; last < count; ++last)
    if (last != value) before(stores.with(value).with_last(last));
}

}  // namespace weir
