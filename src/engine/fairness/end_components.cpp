// Maximal end components: MECBasic and MECImpr, Algorithms 6.4 and 6.5 of [Toman21], in O(n^2) and O(n sqrt
// m) symbolic steps. Attractors are taken inside the candidate, where the thesis takes them in the whole
// graph: a player vertex whose edges all leave the candidate or lead into the attractor goes at once. So
// every vertex that is left has a successor, and the improved algorithm need not ask whether there is an
// edge; and it knows who lost an edge from the attractor, without a step. A LockStepPolicy decides when it
// searches.
//
// Both work on the MDP restricted to a set: edges that leave it, random ones too, count as leaving the MDP,
// so their random sources are in no end component.
#include "engine/fairness/components.hpp"
#include "engine/fairness/reachability.hpp"
#include "engine/fairness/streett.hpp"

namespace weir::fairness {

namespace {

VertexSet leaving_randomly(SymbolicGraph& graph, const VertexSet& set) {
  const VertexSet random = set & graph.random();
  return random.empty() ? VertexSet() : graph.pre(graph.all() - set, random);
}

std::vector<VertexSet> basic(SymbolicGraph& graph, const VertexSet& within, Ends ends) {
  std::vector<VertexSet> found;
  std::vector<VertexSet> candidates = strongly_connected_components(graph, within, ends);
  while (!candidates.empty()) {
    VertexSet set = std::move(candidates.back());
    candidates.pop_back();
    const VertexSet leaving = leaving_randomly(graph, set);
    if (leaving.empty()) {
      if (connected_set_has_edge(graph, set)) found.push_back(std::move(set));
      continue;
    }
    set -= random_attractor(graph, leaving, set);
    for (VertexSet& component : strongly_connected_components(graph, set, Ends::kNone))
      candidates.push_back(std::move(component));
  }
  return found;
}

class ImprovedEndComponents {
 public:
  ImprovedEndComponents(SymbolicGraph& graph, LockStepPolicy policy) : graph_(graph), policy_(policy) {}

  std::vector<VertexSet> run(const VertexSet& within, Ends ends) {
    decompose(within, ends);
    while (!candidates_.empty()) {
      Candidate candidate = std::move(candidates_.back());
      candidates_.pop_back();
      const VertexSet leaving = leaving_randomly(graph_, candidate.set);
      if (!leaving.empty()) remove(candidate, leaving);
      if (!candidate.set.empty()) refine(std::move(candidate));
    }
    return std::move(found_);
  }

 private:
  // With its attractor.
  void remove(Candidate& candidate, const VertexSet& targets) {
    const Attraction attraction = random_attraction(graph_, targets, candidate.set);
    candidate.take_out(attraction.attracted);
    candidate.tails |= attraction.border;
    if (!policy_.allows(candidate.losers(graph_))) candidate.shatter();
  }

  void refine(Candidate candidate) {
    if (candidate.untouched()) return add_if_connected(candidate.set);
    if (candidate.shattered) return decompose(candidate.set, Ends::kNone);
    const std::uint64_t before = graph_.steps();
    // A bottom component of a set that no random edge leaves is an end component.
    const VertexSet component = lock_step_search(graph_, candidate, policy_.most_steps());
    policy_.pay(graph_.steps() - before);
    if (component.empty()) {
      policy_.give_up();
      return decompose(candidate.set, Ends::kNone);
    }
    add_if_connected(component);
    if (component == candidate.set) return;
    remove(candidate, component);
    if (!candidate.set.empty()) candidates_.push_back(std::move(candidate));
  }

  void decompose(const VertexSet& set, Ends ends) {
    const std::uint64_t before = graph_.steps();
    std::vector<VertexSet> components = strongly_connected_components(graph_, set, ends);
    policy_.components_computed(graph_.steps() - before);
    for (VertexSet& component : components) candidates_.push_back({std::move(component)});
  }

  void add_if_connected(const VertexSet& set) {
    if (connected_set_has_edge(graph_, set)) found_.push_back(set);
  }

  SymbolicGraph& graph_;
  LockStepPolicy policy_;
  std::vector<Candidate> candidates_;
  std::vector<VertexSet> found_;
};

}  // namespace

std::vector<VertexSet> maximal_end_components(SymbolicGraph& graph, const VertexSet& within,
                                              const StreettOptions& options, Ends ends) {
  if (options.algorithm == Algorithm::kBasic) return basic(graph, within, ends);
  return ImprovedEndComponents(graph, end_component_policy(graph, options.threshold)).run(within, ends);
}

}  // namespace weir::fairness
