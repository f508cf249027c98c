// Steps of a whole state, put together from single instructions and flushes, and the properties of states.
#include "check/reference/machine.hpp"

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "check/reference/access.hpp"
#include "check/reference/evaluator.hpp"
#include "program/address.hpp"

namespace weir {

namespace {

using WayThroughBlock = ReferenceStep;  // a block as far as it has been executed

// All ways to execute one instruction from the end of `way`: several for a choice, none if it is blocked.
std::vector<ReferenceStep> extensions(const ReferenceMachine& machine, const ReferenceStep& way,
                                      ThreadId thread, EdgeId edge, bool in_block) {
  const Instruction& instruction = machine.program().edge(edge).instruction;
  const bool is_choice = instruction.op == Opcode::kChoose;
  const Value low = is_choice ? instruction.low : 0;
  const Value high = is_choice ? instruction.high : 0;
  std::vector<ReferenceStep> found;
  for (Value chosen = low; chosen <= high; ++chosen) {
    ReferenceStep longer = way;
    Execution execution = machine.execute(longer.after, thread, edge, chosen, in_block);
    if (execution.obstacle == nullptr) {
      longer.steps.push_back(execution.step);
      longer.failure = std::move(execution.failure);
      longer.unsupported = std::move(execution.unsupported);
      found.push_back(std::move(longer));
    }
    if (chosen == high) break;  // so that the largest value does not overflow
  }
  return found;
}

std::span<const EdgeId> edges_ahead(const Program& program, const ReferenceState& state, ThreadId thread) {
  const LocationId location = current_location(state, thread);
  if (!location) return {};
  return program.location(location).edges;
}

}  // namespace

LocationId current_location(const ReferenceState& state, ThreadId thread) {
  return state.threads.at(thread.index()).stack.back().location;
}

ReferenceState ReferenceMachine::initial() const {
  ReferenceState state;
  for (const Thread& thread : program_.threads) {
    ThreadState& added = state.threads.emplace_back();
    added.stack.push_back(enter_function(program_, thread.function, thread.arguments, EdgeId::none()));
    added.dormant = thread.dormant;
  }
  state.buffers.resize(program_.threads.size());
  return state;
}

std::vector<ReferenceStep> ReferenceMachine::steps(const ReferenceState& state) const {
  std::vector<ReferenceStep> found;
  if (state.halted) return found;
  for (std::size_t i = 0; i < program_.threads.size(); ++i) {
    const ThreadId thread(i);
    for (const EdgeId edge : edges_ahead(program_, state, thread)) {
      if (program_.edge(edge).instruction.op == Opcode::kAtomicBegin)
        add_block_steps(state, thread, edge, found);
      else
        add_instruction_steps(state, thread, edge, found);
    }
    add_flush_steps(state, thread, found);
  }
  return found;
}

void ReferenceMachine::add_instruction_steps(const ReferenceState& state, ThreadId thread, EdgeId edge,
                                             std::vector<ReferenceStep>& found) const {
  const ReferenceStep nothing_yet{.steps = {}, .after = state, .failure = {}, .unsupported = {}};
  for (ReferenceStep& step : extensions(*this, nothing_yet, thread, edge, false))
    found.push_back(std::move(step));
}

// Breadth first, so that each result is reached by the fewest instructions. Inside a block only the thread
// and memory change; what was met before leads nowhere new.
void ReferenceMachine::add_block_steps(const ReferenceState& state, ThreadId thread, EdgeId begin,
                                       std::vector<ReferenceStep>& found) const {
  const ReferenceStep nothing_yet{.steps = {}, .after = state, .failure = {}, .unsupported = {}};
  std::deque<WayThroughBlock> open;
  for (WayThroughBlock& way : extensions(*this, nothing_yet, thread, begin, false))
    open.push_back(std::move(way));
  std::set<std::pair<ThreadState, MemoryChanges>> met;
  for (; !open.empty(); open.pop_front()) {
    const WayThroughBlock& way = open.front();
    if (!met.emplace(way.after.threads[thread.index()], way.after.memory).second) continue;
    for (const EdgeId edge : edges_ahead(program_, way.after, thread)) {
      const bool ends_block = program_.edge(edge).instruction.op == Opcode::kAtomicEnd;
      for (WayThroughBlock& longer : extensions(*this, way, thread, edge, true))
        if (ends_block || longer.failure || longer.unsupported || longer.after.halted)
          found.push_back(std::move(longer));
        else
          open.push_back(std::move(longer));
    }
  }
}

void ReferenceMachine::add_flush_steps(const ReferenceState& state, ThreadId thread,
                                       std::vector<ReferenceStep>& found) const {
  for (const std::size_t entry : flushable(state, thread)) {
    ReferenceStep step{
        .steps = {}, .after = state, .failure = late_flush(state, thread, entry), .unsupported = {}};
    step.steps.push_back(flush(step.after, thread, entry));
    found.push_back(std::move(step));
  }
}

std::vector<std::size_t> ReferenceMachine::flushable(const ReferenceState& state, ThreadId thread) const {
  if (state.halted || !lock_allows_flush(state, thread)) return {};
  return oldest_stores(state.buffers.at(thread.index()), model_);
}

bool ReferenceMachine::lock_allows_flush(const ReferenceState& state, ThreadId thread) const {
  return !state.lock || *state.lock == thread;
}

// Under TSO the same happens whenever it could, some instruction earlier: the store itself comes too late
// then.
std::optional<Violation> ReferenceMachine::late_flush(const ReferenceState& state, ThreadId thread,
                                                      std::size_t entry) const {
  if (model_ != Model::kPso) return std::nullopt;
  const StoreBuffer& buffer = state.buffers.at(thread.index());
  const BufferEntry& store = *std::next(buffer.begin(), static_cast<std::ptrdiff_t>(entry));
  if (address_kind(store.address) != AddressKind::kBlock) return std::nullopt;
  const BlockAddress block = decode_block(store.address);
  const bool own_variable = block.kind == BlockKind::kStack && block.thread == thread.index();
  if (own_variable || read_memory(program_, state.memory, status_address(store.address)) == 0)
    return std::nullopt;
  return Violation{ViolationKind::kMemory,
                   fmt::format("{} is written by a buffered store after its block was released",
                               program_.address_name(store.address)),
                   program_.edge(store.edge).position};
}

WitnessStep ReferenceMachine::flush(ReferenceState& state, ThreadId thread, std::size_t entry) const {
  const BufferEntry store = take_store(state.buffers.at(thread.index()), entry);
  write_memory(program_, state.memory, store);
  return {.thread = thread,
          .kind = WitnessStep::Kind::kFlush,
          .edge = store.edge,
          .address = store.address,
          .value = store.value};
}

bool ReferenceMachine::stopped(const ReferenceState& state, ThreadId thread) const {
  const ThreadState& its = state.threads.at(thread.index());
  return its.dormant || (its.stack.size() == 1 && edges_ahead(program_, state, thread).empty());
}

bool ReferenceMachine::all_stopped(const ReferenceState& state) const {
  for (std::size_t i = 0; i < program_.threads.size(); ++i)
    if (!stopped(state, ThreadId(i))) return false;
  return true;
}

bool ReferenceMachine::deadlocked(const ReferenceState& state) const {
  return !state.halted && !all_stopped(state) && steps(state).empty();
}

std::optional<bool> ReferenceMachine::stuck_for_good(const ReferenceState& state) const {
  constexpr std::size_t kMostStates = 100'000;
  std::set<std::size_t> stuck;
  for (std::size_t t = 0; t < program_.threads.size(); ++t)
    if (!stopped(state, ThreadId(t))) stuck.insert(t);
  std::set<ReferenceState> met{state};
  std::deque<ReferenceState> open{state};
  for (; !open.empty() && !stuck.empty(); open.pop_front()) {
    const std::vector<ReferenceStep> next = steps(open.front());
    if (next.empty()) return false;
    for (const ReferenceStep& step : next) {
      if (step.failure || step.unsupported || step.after.halted) return false;
      stuck.erase(step.steps.front().thread.index());
      if (met.insert(step.after).second) open.push_back(step.after);
    }
    if (met.size() > kMostStates) return std::nullopt;
  }
  return !stuck.empty();
}

std::vector<Violation> ReferenceMachine::violations(const ReferenceState& state) const {
  const Properties& properties = program_.properties;
  std::vector<Violation> found;
  if (state.halted) return found;
  for (std::uint32_t i = 0; i < properties.goals.size(); ++i)
    if (goal_reached(state, i)) {
      const SourcePosition position = program_.location(properties.goals[i].front().location).position;
      found.push_back({ViolationKind::kGoal, "the goal is reached", position, i});
    }
  for (std::uint32_t i = 0; i < properties.exclusive.size(); ++i)
    if (exclusion_broken(state, i)) {
      const SourcePosition position = program_.location(properties.exclusive[i].front().location).position;
      found.push_back({ViolationKind::kForbidden, "two threads are where only one may be", position, i});
    }
  for (std::uint32_t i = 0; i < properties.invariants.size(); ++i)
    if (invariant_broken(state, i)) {
      const Invariant& invariant = properties.invariants[i];
      found.push_back({ViolationKind::kUnsafe, fmt::format("invariant {} is false", invariant.text),
                       invariant.position, i});
    }
  if (properties.races)
    if (std::optional<Violation> race = data_race(state)) found.push_back(std::move(*race));
  return found;
}

std::vector<Violation> ReferenceMachine::final_violations(const ReferenceState& state) const {
  std::vector<Violation> found;
  if (program_.properties.deadlock && deadlocked(state))
    found.push_back({ViolationKind::kDeadlock, "no thread can go on", {}, 0});
  if (program_.properties.leaks)
    if (std::optional<Violation> left = leak(state)) found.push_back(std::move(*left));
  return found;
}

std::optional<Violation> ReferenceMachine::violation(const ReferenceState& state) const {
  const std::vector<Violation> found = violations(state);
  return found.empty() ? std::nullopt : std::optional(found.front());
}

std::vector<std::pair<ReferenceMachine::PendingAccess, ReferenceMachine::PendingAccess>>
ReferenceMachine::data_races(const ReferenceState& state) const {
  std::vector<std::pair<PendingAccess, PendingAccess>> found;
  const std::vector<PendingAccess> accesses = pending_accesses(state);
  for (const PendingAccess& one : accesses)
    for (const PendingAccess& other : accesses)
      if (one.thread < other.thread && conflict(one, other)) found.emplace_back(one, other);
  return found;
}

std::optional<Violation> ReferenceMachine::data_race(const ReferenceState& state) const {
  const auto races = data_races(state);
  if (races.empty()) return std::nullopt;
  const auto& [one, other] = races.front();
  std::string message =
      fmt::format("threads {} and {} access {} at the same time", program_.thread(one.thread).name,
                  program_.thread(other.thread).name, program_.address_name(one.address));
  return Violation{ViolationKind::kRace, std::move(message), program_.edge(one.edge).position, 0};
}

// An access that would fail whatever memory holds is none.
std::vector<ReferenceMachine::PendingAccess> ReferenceMachine::pending_accesses(
    const ReferenceState& state) const {
  std::vector<PendingAccess> found;
  for (std::size_t i = 0; i < program_.threads.size(); ++i)
    for (const EdgeId edge : edges_ahead(program_, state, ThreadId(i))) {
      const Opcode op = program_.edge(edge).instruction.op;
      if (op == Opcode::kAtomicBegin) add_block_accesses(state, ThreadId(i), edge, found);
      if (op != Opcode::kLoad && op != Opcode::kStore && op != Opcode::kRmw) continue;
      ReferenceState tried = state;
      const Execution execution = execute(tried, ThreadId(i), edge, 0, /*in_block=*/false);
      if (!execution.succeeded() && !execution.failed_by_content) continue;
      if (region_of(program_, execution.step.address) != Region::kShared) continue;
      found.push_back(
          {.thread = ThreadId(i),
           .edge = edge,
           .address = execution.step.address,
           .units = units_of(program_, execution.step.address, program_.edge(edge).instruction.type),
           .writes = writes(execution.step)});
    }
  return found;
}

bool ReferenceMachine::writes(const WitnessStep& step) const {
  const Opcode op = program_.edge(step.edge).instruction.op;
  return op == Opcode::kStore || (op == Opcode::kRmw && step.stored);
}

// Those of every way through the block. One that fails is a violation anyway.
void ReferenceMachine::add_block_accesses(const ReferenceState& state, ThreadId thread, EdgeId begin,
                                          std::vector<PendingAccess>& found) const {
  std::vector<ReferenceStep> ways;
  add_block_steps(state, thread, begin, ways);
  for (const ReferenceStep& way : ways) {
    if (way.failure || way.unsupported) continue;
    for (const WitnessStep& step : way.steps) {
      const Opcode op = program_.edge(step.edge).instruction.op;
      if (op != Opcode::kLoad && op != Opcode::kStore && op != Opcode::kRmw) continue;
      if (region_of(program_, step.address) == Region::kShared)
        found.push_back({.thread = thread,
                         .edge = step.edge,
                         .address = step.address,
                         .units = units_of(program_, step.address, program_.edge(step.edge).instruction.type),
                         .writes = writes(step),
                         .in_block = true});
    }
  }
}

bool ReferenceMachine::conflict(const PendingAccess& one, const PendingAccess& other) const {
  const Instruction& a = program_.edge(one.edge).instruction;
  const Instruction& b = program_.edge(other.edge).instruction;
  const bool one_is_plain = (a.plain && !one.in_block) || (b.plain && !other.in_block);
  const bool in_common = one.address < other.address + other.units && other.address < one.address + one.units;
  return in_common && (one.writes || other.writes) && one_is_plain;
}

std::optional<Violation> ReferenceMachine::leak(const ReferenceState& state) const {
  const bool at_the_end = !state.halted && all_stopped(state);
  const std::optional<Value> left = at_the_end ? block_left_behind(state) : std::nullopt;
  if (!left || !steps(state).empty()) return std::nullopt;
  return Violation{
      ViolationKind::kMemory, fmt::format("{} is never released", program_.address_name(*left)), {}, kLeak};
}

// Its name does not depend on its size, which only its address knows.
std::optional<Value> ReferenceMachine::block_left_behind(const ReferenceState& state) const {
  for (std::size_t i = 0; i < state.threads.size(); ++i)
    for (std::uint64_t number = 0; number < state.threads[i].heap_blocks; ++number) {
      const Value block = encode(BlockAddress{i, number, BlockKind::kHeap, /*size=*/0, /*offset=*/0});
      if (read_memory(program_, state.memory, status_address(block)) == 0) return block;
    }
  return std::nullopt;
}

bool ReferenceMachine::at(const ReferenceState& state, const ThreadLocation& place) const {
  const std::vector<Activation>& stack = state.threads.at(place.thread.index()).stack;
  return stack.size() == 1 && stack.front().location == place.location;
}

bool ReferenceMachine::goal_reached(const ReferenceState& state, std::size_t number) const {
  const std::vector<ThreadLocation>& goal = program_.properties.goals.at(number);
  const auto thread_is_at_its_goal = [&](const ThreadLocation& named) {
    return std::ranges::any_of(
        goal, [&](const ThreadLocation& place) { return place.thread == named.thread && at(state, place); });
  };
  return !goal.empty() && std::ranges::all_of(goal, thread_is_at_its_goal);
}

bool ReferenceMachine::exclusion_broken(const ReferenceState& state, std::size_t list) const {
  std::set<ThreadId> present;
  for (const ThreadLocation& place : program_.properties.exclusive.at(list))
    if (at(state, place)) present.insert(place.thread);
  return present.size() >= 2;
}

bool ReferenceMachine::invariant_broken(const ReferenceState& state, std::size_t invariant) const {
  const auto read_leaf = [&](const Expression& leaf) -> Value {
    if (leaf.op == ExprOp::kSharedCell) {
      const Value held = read_memory(program_, state.memory, leaf.constant);
      return held == kUninitialised ? 0 : held;
    }
    return state.threads.at(leaf.thread.index()).stack.front().registers.at(leaf.reg.index());
  };
  return evaluate(program_, program_.properties.invariants.at(invariant).expression, read_leaf).value_or(0) ==
         0;
}

}  // namespace weir
