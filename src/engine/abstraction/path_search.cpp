#include "engine/abstraction/path_search.hpp"

#include "base/sequence_interner.hpp"
#include "engine/explicit/monitor.hpp"
#include "engine/explicit/witness_builder.hpp"

namespace weir {

namespace {

// A step of a path in the automata of a system. An atomic block is one step.
struct Leg {
  std::uint32_t action = 0;
  StateId to;
};

std::vector<Leg> legs_of(ThreadAutomaton& automaton, const ThreadPath& path) {
  std::vector<Leg> legs;
  StateId local = automaton.initial();
  std::optional<std::uint32_t> begin;  // of the block that the path is in
  for (const PathAction& taken : path) {
    const ActionKind kind = automaton.actions(local)[taken.action].kind;
    local = automaton.successor(local, taken.action, taken.returned);
    if (kind == ActionKind::kAtomicBegin) begin = taken.action;
    if (begin && kind != ActionKind::kAtomicEnd) continue;
    legs.push_back({begin.value_or(taken.action), local});
    begin.reset();
  }
  return legs;  // without a block that is not completed
}

class PathSearch {
 public:
  PathSearch(System& system, const std::vector<ThreadPath>& paths, std::uint64_t most_states,
             const Context& context)
      : system_(system), monitor_(system), most_states_(most_states), context_(context) {
    for (std::size_t t = 0; t < system.thread_count(); ++t)
      legs_.push_back(legs_of(system.view(t).automaton(), paths[t]));
  }

  PathAnswer run() {
    reach(system_.initial(), std::vector<std::uint32_t>(system_.thread_count()), kRoot, {});
    for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
      if (context_.stopped() || nodes_.size() > most_states_) return {};
      if (auto witness = expand(node)) return {PathAnswer::Kind::kViolation, std::move(witness)};
    }
    return {PathAnswer::Kind::kImpossible, {}};
  }

 private:
  static constexpr std::uint32_t kRoot = 0xFFFFFFFF;
  using Positions = std::vector<std::uint32_t>;

  struct Node {
    std::uint32_t parent = kRoot;
    StepRecord record;  // the step from the parent
  };

  void reach(const GlobalState& state, const Positions& positions, std::uint32_t parent,
             const StepRecord& record) {
    std::vector<std::uint32_t> key = positions;
    for (const ComponentId component : state.components) key.push_back(component.index());
    key.push_back(state.memory.index());
    if (keys_.intern(key) == nodes_.size()) nodes_.push_back({parent, record});
  }

  // A violation in the state or by one of its steps, if there is one; otherwise reaches the next states.
  std::optional<Witness> expand(std::uint32_t node) {
    const std::size_t threads = system_.thread_count();
    const auto key = keys_[node];
    const Positions positions(key.begin(), key.begin() + static_cast<std::ptrdiff_t>(threads));
    GlobalState state;
    for (std::size_t t = 0; t < threads; ++t) state.components.emplace_back(key[threads + t]);
    state.memory = MemoryId(key[2 * threads]);

    const std::vector<Violation> violations = monitor_.violations(state);
    if (!violations.empty()) return witness(node, {}, violations[0]);
    const std::optional<std::size_t> alone = local_mover(state, positions);
    for (std::size_t t = 0; t < threads; ++t) {
      if (alone && t != *alone) continue;
      if (auto found = take_steps(node, state, positions, t, alone.has_value())) return found;
    }
    return std::nullopt;
  }

  std::optional<Witness> take_steps(std::uint32_t node, const GlobalState& state, const Positions& positions,
                                    std::size_t t, bool only_leg) {
    const auto offered = system_.view(t).steps(state.components[t]);
    std::optional<Witness> found;
    for (const Step& step : std::vector<Step>(offered.begin(), offered.end())) {
      if (only_leg && step.flush) continue;
      system_.execute(t, state.components[t], state.memory, step, [&](const Move& move) {
        const StepRecord record{t,          state.components[t], state.memory, step, move.outcome,
                                move.fails, move.value};
        if (move.fails) {
          if (!found) found = failure(node, record);
        } else if (step.flush || on_path(t, positions[t], step, move)) {
          GlobalState next = state;
          next.components[t] = move.component;
          next.memory = move.memory;
          Positions after = positions;
          after[t] += step.flush ? 0 : 1;
          reach(next, after, node, record);
        }
      });
      if (found) break;
    }
    return found;
  }

  bool on_path(std::size_t thread, std::uint32_t position, const Step& step, const Move& move) {
    if (position == legs_[thread].size()) return false;
    const Leg& leg = legs_[thread][position];
    return step.action == leg.action && system_.view(thread).local(move.component) == leg.to;
  }

  // A thread whose next step on its path nobody notices. (That it could fail instead is of no account here: a
  // path to a failure ends before it.)
  std::optional<std::size_t> local_mover(const GlobalState& state, const Positions& positions) {
    for (std::size_t t = 0; t < positions.size(); ++t) {
      if (positions[t] == legs_[t].size()) continue;
      const ComponentId component = state.components[t];
      for (const Step& step : system_.view(t).steps(component)) {
        if (step.flush || step.action != legs_[t][positions[t]].action) continue;
        const bool local = step.effect == Effect::kNone && !step.needs_lock && !step.guard;
        if (local && !monitor_.visible(t, component, ComponentId(step.next))) return t;
      }
    }
    return std::nullopt;
  }

  std::optional<Witness> failure(std::uint32_t node, const StepRecord& record) {
    return witness(
        node, {record},
        monitor_.failure(record.thread, record.component, record.memory, record.step, record.outcome));
  }

  Witness witness(std::uint32_t node, std::vector<StepRecord> last, const Violation& violation) {
    std::vector<StepRecord> steps = std::move(last);
    for (std::uint32_t n = node; nodes_[n].parent != kRoot; n = nodes_[n].parent)
      steps.push_back(nodes_[n].record);
    WitnessBuilder builder(system_);
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) builder.append(*step);
    return builder.finish(violation);
  }

  System& system_;
  Monitor monitor_;
  const std::uint64_t most_states_;
  const Context& context_;
  std::vector<std::vector<Leg>> legs_;  // per thread
  SequenceInterner<std::uint32_t>
      keys_;  // (positions, components, memory); its numbers are those of the nodes
  std::vector<Node> nodes_;
};

}  // namespace

PathAnswer search_paths(System& system, const std::vector<ThreadPath>& paths, std::uint64_t most_states,
                        const Context& context) {
  return PathSearch(system, paths, most_states, context).run();
}

}  // namespace weir
