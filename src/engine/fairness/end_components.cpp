// Maximal end components: MECBasic and MECImpr, Algorithms 6.4 and 6.5 of [Toman21], in O(n^2) and O(n sqrt
// m) symbolic steps. Attractors are taken inside the candidate, where the thesis takes them in the whole
// graph: a player vertex whose edges all leave the candidate or lead into the attractor goes at once.
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

std::vector<VertexSet> basic(SymbolicGraph& graph, const VertexSet& within) {
  std::vector<VertexSet> found;
  std::vector<VertexSet> candidates = strongly_connected_components(graph, within);
  while (!candidates.empty()) {
    VertexSet set = std::move(candidates.back());
    candidates.pop_back();
    const VertexSet leaving = leaving_randomly(graph, set);
    if (leaving.empty()) {
      if (connected_set_has_edge(graph, set)) found.push_back(std::move(set));
      continue;
    }
    set -= random_attractor(graph, leaving, set);
    for (VertexSet& component : strongly_connected_components(graph, set))
      candidates.push_back(std::move(component));
  }
  return found;
}

class Improved {
 public:
  Improved(SymbolicGraph& graph, std::uint64_t limit) : graph_(graph), limit_(limit) {}

  std::vector<VertexSet> run(const VertexSet& within) {
    add_components(strongly_connected_components(graph_, within));
    while (!candidates_.empty()) {
      Candidate candidate = std::move(candidates_.back());
      candidates_.pop_back();
      const VertexSet leaving = leaving_randomly(graph_, candidate.set);
      if (!leaving.empty())
        candidate.remove_for_bottoms(graph_, random_attractor(graph_, leaving, candidate.set), limit_);
      if (!candidate.set.empty()) refine(std::move(candidate));
    }
    return std::move(found_);
  }

 private:
  void add_components(std::vector<VertexSet> components) {
    for (VertexSet& component : components) candidates_.push_back({std::move(component)});
  }

  void refine(Candidate candidate) {
    if (candidate.untouched()) {
      if (connected_set_has_edge(graph_, candidate.set)) found_.push_back(std::move(candidate.set));
      return;
    }
    if (candidate.needs_components(graph_, limit_)) {
      std::vector<VertexSet> components = strongly_connected_components(graph_, candidate.set);
      if (components.size() == 1 && components.front() == candidate.set)
        return found_.push_back(std::move(candidate.set));
      return add_components(std::move(components));
    }
    if (!graph_.has_edge(candidate.set)) return;
    // A bottom component of a set that no random edge leaves is an end component, if it has an edge.
    VertexSet component = lock_step_search(graph_, candidate);
    candidate.remove_for_bottoms(graph_, component, limit_);
    if (connected_set_has_edge(graph_, component)) found_.push_back(std::move(component));
    if (!candidate.set.empty()) candidates_.push_back(std::move(candidate));
  }

  SymbolicGraph& graph_;
  std::uint64_t limit_;
  std::vector<Candidate> candidates_;
  std::vector<VertexSet> found_;
};

}  // namespace

std::vector<VertexSet> maximal_end_components(SymbolicGraph& graph, const VertexSet& within,
                                              const StreettOptions& options) {
  if (options.algorithm == Algorithm::kBasic) return basic(graph, within);
  return Improved(graph, end_component_limit(graph, options.threshold)).run(within);
}

}  // namespace weir::fairness
