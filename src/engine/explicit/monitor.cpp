#include "engine/explicit/monitor.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "engine/failure.hpp"
#include "machine/evaluate.hpp"
#include "program/address.hpp"

namespace weir {

namespace {

struct StateEnvironment {
  System& system;
  const GlobalState& state;

  Value leaf(const Expression& e) const {
    if (e.op == ExprOp::kSharedCell) {
      const Value held = system.memory().read_address(state.memory, e.constant);
      return held == kUninitialised ? 0 : held;
    }
    const std::size_t t = e.thread.index();
    const ThreadView& view = system.view(t);
    return view.automaton().register_value(view.local(state.components[t]), e.reg);
  }
};

// With this value in memory: a compare-exchange may find another than it expects, and is a load then; what finds none at
// all fails.
bool stores(const Action& action, Value held) {
  if (action.kind == ActionKind::kRmw && held == kUninitialised) return false;
  const bool compares = action.kind == ActionKind::kRmw && action.rmw == RmwOp::kCompareExchange;
  return action.kind != ActionKind::kLoad && (!compares || returned_value(action, held) == action.expected);
}

}  // namespace

Monitor::Monitor(System& system)
    : system_(system),
      has_invariants_(!system.program().properties.invariants.empty()),
      watches_all_(has_invariants_ || system.program().properties.races),
      seen_registers_(system.thread_count()),
      flags_(system.view_count()) {
  const Program& program = system.program();
  for (const auto& goal : program.properties.goals) {
    std::set<std::uint32_t> threads;
    for (const ThreadLocation& at : goal) threads.insert(at.thread.index());
    goal_threads_.emplace_back(threads.begin(), threads.end());
  }
  if (!has_invariants_) return;
  for (const Expression& e : program.expressions)
    if (e.op == ExprOp::kThreadRegister) seen_registers_[e.thread.index()] = true;
}

void Monitor::compute(std::size_t thread) {
  const Properties& properties = system_.program().properties;
  ThreadView& view = system_.view(thread);
  ThreadAutomaton& automaton = view.automaton();
  std::vector<std::uint8_t>& known = flags_[system_.view_number(thread)];
  while (known.size() < view.size()) {
    const StateId local = view.local(ComponentId(known.size()));
    const ThreadLocation here{ThreadId(thread), automaton.location(local)};
    std::uint8_t flags = 0;
    for (const auto& goal : properties.goals)
      if (std::ranges::find(goal, here) != goal.end()) flags |= kAtGoal;
    for (const auto& list : properties.exclusive)
      if (std::ranges::find(list, here) != list.end()) flags |= kExclusive;
    if (automaton.stopped(local)) flags |= kStopped;
    if (automaton.cut(local)) flags |= kCut;
    for (const Action& action : automaton.actions(local)) {
      if (action.kind != ActionKind::kHalt) continue;
      flags |= kHalts;
      if (!gave_up_ && leaves_out(system_.program().edge(action.edge).instruction)) gave_up_ = action.edge;
    }
    known.push_back(flags);
  }
}

bool Monitor::visible(std::size_t thread, ComponentId from, ComponentId to) {
  if (seen_registers_[thread]) return true;
  return ((flags(thread, from) | flags(thread, to)) & (kAtGoal | kExclusive)) != 0;
}

std::vector<Violation> Monitor::violations(const GlobalState& state) {
  std::vector<Violation> found;
  add_goals(state, found);
  add_exclusions(state, found);
  add_broken_invariants(state, found);
  if (system_.program().properties.races) add_races(state, found);
  return found;
}

void Monitor::add_goals(const GlobalState& state, std::vector<Violation>& out) {
  for (std::size_t goal = 0; goal < goal_threads_.size(); ++goal)
    if (std::ranges::all_of(goal_threads_[goal],
                            [&](std::uint32_t t) { return at_goal(goal, t, state.components[t]); }))
      out.push_back(goal_violation(goal, state));
}

bool Monitor::at_goal(std::size_t goal, std::size_t thread, ComponentId component) {
  if (!(flags(thread, component) & kAtGoal)) return false;
  const std::vector<ThreadLocation>& places = system_.program().properties.goals[goal];
  return std::ranges::find(places, ThreadLocation{ThreadId(thread), location(thread, component)}) !=
         places.end();
}

Violation Monitor::goal_violation(std::size_t goal, const GlobalState& state) {
  const Program& program = system_.program();
  std::string where;
  for (const std::uint32_t t : goal_threads_[goal])
    where += fmt::format("{}{} at {}", where.empty() ? "" : ", ", program.threads[t].name,
                         program.location_name(location(t, state.components[t])));
  const std::uint32_t first = goal_threads_[goal].front();
  return {ViolationKind::kGoal, "goal state reached: " + where, position(first, state.components[first]),
          static_cast<std::uint32_t>(goal)};
}

LocationId Monitor::location(std::size_t thread, ComponentId component) {
  const ThreadView& view = system_.view(thread);
  return view.automaton().location(view.local(component));
}

void Monitor::add_exclusions(const GlobalState& state, std::vector<Violation>& out) {
  const Program& program = system_.program();
  for (std::size_t list = 0; list < program.properties.exclusive.size(); ++list) {
    const auto& members = program.properties.exclusive[list];
    std::vector<std::size_t> inside;
    for (std::size_t t = 0; t < system_.thread_count(); ++t) {
      if (!(flags(t, state.components[t]) & kExclusive)) continue;
      const ThreadLocation here{ThreadId(t), location(t, state.components[t])};
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
  return !system_.memory().limits().ranges.empty() && refused_by_range(state);
}

// Is there a step that only a range forbids? Blocks do not say why they cannot be executed: that may be it.
bool Monitor::refused_by_range(const GlobalState& state) {
  const SharedMemory& memory = system_.memory();
  const std::uint64_t before = memory.range_refusals();
  for (std::size_t t = 0; t < system_.thread_count(); ++t) {
    const std::span<const Step> offered = system_.view(t).steps(state.components[t]);
    for (const Step& step : std::vector<Step>(offered.begin(), offered.end())) {
      if (step.effect == Effect::kAtomic && memory.left_range()) return true;
      system_.enabled(t, state.components[t], state.memory, step);
    }
  }
  return memory.range_refusals() != before;
}

// Two accesses of the same cell that could both be made now, one of them plain, one of them a write. What an
// atomic block accesses is not plain, and looked at only where somebody else's is.
void Monitor::add_races(const GlobalState& state, std::vector<Violation>& out) {
  std::vector<Access> accesses;
  for (std::size_t t = 0; t < system_.thread_count(); ++t) add_accesses(t, state, accesses);
  if (std::ranges::none_of(accesses, &Access::plain)) return;
  for (std::size_t t = 0; t < system_.thread_count(); ++t) add_block_accesses(t, state, accesses);
  for (const Access& a : accesses)
    for (const Access& b : accesses)
      if (a.thread < b.thread && system_.memory().overlap(a.cell, b.cell) && (a.plain || b.plain) &&
          (a.writes || b.writes))
        out.push_back(race(a, b));
}

// The steps of the thread that access memory and can be executed now. Copies: threads with the same code
// share the table of steps, which grows.
void Monitor::add_accesses(std::size_t thread, const GlobalState& state, std::vector<Access>& out) {
  std::vector<Step> found;
  const ComponentId component = state.components[thread];
  for (const Step& step : system_.view(thread).steps(component))
    if (step.access != AccessKind::kNone) found.push_back(step);
  ThreadView& view = system_.view(thread);
  for (const Step& step : found) {
    if (!system_.enabled(thread, component, state.memory, step)) continue;
    const Action action = view.automaton().actions(view.local(component))[step.action];
    const Value held = system_.memory().read(state.memory, step.cell);
    out.push_back({thread, step.cell, step.access == AccessKind::kWrite && stores(action, held), step.plain,
                   action.edge});
  }
}

// Those of each way through a block that can be executed now.
void Monitor::add_block_accesses(std::size_t thread, const GlobalState& state, std::vector<Access>& out) {
  const ComponentId component = state.components[thread];
  ThreadView& view = system_.view(thread);
  const std::span<const Step> offered = view.steps(component);
  for (const Step& step : std::vector<Step>(offered.begin(), offered.end())) {
    if (step.effect != Effect::kAtomic || !system_.enabled(thread, component, state.memory, step)) continue;
    AtomicBlocks& blocks = system_.blocks(thread);
    const StateId local = view.local(component);
    for (const AtomicOutcome& outcome : std::vector(blocks.outcomes(local, step.action, state.memory))) {
      if (outcome.fails) continue;
      for (const AtomicStep& inner : blocks.path(local, step.action, state.memory, outcome)) {
        const Action action = view.automaton().actions(inner.local)[inner.action];
        if (action.kind == ActionKind::kLoad || action.kind == ActionKind::kStore ||
            action.kind == ActionKind::kRmw)
          out.push_back({thread, system_.memory().cell(action.address, action.type),
                         stores(action, inner.returned),
                         /*plain=*/false, action.edge});
      }
    }
  }
}

Violation Monitor::race(const Access& a, const Access& b) {
  const Program& program = system_.program();
  const auto verb = [](const Access& access) { return access.writes ? "writes" : "reads"; };
  const std::string where = program.sources.describe(program.edge(a.edge).position);
  return {ViolationKind::kRace,
          fmt::format("data race on {}: {} {} it{}{} while {} {} it",
                      program.address_name(system_.memory().address(a.cell)), program.threads[a.thread].name,
                      verb(a), where.empty() ? "" : " at ", where, program.threads[b.thread].name, verb(b)),
          program.edge(b.edge).position};
}

EdgeId Monitor::gave_up() {
  for (std::size_t t = 0; t < system_.thread_count(); ++t)
    for (const EdgeId edge : system_.blocks(t).halts())
      if (!gave_up_ && leaves_out(system_.program().edge(edge).instruction)) gave_up_ = edge;
  return gave_up_;
}

bool Monitor::can_halt(const GlobalState& state) {
  for (std::size_t t = 0; t < system_.thread_count(); ++t)
    if (can_halt(t, state.components[t], state.memory)) return true;
  return false;
}

bool Monitor::can_halt(std::size_t thread, ComponentId component, MemoryId memory) {
  if (flags(thread, component) & kHalts) return true;
  ThreadView& view = system_.view(thread);
  for (const Step& step : view.steps(component)) {
    if (step.effect != Effect::kAtomic || system_.waits_for_lock(thread, component, memory, step)) continue;
    for (const AtomicOutcome& outcome :
         system_.blocks(thread).outcomes(view.local(component), step.action, memory))
      if (outcome.halts) return true;
  }
  return false;
}

std::optional<Violation> Monitor::at_end(const GlobalState& state) {
  const Properties& properties = system_.program().properties;
  if ((!properties.deadlock && !properties.leaks) || held_back(state) || can_halt(state)) return std::nullopt;
  if (properties.deadlock)
    if (auto found = deadlock(state)) return found;
  return properties.leaks ? leak(state) : std::nullopt;
}

// A block is known by the thread that allocated it and its number; its size does not matter to its status.
std::optional<Violation> Monitor::leak(const GlobalState& state) {
  for (std::size_t t = 0; t < system_.thread_count(); ++t)
    if (!(flags(t, state.components[t]) & kStopped)) return std::nullopt;
  for (std::size_t t = 0; t < system_.thread_count(); ++t) {
    const ThreadView& view = system_.view(t);
    const std::uint64_t count = view.automaton().allocated(view.local(state.components[t]));
    for (std::uint64_t number = 0; number < count; ++number) {
      const Value block = encode(BlockAddress{.thread = t, .number = number});
      if (system_.memory().read_address(state.memory, status_address(block)) != 0) continue;
      const std::string name = system_.program().address_name(block);
      return Violation{ViolationKind::kMemory, fmt::format("memory is never released: {}", name),
                       position(t, state.components[t]), kLeak};
    }
  }
  return std::nullopt;
}

std::optional<Violation> Monitor::deadlock(const GlobalState& state) {
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

std::optional<Violation> Monitor::stuck(const GlobalState& state, const std::vector<std::uint8_t>& group,
                                        std::uint64_t movers) {
  std::string waiting, moving;
  std::size_t last = 0;
  for (std::size_t t = 0; t < system_.thread_count(); ++t) {
    if (flags(t, state.components[t]) & kStopped) continue;
    std::string& list = (movers >> group[t] & 1) != 0 ? moving : waiting;
    list += (list.empty() ? "" : ", ") + system_.program().threads[t].name;
    if (&list == &waiting) last = t;
  }
  if (waiting.empty()) return std::nullopt;
  if (moving.empty()) moving = "others";  // that have not yet been given work
  return Violation{ViolationKind::kDeadlock,
                   fmt::format("deadlock: {} can never go on, although {} can", waiting, moving),
                   position(last, state.components[last]), kPartial};
}

Violation Monitor::failure(std::size_t thread, ComponentId component, MemoryId memory, const Step& step,
                           std::uint32_t which) {
  if (step.flush) return late_flush(system_.program(), system_.memory().address(step.cell));
  ThreadAutomaton& automaton = system_.view(thread).automaton();
  StateId local = system_.view(thread).local(component);
  std::uint32_t index = step.action;
  if (step.effect == Effect::kAtomic) {
    const AtomicOutcome outcome = system_.blocks(thread).outcomes(local, index, memory)[which];
    local = outcome.local;
    index = outcome.action;
  }
  FailureKind kind = FailureKind::kAssertion;
  system_.execute(thread, component, memory, step, [&](const Move& move) {
    if (move.fails && move.outcome == which) kind = move.failure;
  });
  return failure_of(system_.program(), automaton.actions(local)[index], kind);
}

SourcePosition Monitor::position(std::size_t thread, ComponentId component) {
  const ThreadView& view = system_.view(thread);
  const LocationId at = view.automaton().innermost_location(view.local(component));
  return at ? system_.program().location(at).position : system_.program().threads[thread].position;
}

}  // namespace weir
