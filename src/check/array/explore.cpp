// Breadth-first search. Each state is kept once, with the step that first led to it, so that walking back
// from an unsafe state gives a shortest run.
#include "check/array/explore.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "check/array/initial.hpp"

namespace weir::array {

namespace {

class BreadthFirst {
 public:
  BreadthFirst(const ArraySystem& system, std::uint32_t processes, const ArrayLimits& limits)
      : machine_(system, processes, limits.domains), limits_(limits) {}

  ArrayExploration run() {
    const InitialSearch initial = for_each_initial(machine_, [&](const ArrayState& state) {
      discover(state, nodes_.size(), {});
      return !result_.run && !full_;
    });
    result_.restricted = initial.restricted;
    result_.does_not_fit = result_.does_not_fit || initial.does_not_fit;
    for (std::size_t node = 0; node < nodes_.size() && !result_.run; ++node) expand(node);
    result_.states = nodes_.size();
    result_.verdict = verdict();
    return std::move(result_);
  }

 private:
  struct Node {
    const ArrayState* state;  // a key of `known_`
    std::size_t parent;       // an initial state is its own parent
    ArrayStep step;           // from the parent
  };

  ArrayVerdict verdict() const {
    if (result_.run) return ArrayVerdict::kUnsafe;
    const bool left_out = result_.restricted || result_.does_not_fit || result_.limit_hit;
    return left_out ? ArrayVerdict::kBounded : ArrayVerdict::kExhausted;
  }

  void expand(std::size_t node) {
    ArrayMoves moves = machine_.moves(*nodes_[node].state);
    result_.does_not_fit = result_.does_not_fit || moves.does_not_fit;
    result_.restricted = result_.restricted || moves.restricted;
    for (ArrayMove& move : moves.moves) {
      if (result_.run) return;
      discover(std::move(move.after), node, std::move(move.step));
    }
  }

  void discover(ArrayState state, std::size_t parent, ArrayStep step) {
    const bool too_long = std::ranges::any_of(state.buffers, [&](const std::vector<WriteGroup>& buffer) {
      return buffer.size() > limits_.buffered_groups;
    });
    if (too_long || (full_ && !known_.contains(state))) {
      result_.limit_hit = true;
      return;
    }
    const auto [place, is_new] = known_.try_emplace(std::move(state), nodes_.size());
    if (!is_new) return;
    nodes_.push_back({&place->first, parent, std::move(step)});
    full_ = known_.size() >= limits_.states;
    look(nodes_.size() - 1);
  }

  // Sets the run if the state is unsafe.
  void look(std::size_t node) {
    const ArraySystem& system = machine_.system();
    for (std::uint32_t cube = 0; cube < system.unsafe.size() && !result_.run; ++cube)
      every_choice(machine_.processes(), system.unsafe[cube].parameters.size(),
                   [&](const std::vector<std::uint32_t>& choice) {
                     const std::optional<bool> holds = machine_.unsafe(*nodes_[node].state, cube, choice);
                     result_.does_not_fit = result_.does_not_fit || !holds;
                     if (holds == true) result_.run = run_to(node, cube, choice);
                     return holds != true;
                   });
  }

  ArrayRun run_to(std::size_t node, std::uint32_t cube, const std::vector<std::uint32_t>& processes) const {
    ArrayRun run{.processes = machine_.processes(), .unsafe = cube, .unsafe_processes = processes};
    for (; nodes_[node].parent != node; node = nodes_[node].parent) run.steps.push_back(nodes_[node].step);
    std::ranges::reverse(run.steps);
    const ArrayState& initial = *nodes_[node].state;
    for (std::size_t cell = 0; cell < initial.cells.size(); ++cell)
      run.initial.push_back({machine_.cells().cell(cell), initial.cells[cell]});
    return run;
  }

  const ArrayMachine machine_;
  const ArrayLimits limits_;
  std::unordered_map<ArrayState, std::size_t, ArrayStateHash> known_;
  std::vector<Node> nodes_;  // in the order of discovery, which is the queue
  bool full_ = false;
  ArrayExploration result_;
};

}  // namespace

ArrayExploration explore(const ArraySystem& system, std::uint32_t processes, const ArrayLimits& limits) {
  return BreadthFirst(system, processes, limits).run();
}

}  // namespace weir::array
