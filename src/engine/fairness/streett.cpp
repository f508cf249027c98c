#include "engine/fairness/streett.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "engine/fairness/components.hpp"
#include "engine/fairness/reachability.hpp"

namespace weir::fairness {

VertexSet bad_vertices(const Objective& objective, const VertexSet& set) {
  VertexSet bad;
  for (const SymbolicPair& pair : objective)
    if ((pair.grants & set).empty()) bad |= pair.requests & set;
  return bad;
}

VertexSet without_bad_vertices(const Objective& objective, VertexSet set) {
  for (VertexSet bad = bad_vertices(objective, set); !bad.empty(); bad = bad_vertices(objective, set))
    set -= bad;
  return set;
}

namespace {

double logarithm(const SymbolicGraph& graph) {
  return std::log2(static_cast<double>(std::max<std::size_t>(graph.vertices(), 2)));
}

LockStepPolicy policy(const SymbolicGraph& graph, const Threshold& threshold, double bound) {
  const auto rounded = [](double value) {
    return static_cast<std::uint64_t>(std::ceil(std::max(1.0, value)));
  };
  switch (threshold.kind) {
    case Threshold::Kind::kAdaptive:
      return LockStepPolicy::with_purse(rounded(std::max(bound, logarithm(graph))), graph.steps());
    case Threshold::Kind::kLogarithm: return LockStepPolicy::with_limit(rounded(logarithm(graph)));
    case Threshold::Kind::kBound: return LockStepPolicy::with_limit(rounded(bound));
    case Threshold::Kind::kNumber: break;
  }
  return LockStepPolicy::with_limit(threshold.number);
}

// Attributes steps and seconds to the parts of a run.
class Meter {
 public:
  explicit Meter(const SymbolicGraph& graph) : graph_(graph) {}

  void read(std::uint64_t& steps, double& seconds) {
    const auto now = Clock::now();
    steps = graph_.steps() - steps_;
    seconds = std::chrono::duration<double>(now - time_).count();
    steps_ = graph_.steps();
    time_ = now;
  }

 private:
  using Clock = std::chrono::steady_clock;

  const SymbolicGraph& graph_;
  std::uint64_t steps_ = 0;
  Clock::time_point time_ = Clock::now();
};

void solve(SymbolicGraph& graph, const Objective& objective, const StreettOptions& options,
           StreettResult& result) {
  StreettFigures& figures = result.figures;
  Meter meter(graph);
  std::vector<VertexSet> candidates = first_candidates(graph, options);
  meter.read(figures.first_steps, figures.first_seconds);
  const std::vector<VertexSet> good = good_candidates(graph, objective, std::move(candidates), options);
  meter.read(figures.search_steps, figures.search_seconds);
  const VertexSet winning = winning_vertices(graph, good);
  meter.read(figures.reach_steps, figures.reach_seconds);
  for (const Vertex v : graph.elements(winning)) result.winning[v] = true;
  for (const VertexSet& component : good) result.components.push_back(graph.elements(component));
}

}  // namespace

LockStepPolicy lock_step_policy(const SymbolicGraph& graph, const Threshold& threshold) {
  return policy(graph, threshold, std::sqrt(static_cast<double>(graph.edges()) / logarithm(graph)));
}

LockStepPolicy end_component_policy(const SymbolicGraph& graph, const Threshold& threshold) {
  return policy(graph, threshold, std::sqrt(static_cast<double>(graph.edges())));
}

Objective symbolic_objective(SymbolicGraph& graph, const std::vector<StreettPair>& pairs) {
  Objective objective;
  for (const StreettPair& pair : pairs)
    objective.push_back({graph.set(pair.requests), graph.set(pair.grants)});
  return objective;
}

std::vector<VertexSet> first_candidates(SymbolicGraph& graph, const StreettOptions& options) {
  return graph.random().empty() ? strongly_connected_components(graph, graph.all())
                                : maximal_end_components(graph, graph.all(), options);
}

std::vector<VertexSet> good_candidates(SymbolicGraph& graph, const Objective& objective,
                                       std::vector<VertexSet> candidates, const StreettOptions& options) {
  return graph.random().empty() ? good_components(graph, objective, std::move(candidates), options)
                                : good_end_components(graph, objective, std::move(candidates), options);
}

VertexSet winning_vertices(SymbolicGraph& graph, const std::vector<VertexSet>& good) {
  VertexSet goal;
  for (const VertexSet& component : good) goal |= component;
  return graph.random().empty() ? backward_closure(graph, goal, graph.all())
                                : almost_sure_reachability(graph, goal);
}

StreettResult solve_streett(const Arena& arena, const std::vector<StreettPair>& pairs,
                            const StreettOptions& options, Context* context) {
  StreettResult result;
  result.winning.assign(arena.vertices(), false);
  const auto start = std::chrono::steady_clock::now();
  try {
    SymbolicGraph graph(arena, context);
    const Objective objective = symbolic_objective(graph, pairs);
    result.figures.build_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    solve(graph, objective, options, result);
    result.figures.nodes = graph.nodes_in_use();
    result.complete = true;
  } catch (const Interrupted&) {
  }
  return result;
}

}  // namespace weir::fairness
