#include "engine/explicit/monitor.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "machine/evaluate.hpp"

namespace weir {

namespace {

struct StateEnvironment {
  System& system;
  const GlobalState& state;

  Value leaf(const Expression& e) const {
    if (e.op == ExprOp::kSharedCell) return system.memory().read_address(state.memory, e.constant);
    const std::size_t t = e.thread.index();
    const ThreadView& view = system.view(t);
    return view.automaton().register_value(view.local(state.components[t]), e.reg);
  }
};

const char* describe(FailureKind kind) {
  switch (kind) {
    case FailureKind::kAssertion: return "assertion fails";
    case FailureKind::kDivision: return "division by zero";
    case FailureKind::kAddress: return "access to an address that belongs to no variable";
    case FailureKind::kWidth: return "access of another width than the variable's";
  }
  return "?";
}

}  // namespace

Monitor::Monitor(System& system)
    : system_(system),
      has_invariants_(!system.program().properties.invariants.empty()),
      in_goal_(system.thread_count()),
      seen_registers_(system.thread_count()),
      flags_(system.view_count()) {
  const Program& program = system.program();
  for (const ThreadLocation& at : program.properties.goal) in_goal_[at.thread.index()] = true;
  if (!has_invariants_) return;
  for (const Expression& e : program.expressions)
    if (e.op == ExprOp::kThreadRegister) seen_registers_[e.thread.index()] = true;
}

void Monitor::compute(std::size_t thread) {
  const Properties& properties = system_.program().properties;
  const ThreadView& view = system_.view(thread);
  const ThreadAutomaton& automaton = view.automaton();
  std::vector<std::uint8_t>& known = flags_[system_.view_number(thread)];
  while (known.size() < view.size()) {
    const StateId local = view.local(ComponentId(known.size()));
    const ThreadLocation here{ThreadId(thread), automaton.location(local)};
    std::uint8_t flags = 0;
    if (std::ranges::find(properties.goal, here) != properties.goal.end()) flags |= kAtGoal;
    for (const auto& list : properties.exclusive)
      if (std::ranges::find(list, here) != list.end()) flags |= kExclusive;
    if (automaton.stopped(local)) flags |= kStopped;
    if (automaton.cut(local)) flags |= kCut;
    known.push_back(flags);
  }
}

bool Monitor::visible(std::size_t thread, ComponentId from, ComponentId to) {
  if (seen_registers_[thread]) return true;
  return ((flags(thread, from) | flags(thread, to)) & (kAtGoal | kExclusive)) != 0;
}

std::vector<Violation> Monitor::violations(const GlobalState& state) {
  std::vector<Violation> found;
  if (goal_reached(state)) found.push_back(goal_violation(state));
  add_exclusions(state, found);
  add_broken_invariants(state, found);
  return found;
}

Violation Monitor::goal_violation(const GlobalState& state) {
  const Program& program = system_.program();
  std::string where;
  std::optional<std::size_t> first;
  for (std::size_t t = 0; t < in_goal_.size(); ++t) {
    if (!in_goal_[t]) continue;
    const ThreadView& view = system_.view(t);
    const LocationId at = view.automaton().location(view.local(state.components[t]));
    where += fmt::format("{}{} at {}", where.empty() ? "" : ", ", program.threads[t].name,
                         program.location_name(at));
    if (!first) first = t;
  }
  return {ViolationKind::kGoal, "goal state reached: " + where, position(*first, state.components[*first])};
}

bool Monitor::goal_reached(const GlobalState& state) {
  if (system_.program().properties.goal.empty()) return false;
  for (std::size_t t = 0; t < in_goal_.size(); ++t)
    if (in_goal_[t] && !(flags(t, state.components[t]) & kAtGoal)) return false;
  return true;
}

void Monitor::add_exclusions(const GlobalState& state, std::vector<Violation>& out) {
  const Program& program = system_.program();
  for (std::size_t list = 0; list < program.properties.exclusive.size(); ++list) {
    const auto& members = program.properties.exclusive[list];
    std::vector<std::size_t> inside;
    for (std::size_t t = 0; t < system_.thread_count(); ++t) {
      if (!(flags(t, state.components[t]) & kExclusive)) continue;
      const ThreadView& view = system_.view(t);
      const ThreadLocation here{ThreadId(t), view.automaton().location(view.local(state.components[t]))};
      if (std::ranges::find(members, here) != members.end()) inside.push_back(t);
    }
    if (inside.size() < 2) continue;
    out.push_back({ViolationKind::kForbidden,
                   fmt::format("mutual exclusion violated: {} and {} are both in the critical section",
                               program.threads[inside[0]].name, program.threads[inside[1]].name),
                   position(inside[1], state.components[inside[1]]), static_cast<std::uint32_t>(list)});
  }
}

void Monitor::add_broken_invariants(const GlobalState& state, std::vector<Violation>& out) {
  const Program& program = system_.program();
  for (std::size_t i = 0; i < program.properties.invariants.size(); ++i) {
    const Invariant& invariant = program.properties.invariants[i];
    const auto holds = evaluate(program, invariant.expression, StateEnvironment{system_, state});
    if (!holds || *holds == 0)
      out.push_back({ViolationKind::kUnsafe, fmt::format("invariant violated: {}", invariant.text),
                     invariant.position, static_cast<std::uint32_t>(i)});
  }
}

bool Monitor::held_back(const GlobalState& state) {
  for (std::size_t t = 0; t < state.components.size(); ++t)
    if (system_.view(t).bounded(state.components[t]) || (flags(t, state.components[t]) & kCut)) return true;
  return false;
}

std::optional<Violation> Monitor::deadlock(const GlobalState& state) {
  if (!system_.program().properties.deadlock || held_back(state)) return std::nullopt;
  std::string stuck;
  std::size_t last = 0;
  for (std::size_t t = 0; t < system_.thread_count(); ++t) {
    if (flags(t, state.components[t]) & kStopped) continue;
    stuck += (stuck.empty() ? "" : ", ") + system_.program().threads[t].name;
    last = t;
  }
  if (stuck.empty()) return std::nullopt;
  return Violation{ViolationKind::kDeadlock, fmt::format("deadlock: {} cannot go on", stuck),
                   position(last, state.components[last])};
}

Violation Monitor::failure(std::size_t thread, ComponentId component, MemoryId memory, const Step& step,
                           std::uint32_t which) {
  ThreadAutomaton& automaton = system_.view(thread).automaton();
  StateId local = system_.view(thread).local(component);
  std::uint32_t index = step.action;
  if (step.effect == Effect::kAtomic) {
    const AtomicOutcome outcome = system_.blocks(thread).outcomes(local, index, memory)[which];
    local = outcome.local;
    index = outcome.action;
  }
  const Action action = automaton.actions(local)[index];
  const Edge& edge = system_.program().edge(action.edge);
  const bool memory_error = action.failure == FailureKind::kAddress || action.failure == FailureKind::kWidth;
  std::string message = describe(action.failure);
  if (!edge.instruction.message.empty()) message += ": " + edge.instruction.message;
  return {memory_error ? ViolationKind::kMemory : ViolationKind::kAssertion, std::move(message),
          edge.position};
}

SourcePosition Monitor::position(std::size_t thread, ComponentId component) {
  const ThreadView& view = system_.view(thread);
  const LocationId at = view.automaton().innermost_location(view.local(component));
  return at ? system_.program().location(at).position : system_.program().threads[thread].position;
}

}  // namespace weir
