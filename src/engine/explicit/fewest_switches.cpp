#include "engine/explicit/fewest_switches.hpp"

#include <algorithm>
#include <queue>

#include "base/sequence_interner.hpp"
#include "engine/explicit/witness_builder.hpp"

namespace weir {

namespace {

class SwitchSearch {
 public:
  SwitchSearch(System& system, Monitor& monitor, const Violation& wanted, std::uint32_t most_steps)
      : system_(system), monitor_(monitor), wanted_(wanted), most_steps_(most_steps) {}

  std::optional<Witness> run(std::uint64_t effort, Context& context) {
    relax(key_of(system_.initial(), kNobody), {0, 0}, kRoot, {});
    while (!queue_.empty() && nodes_.size() < effort && !context.stopped()) {
      const auto [cost, node] = queue_.top();
      queue_.pop();
      if (nodes_[node].cost != cost) continue;  // a cheaper way was found meanwhile
      if (nodes_[node].record.fails) return witness(node, failure_of(nodes_[node].record));
      if (auto found = expand(node)) return found;
    }
    return std::nullopt;
  }

 private:
  static constexpr std::uint32_t kNobody = 0xFFFFFFFF;
  static constexpr std::uint32_t kRoot = 0xFFFFFFFF;
  static constexpr std::uint32_t kFailed = 0xFFFFFFFE;
  using Cost = std::pair<std::uint32_t, std::uint32_t>;  // switches, steps
  using Entry = std::pair<Cost, std::uint32_t>;
  using Key = std::vector<std::uint32_t>;

  struct Node {
    Cost cost;
    std::uint32_t parent = kRoot;
    StepRecord record;  // the step from the parent
  };

  static Key key_of(const GlobalState& state, std::uint32_t last) {
    Key key;
    for (const ComponentId component : state.components) key.push_back(component.index());
    key.insert(key.end(), {state.memory.index(), last});
    return key;
  }

  void relax(const Key& key, Cost cost, std::uint32_t parent, const StepRecord& record) {
    const std::uint32_t node = keys_.intern(key);
    if (node == nodes_.size()) {
      nodes_.push_back({cost, parent, record});
    } else if (cost < nodes_[node].cost) {
      nodes_[node] = {cost, parent, record};
    } else {
      return;
    }
    queue_.push({cost, node});
  }

  bool is_wanted(const std::optional<Violation>& violation) const {
    return violation && violation->kind == wanted_.kind && violation->property == wanted_.property;
  }

  Violation failure_of(const StepRecord& record) {
    return monitor_.failure(record.thread, record.component, record.memory, record.step, record.outcome);
  }

  std::optional<Witness> expand(std::uint32_t node) {
    const auto key = keys_[node];
    const std::size_t threads = system_.thread_count();
    GlobalState state;
    for (std::size_t t = 0; t < threads; ++t) state.components.push_back(ComponentId(key[t]));
    state.memory = MemoryId(key[threads]);
    const std::uint32_t last = key[threads + 1];
    const Cost cost = nodes_[node].cost;

    for (const Violation& bad : monitor_.violations(state))
      if (is_wanted(bad)) return witness(node, bad);
    if (cost.second == most_steps_) return std::nullopt;
    std::uint32_t moves = 0;
    system_.successors(state, [&](std::size_t t, const Move& move) {
      ++moves;
      const StepRecord record{t,          state.components[t], state.memory, *move.step, move.outcome,
                              move.fails, move.value};
      const Cost after{cost.first + (last != kNobody && last != t ? 1 : 0), cost.second + 1};
      if (move.fails) {
        if (is_wanted(failure_of(record))) relax({kFailed, node, moves}, after, node, record);
        return;
      }
      GlobalState next = state;
      next.components[t] = move.component;
      next.memory = move.memory;
      relax(key_of(next, static_cast<std::uint32_t>(t)), after, node, record);
    });
    if (moves == 0)
      if (const auto bad = monitor_.at_end(state); is_wanted(bad)) return witness(node, *bad);
    return std::nullopt;
  }

  Witness witness(std::uint32_t node, const Violation& violation) {
    std::vector<StepRecord> path;
    for (std::uint32_t n = node; nodes_[n].parent != kRoot; n = nodes_[n].parent)
      path.push_back(nodes_[n].record);
    WitnessBuilder builder(system_);
    for (auto step = path.rbegin(); step != path.rend(); ++step) builder.append(*step);
    return builder.finish(violation);
  }

  System& system_;
  Monitor& monitor_;
  const Violation& wanted_;
  const std::uint32_t most_steps_;
  SequenceInterner<std::uint32_t>
      keys_;  // (components, memory, last thread); its numbers are those of the nodes
  std::vector<Node> nodes_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
};

}  // namespace

std::optional<Witness> fewest_switches(System& system, Monitor& monitor, const Violation& wanted,
                                       std::uint32_t most_steps, std::uint64_t effort, Context& context) {
  return SwitchSearch(system, monitor, wanted, most_steps).run(effort, context);
}

}  // namespace weir
