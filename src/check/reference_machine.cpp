// Steps of a whole state, put together from single instructions and flushes, and the properties of states.
#include "check/reference_machine.hpp"

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <set>
#include <span>
#include <utility>

#include "check/reference_evaluator.hpp"

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
  for (const Thread& thread : program_.threads)
    state.threads.push_back({{enter_function(program_, thread.function, thread.arguments, EdgeId::none())}});
  state.buffers.resize(program_.threads.size());
  return state;
}

std::vector<ReferenceStep> ReferenceMachine::steps(const ReferenceState& state) const {
  std::vector<ReferenceStep> found;
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
  const ReferenceStep nothing_yet{.steps = {}, .after = state, .failure = {}};
  for (ReferenceStep& step : extensions(*this, nothing_yet, thread, edge, false))
    found.push_back(std::move(step));
}

// Breadth first, so that each result is reached by the fewest instructions. Inside a block only the thread
// and memory change; a pair of them that was met before leads nowhere new.
void ReferenceMachine::add_block_steps(const ReferenceState& state, ThreadId thread, EdgeId begin,
                                       std::vector<ReferenceStep>& found) const {
  const ReferenceStep nothing_yet{.steps = {}, .after = state, .failure = {}};
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
        if (ends_block || longer.failure)
          found.push_back(std::move(longer));
        else
          open.push_back(std::move(longer));
    }
  }
}

void ReferenceMachine::add_flush_steps(const ReferenceState& state, ThreadId thread,
                                       std::vector<ReferenceStep>& found) const {
  for (const std::size_t entry : flushable(state, thread)) {
    ReferenceStep step{.steps = {}, .after = state, .failure = {}};
    step.steps.push_back(flush(step.after, thread, entry));
    found.push_back(std::move(step));
  }
}

std::vector<std::size_t> ReferenceMachine::flushable(const ReferenceState& state, ThreadId thread) const {
  if (!lock_allows_flush(state, thread)) return {};
  return oldest_stores(state.buffers.at(thread.index()), model_);
}

bool ReferenceMachine::lock_allows_flush(const ReferenceState& state, ThreadId thread) const {
  return !state.lock || *state.lock == thread;
}

WitnessStep ReferenceMachine::flush(ReferenceState& state, ThreadId thread, std::size_t entry) const {
  const BufferEntry store = take_store(state.buffers.at(thread.index()), entry);
  write_memory(program_, state.memory, store.address, store.value);
  return {.thread = thread,
          .kind = WitnessStep::Kind::kFlush,
          .edge = store.edge,
          .address = store.address,
          .value = store.value};
}

bool ReferenceMachine::stopped(const ReferenceState& state, ThreadId thread) const {
  return state.threads.at(thread.index()).stack.size() == 1 && edges_ahead(program_, state, thread).empty();
}

bool ReferenceMachine::all_stopped(const ReferenceState& state) const {
  for (std::size_t i = 0; i < program_.threads.size(); ++i)
    if (!stopped(state, ThreadId(i))) return false;
  return true;
}

bool ReferenceMachine::deadlocked(const ReferenceState& state) const {
  return !all_stopped(state) && steps(state).empty();
}

std::vector<Violation> ReferenceMachine::violations(const ReferenceState& state) const {
  const Properties& properties = program_.properties;
  std::vector<Violation> found;
  if (goal_reached(state)) {
    const SourcePosition position = program_.location(properties.goal.front().location).position;
    found.push_back({ViolationKind::kGoal, "the goal is reached", position, 0});
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
  return found;
}

std::optional<Violation> ReferenceMachine::violation(const ReferenceState& state) const {
  const std::vector<Violation> found = violations(state);
  return found.empty() ? std::nullopt : std::optional(found.front());
}

bool ReferenceMachine::at(const ReferenceState& state, const ThreadLocation& place) const {
  const std::vector<Activation>& stack = state.threads.at(place.thread.index()).stack;
  return stack.size() == 1 && stack.front().location == place.location;
}

bool ReferenceMachine::goal_reached(const ReferenceState& state) const {
  const std::vector<ThreadLocation>& goal = program_.properties.goal;
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
    if (leaf.op == ExprOp::kSharedCell) return read_memory(program_, state.memory, leaf.constant);
    return state.threads.at(leaf.thread.index()).stack.front().registers.at(leaf.reg.index());
  };
  return evaluate(program_, program_.properties.invariants.at(invariant).expression, read_leaf).value_or(0) ==
         0;
}

}  // namespace weir
