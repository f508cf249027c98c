#include "engine/robust/attack_system.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/fault.hpp"
#include "engine/failure.hpp"
#include "machine/evaluate.hpp"
#include "program/address.hpp"
#include "program/ordering.hpp"

namespace weir {

namespace {

using Role = AttackRow::Role;

}  // namespace

AttackSystem::AttackSystem(const Program& program, const RobustOptions& options,
                           const std::vector<Attack>& attacks, const std::vector<bool>& wanted)
    : program_(program),
      options_(options),
      attacks_(attacks),
      separate_(options.all),
      triangular_(options.notion == RobustnessNotion::kTriangular),
      graph_(program, options.fences),
      code_(program),
      memory_(program, options.values),
      found_(attacks.size()),
      store_of_(attacks.size()) {
  build_automata();
  for (std::size_t i = 0; i < attacks.size(); ++i) {
    if (!wanted[i]) continue;
    const std::uint32_t kind = kind_of_[attacks[i].thread.index()];
    const auto [store, added] =
        stores_.try_emplace({kind, attacks[i].store}, static_cast<std::uint32_t>(open_.size()));
    if (added) open_.push_back(0);
    ++open_[store->second];
    store_of_[i] = store->second;
    attack_of_.emplace(std::pair{store->second, attacks[i].load}, static_cast<std::uint32_t>(i));
  }
  accesses_.intern({});
  delayed_.intern({});
}

void AttackSystem::build_automata() {
  std::vector<std::size_t> first;  // per kind: its first thread
  for (std::size_t t = 0; t < program_.threads.size(); ++t) {
    const Thread& thread = program_.threads[t];
    AutomatonOptions automaton;
    automaton.local_steps = options_.local_steps;
    identify(automaton, code_, ThreadId(t));
    const auto known = std::ranges::find_if(first, [&](std::size_t other) {
      return !code_.knows_self() && program_.threads[other].function == thread.function &&
             program_.threads[other].arguments == thread.arguments &&
             program_.threads[other].dormant == thread.dormant;
    });
    kind_of_.push_back(static_cast<std::uint32_t>(known - first.begin()));
    if (known == first.end()) {
      first.push_back(t);
      automata_.push_back(
          std::make_unique<ThreadAutomaton>(code_, thread.function, thread.arguments, automaton));
      groups_.emplace_back();
    }
    groups_[kind_of_[t]].push_back(t);
  }
  std::erase_if(groups_, [](const auto& group) { return group.size() < 2; });
}

AttackRow AttackSystem::initial() {
  AttackRow row(thread_count());
  change_control(row, {});
  row.set_memory(memory_.initial());
  for (std::size_t t = 0; t < thread_count(); ++t) row.set_local(t, past_fences(t, automaton(t).initial()));
  return row;
}

std::uint32_t AttackSystem::intern(const AttackControl& control) {
  const auto [entry, added] = control_ids_.try_emplace(control, static_cast<std::uint32_t>(controls_.size()));
  if (added) controls_.push_back(control);
  return entry->second;
}

// Steps.

AttackSystem::Successor& AttackSystem::add(const AttackMove& move, const AttackRow& from) {
  if (found_count_ == found_steps_.size()) found_steps_.push_back({{}, AttackRow(thread_count())});
  Successor& successor = found_steps_[found_count_++];
  successor.move = move;
  successor.row.ids = from.ids;
  return successor;
}

std::span<const AttackSystem::Successor> AttackSystem::successors(const AttackRow& row) {
  found_count_ = 0;
  for (std::size_t t = 0; t < thread_count(); ++t) add_steps(row, t);
  return {found_steps_.data(), found_count_};
}

std::span<const AttackSystem::Successor> AttackSystem::successors(const AttackRow& row, std::size_t thread) {
  found_count_ = 0;
  add_steps(row, thread);
  return {found_steps_.data(), found_count_};
}

void AttackSystem::add_steps(const AttackRow& row, std::size_t thread) {
  const AttackControl now = control(row);
  if (now.block_open && !row.has(thread, Role::kInBlock)) return;
  const bool attacker = row.has(thread, Role::kAttacker);
  if (attacker && now.phase == Phase::kClosing) return;
  const StateId local = row.local(thread);
  const auto count = static_cast<std::uint32_t>(automaton(thread).actions(local).size());
  if (automaton(thread).cut(local)) cut = thread;
  for (std::uint32_t index = 0; index < count; ++index) {
    if (attacker) {
      add_attacker_step(row, thread, index);
    } else {
      add_helper_step(row, thread, index);
      if (now.phase == Phase::kSequential) begin_delay(row, thread, index);
    }
  }
}

bool AttackSystem::moves_locally(const AttackRow& row, std::size_t thread) {
  const std::span<const Action> actions = automaton(thread).actions(row.local(thread));
  return !actions.empty() && std::ranges::all_of(actions, is_local);
}

bool AttackSystem::waits_at_fence(std::size_t thread, StateId local) {
  const std::span<const Action> actions = automaton(thread).actions(local);
  return actions.size() == 1 && actions[0].kind == ActionKind::kFence;
}

StateId AttackSystem::past_fences(std::size_t thread, StateId local) {
  constexpr int kMostInARow = 16;  // there may be a loop of fences only
  for (int i = 0; i < kMostInARow && waits_at_fence(thread, local); ++i)
    local = automaton(thread).successor(local, 0);
  return local;
}

// Must helpers stay on the path?
bool AttackSystem::disciplined(const AttackControl& control) const {
  return control.phase == Phase::kClosing || (control.phase == Phase::kDelaying && !triangular_);
}

void AttackSystem::add_helper_step(const AttackRow& row, std::size_t thread, std::uint32_t index) {
  const StateId local = row.local(thread);
  const Action action = automaton(thread).actions(local)[index];
  Successor& next = add({.thread = thread, .local = local, .action = index}, row);
  if (!help(next.row, thread, action, next.move.returned)) return drop_last();
  next.row.set_local(thread,
                     past_fences(thread, automaton(thread).successor(local, index, next.move.returned)));
}

// One step of a thread that does not delay.
bool AttackSystem::help(AttackRow& row, std::size_t thread, const Action& action, Value& returned) {
  switch (action.kind) {
    case ActionKind::kInternal:
    case ActionKind::kFence: return may_move_off_path(row, thread);
    case ActionKind::kFree:  // not an access: see docs/semantics.md
      if (!may_move_off_path(row, thread) || !is_there(row, action)) return false;
      release(row, action);
      return true;
    case ActionKind::kLoad:
      return !blocked(row, thread) && is_there(row, action) && read(row, thread, action, returned);
    case ActionKind::kStore: {
      const CellId cell = memory_.cell(action.address, action.type);
      return !blocked(row, thread) && is_there(row, action) && access(row, thread, cell, true) &&
             write(row, cell, action.value);
    }
    case ActionKind::kRmw:
      return !blocked(row, thread) && is_there(row, action) && update(row, thread, action, returned);
    case ActionKind::kLock: return !memory_.locked(row.memory()) && open_section(row, thread, false);
    case ActionKind::kUnlock: return row.has(thread, Role::kHoldsLock) && close_section(row, thread, false);
    case ActionKind::kAtomicBegin: return !blocked(row, thread) && open_section(row, thread, true);
    case ActionKind::kAtomicEnd: return close_section(row, thread, true);
    case ActionKind::kHalt: note_halt(action); return false;
    case ActionKind::kFail: return false;
  }
  return false;
}

bool AttackSystem::may_move_off_path(const AttackRow& row, std::size_t thread) const {
  const bool in_section = row.has(thread, Role::kHoldsLock) || row.has(thread, Role::kInBlock);
  return in_section || row.has(thread, Role::kOnPath) || !disciplined(control(row));
}

// Was the block that the action is about not released? Otherwise the action fails, and the execution ends.
bool AttackSystem::is_there(const AttackRow& row, const Action& action, bool attacker) {
  const bool renews = action.kind == ActionKind::kFree && action.value == 0;
  if (!memory_.releases() || renews || program_.open_memory ||
      address_kind(action.address) != AddressKind::kBlock)
    return true;
  const CellId status = memory_.cell(status_address(action.address));
  const std::optional<Value> own =
      attacker ? delayed(row.ids[AttackRow::kDelayed], status) : std::optional<Value>();
  if (own.value_or(memory_.read(row.memory(), status)) == 0) return true;
  if (!after_release) after_release = action.edge;
  return false;
}

void AttackSystem::release(AttackRow& row, const Action& action) {
  row.set_memory(memory_.write(row.memory(), memory_.cell(status_address(action.address)), action.value));
}

void AttackSystem::note_halt(const Action& action) {
  if (!gave_up && leaves_out(program_.edge(action.edge).instruction)) gave_up = action.edge;
}

bool AttackSystem::read(AttackRow& row, std::size_t thread, const Action& action, Value& returned) {
  const CellId cell = memory_.cell(action.address, action.type);
  returned = returned_value(action, memory_.read(row.memory(), cell));
  return can_return(action, returned) && access(row, thread, cell, false);
}

bool AttackSystem::update(AttackRow& row, std::size_t thread, const Action& action, Value& returned) {
  const CellId cell = memory_.cell(action.address, action.type);
  const Value old = memory_.read(row.memory(), cell);
  returned = returned_value(action, old);
  if (!can_return(action, returned)) return false;
  const bool stores = action.rmw != RmwOp::kCompareExchange || old == action.expected;
  if (!access(row, thread, cell, stores)) return false;
  return !stores || write(row, cell, apply_rmw(action.rmw, old, action.value, memory_.type(cell)));
}

bool AttackSystem::open_section(AttackRow& row, std::size_t thread, bool block) {
  row.give(thread, block ? Role::kInBlock : Role::kHoldsLock);
  if (block) {
    AttackControl next = control(row);
    next.block_open = true;
    change_control(row, next);
  } else {
    row.set_memory(memory_.write(row.memory(), SharedMemory::kLockCell, 1));
  }
  return true;
}

bool AttackSystem::close_section(AttackRow& row, std::size_t thread, bool block) {
  row.take(thread, block ? Role::kInBlock : Role::kHoldsLock);
  if (block) {
    AttackControl next = control(row);
    next.block_open = false;
    change_control(row, next);
  } else {
    row.set_memory(memory_.write(row.memory(), SharedMemory::kLockCell, 0));
  }
  const bool still_inside = row.has(thread, Role::kHoldsLock);
  return still_inside || row.has(thread, Role::kOnPath) || !disciplined(control(row));
}

// An access of a helper: does it stay on the path, or join it?
bool AttackSystem::access(AttackRow& row, std::size_t thread, CellId cell, bool writes) {
  if (!disciplined(control(row))) return true;
  std::uint32_t& path = row.ids[AttackRow::kPath];
  std::uint32_t& trial = row.ids[AttackRow::kTrial];
  const Level own = writes ? kStored : kLoaded;
  if (!row.has(thread, Role::kOnPath)) {
    const Level met = level(path, cell);
    const bool joins = writes && !fault("missed-race") ? met != kNotAccessed : met == kStored;
    if (!joins && !row.has(thread, Role::kHoldsLock) && !row.has(thread, Role::kInBlock)) return false;
    if (!joins) {
      trial = raise(trial, cell, own);
      return true;
    }
    row.give(thread, Role::kOnPath);
    path = merge(path, trial);
    trial = kEmpty;
  }
  path = raise(path, cell, own);
  return true;
}

bool AttackSystem::write(AttackRow& row, CellId cell, Value value) {
  if (!memory_.admits(cell, value)) return false;
  row.set_memory(memory_.write(row.memory(), cell, value));
  return true;
}

// The attacker.

// A store that a thread keeps to itself, when nobody has begun to delay yet.
void AttackSystem::begin_delay(const AttackRow& row, std::size_t thread, std::uint32_t index) {
  const StateId local = row.local(thread);
  const Action action = automaton(thread).actions(local)[index];
  if (action.kind != ActionKind::kStore || drains(action)) return;
  // While somebody is inside a section the store can as well have been issued before it.
  if (control(row).block_open || memory_.locked(row.memory())) return;
  const auto store = stores_.find({kind_of_[thread], action.edge});
  if (store == stores_.end() || open_[store->second] == 0) return;
  const AttackMove move{
      .thread = thread, .local = local, .action = index, .kind = AttackMove::Kind::kFirstStore};
  const StateId after = automaton(thread).successor(local, index);
  if (!may_go_on(thread, after) || !passable(move)) return;
  Successor& next = add(move, row);
  const CellId cell = memory_.cell(action.address, action.type);
  AttackControl delaying{.phase = Phase::kDelaying, .target = triangular_ ? CellId(0) : cell};
  if (separate_) delaying.tag = store->second;
  change_control(next.row, delaying);
  if (!keep(next.row, cell, action.value)) return drop_last();
  next.row.give(thread, Role::kAttacker);
  next.row.set_local(thread, after);
}

bool AttackSystem::keep(AttackRow& row, CellId cell, Value value) {
  if (triangular_) {  // only the address matters; the value goes to memory
    row.ids[AttackRow::kDelayed] = delay(row.ids[AttackRow::kDelayed], cell, 0);
    return write(row, cell, value);
  }
  if (!memory_.admits(cell, value)) return false;
  memory_.note_value(cell, value);
  row.ids[AttackRow::kDelayed] = delay(row.ids[AttackRow::kDelayed], cell, value);
  return true;
}

void AttackSystem::add_attacker_step(const AttackRow& row, std::size_t thread, std::uint32_t index) {
  const StateId local = row.local(thread);
  const Action action = automaton(thread).actions(local)[index];
  if (action.kind == ActionKind::kHalt) return note_halt(action);
  if (drains(action) || action.kind == ActionKind::kFail) return;
  if (!is_local(action) && !is_there(row, action, /*attacker=*/true)) return;
  AttackMove move{.thread = thread, .local = local, .action = index};
  const bool touches_memory = action.kind == ActionKind::kLoad || triangular_;
  if (!is_local(action) && touches_memory && blocked(row, thread)) return;

  std::optional<CellId> loaded;  // from memory
  if (action.kind == ActionKind::kLoad) {
    const CellId cell = memory_.cell(action.address, action.type);
    const std::optional<Value> own = delayed(row.ids[AttackRow::kDelayed], cell);
    if (!own) loaded = cell;
    const Value value = own && !triangular_ ? *own : memory_.read(row.memory(), cell);
    move.returned = returned_value(action, value);
    if (!can_return(action, move.returned)) return;
    if (loaded) add_attack_load(row, move, action, cell);
  }
  if (action.kind == ActionKind::kStore || action.kind == ActionKind::kFree)
    move.kind = AttackMove::Kind::kDelayedStore;
  const StateId after = automaton(thread).successor(local, index, move.returned);
  if (!may_go_on(thread, after) || !passable(move)) return;
  Successor& next = add(move, row);
  if (action.kind == ActionKind::kStore &&
      !keep(next.row, memory_.cell(action.address, action.type), action.value))
    return drop_last();
  if (action.kind == ActionKind::kFree && writes_at_once(Model::kTso, action.order))
    release(next.row, action);
  else if (action.kind == ActionKind::kFree)
    keep(next.row, memory_.cell(status_address(action.address)), action.value);
  if (loaded && !triangular_)
    next.row.ids[AttackRow::kPath] = raise(next.row.ids[AttackRow::kPath], *loaded, kLoaded);
  next.row.set_local(thread, after);
}

// The load that ends the delay: the path begins anew with it.
void AttackSystem::add_attack_load(const AttackRow& row, const AttackMove& move, const Action& action,
                                   CellId cell) {
  const AttackControl now = control(row);
  if (graph_.fenced(program_.edge(action.edge).source)) return;
  AttackControl closing{.phase = Phase::kClosing, .target = triangular_ ? cell : now.target};
  if (separate_) {
    const auto attack = attack_of_.find({now.tag, action.edge});
    if (attack == attack_of_.end() || found_[attack->second]) return;
    closing.tag = attack->second;
  }
  Successor& next = add(move, row);
  next.move.kind = AttackMove::Kind::kAttackLoad;
  change_control(next.row, closing);
  next.row.ids[AttackRow::kDelayed] = kEmpty;
  next.row.ids[AttackRow::kPath] = raise(kEmpty, cell, kLoaded);
  for (std::size_t t = 0; t < thread_count(); ++t) next.row.take(t, Role::kOnPath);
  next.row.set_local(move.thread, StateId(0));
}

// Is there still a load ahead that the attacker can reach with its stores delayed?
bool AttackSystem::may_go_on(std::size_t thread, StateId local) {
  const LocationId at = automaton(thread).innermost_location(local);
  return at && graph_.leads_to_load(at);
}

bool AttackSystem::drains(const Action& action) const {
  return action.kind != ActionKind::kInternal &&
         waits_for_empty_buffer(program_.edge(action.edge).instruction);
}

bool AttackSystem::passable(const AttackMove& move) {
  if (options_.fences.empty()) return true;
  const std::vector<EdgeId> path = edges(move);
  const std::size_t first = move.kind == AttackMove::Kind::kFirstStore ? 1 : 0;
  return std::all_of(path.begin() + static_cast<std::ptrdiff_t>(first), path.end(),
                     [&](EdgeId edge) { return !graph_.fenced(program_.edge(edge).source); });
}

std::vector<EdgeId> AttackSystem::edges(const AttackMove& move) {
  std::vector<EdgeId> result;
  for (const PathStep& step : automaton(move.thread).path(move.local, move.action, move.returned)) {
    result.push_back(step.edge);
    if (move.kind == AttackMove::Kind::kAttackLoad) break;
  }
  return result;
}

// Results.

bool AttackSystem::success(const AttackRow& row) const {
  const AttackControl& now = control(row);
  if (now.phase != Phase::kClosing) return false;
  const Level reached = level(row.ids[AttackRow::kPath], now.target);
  if (now.block_open) return false;
  if (triangular_) return reached == kStored;
  return reached != kNotAccessed && !memory_.locked(row.memory());  // else the store could not be flushed
}

bool AttackSystem::settled(const AttackRow& row) const {
  const AttackControl& now = control(row);
  if (now.tag == AttackControl::kNoTag) return false;
  return now.phase == Phase::kClosing ? bool{found_[now.tag]} : open_[now.tag] == 0;
}

void AttackSystem::found(std::uint32_t attack) {
  if (found_[attack]) return;
  found_[attack] = true;
  --open_[store_of_[attack]];
}

std::uint32_t AttackSystem::index_of(const Attack& attack) const {
  const auto store = stores_.find({kind_of_[attack.thread.index()], attack.store});
  WEIR_CHECK(store != stores_.end(), "a store that was not looked for");
  const auto found = attack_of_.find({store->second, attack.load});
  WEIR_CHECK(found != attack_of_.end(), "control flow allows every attack that is feasible");
  return found->second;
}

void AttackSystem::canonicalise(AttackRow& row, std::vector<std::size_t>* order) const {
  for (const std::vector<std::size_t>& group : groups_)
    for (std::size_t i = 1; i < group.size(); ++i)  // insertion sort: groups are small and almost sorted
      for (std::size_t j = i; j > 0; --j) {
        std::uint32_t& left = row.ids[AttackRow::kFirstThread + group[j - 1]];
        std::uint32_t& right = row.ids[AttackRow::kFirstThread + group[j]];
        if (left <= right) break;
        std::swap(left, right);
        if (order != nullptr) std::swap((*order)[group[j - 1]], (*order)[group[j]]);
      }
}

// Accesses on the path and delayed stores, as interned sequences.

AttackSystem::Level AttackSystem::level(std::uint32_t accesses, CellId cell) const {
  for (const std::uint32_t word : accesses_[accesses])
    if (word >> 1 == cell.index()) return (word & 1) != 0 ? kStored : kLoaded;
  return kNotAccessed;
}

std::uint32_t AttackSystem::raise(std::uint32_t accesses, CellId cell, Level to) {
  const auto [known, added] = raised_.try_emplace({accesses, cell.index(), to});
  if (!added) return known->second;
  const std::span<const std::uint32_t> old = accesses_[accesses];
  std::vector<std::uint32_t> words(old.begin(), old.end());
  const std::uint32_t word = cell.index() << 1 | (to == kStored ? 1 : 0);
  const auto at = std::ranges::lower_bound(words, cell.index() << 1);
  if (at != words.end() && *at >> 1 == cell.index()) {
    *at = std::max(*at, word);
  } else {
    words.insert(at, word);
  }
  return known->second = accesses_.intern(words);
}

std::uint32_t AttackSystem::merge(std::uint32_t a, std::uint32_t b) {
  const std::span<const std::uint32_t> other = accesses_[b];
  for (const std::uint32_t word : std::vector(other.begin(), other.end()))
    a = raise(a, CellId(word >> 1), (word & 1) != 0 ? kStored : kLoaded);
  return a;
}

std::optional<Value> AttackSystem::delayed(std::uint32_t stores, CellId cell) const {
  const std::span<const Value> words = delayed_[stores];
  for (std::size_t i = 0; i < words.size(); i += 2)
    if (words[i] == cell.index()) return words[i + 1];
  return std::nullopt;
}

std::uint32_t AttackSystem::delay(std::uint32_t stores, CellId cell, Value value) {
  const std::span<const Value> old = delayed_[stores];
  std::vector<Value> words(old.begin(), old.end());
  std::size_t at = 0;
  while (at < words.size() && words[at] < cell.index()) at += 2;
  if (at == words.size() || words[at] != cell.index())
    words.insert(words.begin() + static_cast<std::ptrdiff_t>(at), {Value{cell.index()}, value});
  words[at + 1] = value;
  return delayed_.intern(words);
}

}  // namespace weir
