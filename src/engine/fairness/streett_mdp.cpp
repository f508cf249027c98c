// Good end components of MDPs: StreettMDPbasic and StreettMDPimpr, Algorithms 6.6 and 6.7 of [Toman21], in
// O(n^2 min(n, k)) and O(n sqrt(m log n)) symbolic steps for k pairs.
//
// The improved one does not compute end components again after it removed bad vertices. It keeps sets that no
// random edge leaves (Invariant 6.6), splits them into strongly connected components, and removes from each
// what chance may take out of it.
#include "engine/fairness/components.hpp"
#include "engine/fairness/reachability.hpp"
#include "engine/fairness/streett.hpp"

namespace weir::fairness {

namespace {

std::vector<VertexSet> basic(SymbolicGraph& graph, const Objective& objective,
                             std::vector<VertexSet> candidates, const StreettOptions& options) {
  std::vector<VertexSet> good;
  while (!candidates.empty()) {
    VertexSet set = std::move(candidates.back());
    candidates.pop_back();
    const VertexSet bad = bad_vertices(objective, set);
    if (bad.empty()) {
      good.push_back(std::move(set));
      continue;
    }
    set -= random_attractor(graph, bad, set);
    for (VertexSet& component : maximal_end_components(graph, set, options))
      candidates.push_back(std::move(component));
  }
  return good;
}

class Improved {
 public:
  Improved(SymbolicGraph& graph, const Objective& objective, std::uint64_t limit)
      : graph_(graph), objective_(objective), limit_(limit) {}

  std::vector<VertexSet> run(std::vector<VertexSet> end_components) {
    for (VertexSet& component : end_components) candidates_.push_back({std::move(component)});
    while (!candidates_.empty()) {
      Candidate candidate = std::move(candidates_.back());
      candidates_.pop_back();
      remove_bad(candidate);
      if (!candidate.set.empty()) refine(std::move(candidate));
    }
    return std::move(good_);
  }

 private:
  void remove_bad(Candidate& candidate) {
    for (VertexSet bad = bad_vertices(objective_, candidate.set); !bad.empty();
         bad = bad_vertices(objective_, candidate.set))
      candidate.remove(graph_, random_attractor(graph_, bad, candidate.set), limit_);
  }

  // A component of a candidate, without what chance may take to the rest of that candidate.
  void add_component(const VertexSet& component, const VertexSet& rest) {
    Candidate candidate{component};
    const VertexSet random = component & graph_.random();
    const VertexSet leaving = random.empty() ? VertexSet() : graph_.pre(rest, random);
    if (!leaving.empty()) candidate.remove(graph_, random_attractor(graph_, leaving, component), limit_);
    if (!candidate.set.empty()) candidates_.push_back(std::move(candidate));
  }

  void refine(Candidate candidate) {
    if (candidate.untouched()) {
      if (connected_set_has_edge(graph_, candidate.set)) good_.push_back(std::move(candidate.set));
      return;
    }
    if (candidate.needs_components(graph_, limit_)) {
      const std::vector<VertexSet> components = strongly_connected_components(graph_, candidate.set);
      if (components.size() == 1 && components.front() == candidate.set)
        return good_.push_back(std::move(candidate.set));
      for (const VertexSet& component : components) add_component(component, candidate.set - component);
      return;
    }
    if (!graph_.has_edge(candidate.set)) return;
    const VertexSet component = lock_step_search(graph_, candidate);
    if (component == candidate.set) return good_.push_back(std::move(candidate.set));
    add_component(component, candidate.set - component);
    candidate.remove(graph_, random_attractor(graph_, component, candidate.set), limit_);
    if (!candidate.set.empty()) candidates_.push_back(std::move(candidate));
  }

  SymbolicGraph& graph_;
  const Objective& objective_;
  std::uint64_t limit_;
  std::vector<Candidate> candidates_;
  std::vector<VertexSet> good_;
};

}  // namespace

std::vector<VertexSet> good_end_components(SymbolicGraph& graph, const Objective& objective,
                                           std::vector<VertexSet> candidates, const StreettOptions& options) {
  if (options.algorithm == Algorithm::kBasic) return basic(graph, objective, std::move(candidates), options);
  return Improved(graph, objective, lock_step_limit(graph, options.threshold)).run(std::move(candidates));
}

}  // namespace weir::fairness
