// Good components of graphs: StreettGraphBasic and StreettGraphImpr, Algorithms 6.2 and 6.3 of [Toman21], in
// O(n min(n, k)) and O(n sqrt(m log n)) symbolic steps for k pairs.
#include "engine/fairness/components.hpp"
#include "engine/fairness/streett.hpp"

namespace weir::fairness {

namespace {

std::vector<VertexSet> basic(SymbolicGraph& graph, const Objective& objective,
                             std::vector<VertexSet> candidates) {
  std::vector<VertexSet> good;
  while (!candidates.empty()) {
    VertexSet set = std::move(candidates.back());
    candidates.pop_back();
    const VertexSet bad = bad_vertices(objective, set);
    if (bad.empty()) {
      if (connected_set_has_edge(graph, set)) good.push_back(std::move(set));
      continue;
    }
    for (VertexSet& component : strongly_connected_components(graph, set - bad))
      candidates.push_back(std::move(component));
  }
  return good;
}

class Improved {
 public:
  Improved(SymbolicGraph& graph, const Objective& objective, std::uint64_t limit)
      : graph_(graph), objective_(objective), limit_(limit) {}

  std::vector<VertexSet> run(std::vector<VertexSet> components) {
    add_components(std::move(components));
    while (!candidates_.empty()) {
      Candidate candidate = std::move(candidates_.back());
      candidates_.pop_back();
      remove_bad(candidate);
      if (!candidate.set.empty()) refine(std::move(candidate));
    }
    return std::move(good_);
  }

 private:
  void add_components(std::vector<VertexSet> components) {
    for (VertexSet& component : components) candidates_.push_back({std::move(component)});
  }

  void remove_bad(Candidate& candidate) {
    for (VertexSet bad = bad_vertices(objective_, candidate.set); !bad.empty();
         bad = bad_vertices(objective_, candidate.set))
      candidate.remove(graph_, bad, limit_);
  }

  void refine(Candidate candidate) {
    if (candidate.untouched()) {
      if (connected_set_has_edge(graph_, candidate.set)) good_.push_back(std::move(candidate.set));
      return;
    }
    if (candidate.needs_components(graph_, limit_)) {
      std::vector<VertexSet> components = strongly_connected_components(graph_, candidate.set);
      if (components.size() == 1 && components.front() == candidate.set)
        return good_.push_back(std::move(candidate.set));
      return add_components(std::move(components));
    }
    if (!graph_.has_edge(candidate.set)) return;
    VertexSet component = lock_step_search(graph_, candidate);
    if (component == candidate.set) return good_.push_back(std::move(candidate.set));
    candidate.remove(graph_, component, limit_);
    candidates_.push_back(std::move(candidate));
    candidates_.push_back({std::move(component)});
  }

  SymbolicGraph& graph_;
  const Objective& objective_;
  std::uint64_t limit_;
  std::vector<Candidate> candidates_;
  std::vector<VertexSet> good_;
};

}  // namespace

std::vector<VertexSet> good_components(SymbolicGraph& graph, const Objective& objective,
                                       std::vector<VertexSet> candidates, const StreettOptions& options) {
  if (options.algorithm == Algorithm::kBasic) return basic(graph, objective, std::move(candidates));
  return Improved(graph, objective, lock_step_limit(graph, options.threshold)).run(std::move(candidates));
}

}  // namespace weir::fairness
