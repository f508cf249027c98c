// Breadth-first search. Each state is kept once, with the step that first led to it, so that walking back
// from a state gives a shortest execution.
#include "check/explore.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace weir {

namespace {

class BreadthFirst {
 public:
  // Called for each violation with the steps that lead to it; true ends the search.
  using OnViolation = std::function<bool(const Violation&, std::vector<WitnessStep>)>;
  // Called for each state with the number of steps that leave it.
  using OnState = std::function<void(const ReferenceState&, std::size_t)>;

  BreadthFirst(const Program& program, Model model, const ExplorationLimits& limits)
      : machine_(program, model), limits_(limits) {}

  void run(const OnState& on_state, const OnViolation& on_violation) {
    discover(machine_.initial(), 0, {});
    for (std::size_t node = 0; node < nodes_.size(); ++node)
      if (expand(node, on_state, on_violation)) return;
  }

  bool complete() const { return complete_; }

 private:
  struct Node {
    const ReferenceState* state;     // a key of `known_`
    std::size_t parent;              // the initial state is its own parent
    std::vector<WitnessStep> steps;  // from the parent
  };

  bool expand(std::size_t node, const OnState& on_state, const OnViolation& on_violation) {
    const ReferenceState& state = *nodes_[node].state;
    std::vector<ReferenceStep> steps = machine_.steps(state);
    on_state(state, steps.size());
    for (const Violation& violation : violations_of(state, steps.empty()))
      if (on_violation(violation, steps_to(node))) return true;
    for (ReferenceStep& step : steps) {
      if (step.unsupported) {
        complete_ = false;
      } else if (!step.failure) {
        discover(std::move(step.after), node, std::move(step.steps));
      } else {
        std::vector<WitnessStep> way = steps_to(node);
        way.insert(way.end(), step.steps.begin(), step.steps.end());
        if (on_violation(*step.failure, std::move(way))) return true;
      }
    }
    return false;
  }

  std::vector<Violation> violations_of(const ReferenceState& state, bool terminal) const {
    std::vector<Violation> found = machine_.violations(state);
    if (terminal)
      for (Violation& violation : machine_.final_violations(state)) found.push_back(std::move(violation));
    return found;
  }

  void discover(ReferenceState state, std::size_t parent, std::vector<WitnessStep> steps) {
    const bool too_long = std::ranges::any_of(state.buffers, [&](const StoreBuffer& buffer) {
      return count_stores(buffer) > limits_.buffered_stores;
    });
    const auto place = known_.lower_bound(state);
    if (place != known_.end() && *place == state) return;
    if (too_long || known_.size() >= limits_.states) {
      complete_ = false;
      return;
    }
    const auto inserted = known_.insert(place, std::move(state));
    nodes_.push_back({&*inserted, parent, std::move(steps)});
  }

  std::vector<WitnessStep> steps_to(std::size_t node) const {
    std::vector<std::size_t> way;
    for (; node != 0; node = nodes_[node].parent) way.push_back(node);
    std::vector<WitnessStep> steps;
    for (auto place = way.rbegin(); place != way.rend(); ++place)
      steps.insert(steps.end(), nodes_[*place].steps.begin(), nodes_[*place].steps.end());
    return steps;
  }

  const ReferenceMachine machine_;
  const ExplorationLimits limits_;
  std::set<ReferenceState> known_;
  std::vector<Node> nodes_;  // in the order of discovery, which is the queue
  bool complete_ = true;
};

}  // namespace

ViolationKey key_of(const Violation& violation) {
  const bool numbered = violation.kind == ViolationKind::kGoal ||
                        violation.kind == ViolationKind::kForbidden ||
                        violation.kind == ViolationKind::kUnsafe || violation.kind == ViolationKind::kMemory;
  return {violation.kind, numbered ? violation.property : 0};
}

ReferenceExploration explore_all(const Program& program, Model model, const ExplorationLimits& limits,
                                 CollectStates collect) {
  ReferenceExploration result;
  BreadthFirst search(program, model, limits);
  const auto on_state = [&](const ReferenceState& state, std::size_t steps) {
    ++result.state_count;
    result.transition_count += steps;
    if (!state.halted) result.memories.insert(state.memory);  // it may have ended inside an atomic block
    if (steps == 0) result.terminal.insert(state);
    if (collect == CollectStates::kYes) result.states.insert(state);
  };
  const auto on_violation = [&](const Violation& violation, const std::vector<WitnessStep>&) {
    result.violations.insert(key_of(violation));
    return false;
  };
  search.run(on_state, on_violation);
  result.complete = search.complete();
  return result;
}

std::optional<Witness> shortest_witness(const Program& program, Model model,
                                        std::optional<ViolationKey> wanted, const ExplorationLimits& limits) {
  std::optional<Witness> found;
  BreadthFirst search(program, model, limits);
  const auto on_violation = [&](const Violation& violation, std::vector<WitnessStep> steps) {
    if (wanted && key_of(violation) != *wanted) return false;
    found = Witness{.model = model, .steps = std::move(steps), .violation = violation};
    return true;
  };
  search.run([](const ReferenceState&, std::size_t) {}, on_violation);
  return found;
}

}  // namespace weir
