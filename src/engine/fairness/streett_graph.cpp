// Good components of graphs: StreettGraphBasic and StreettGraphImpr, Algorithms 6.2 and 6.3 of [Toman21], in
// O(n min(n, k)) and O(n sqrt(m log n)) symbolic steps for k pairs.
//
// The improved one deviates in what costs steps. It asks who lost edges once after all bad vertices are gone,
// not after each removal; it takes out vertices without a predecessor or successor, all at once, before it
// searches for one component; and it asks a LockStepPolicy whether to search at all. While it computes all
// components, it removes bad vertices of unions of components, before these are taken apart.
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

class ImprovedOnGraphs {
 public:
  ImprovedOnGraphs(SymbolicGraph& graph, const Objective& objective, LockStepPolicy policy)
      : graph_(graph), objective_(objective), policy_(policy) {
    if (policy_.mixes())
      pruning_ = [this](VertexSet set) { return without_bad_vertices(objective_, std::move(set)); };
  }

  std::vector<VertexSet> run(std::vector<VertexSet> components) {
    for (VertexSet& component : components) candidates_.push_back({std::move(component)});
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
    const VertexSet gone = candidate.set - without_bad_vertices(objective_, candidate.set);
    candidate.take_out(gone);
    note_losers(candidate, gone);
  }

  void note_losers(Candidate& candidate, const VertexSet& gone) {
    if (gone.empty() || candidate.set.empty() || candidate.shattered) return;
    if (!policy_.worth_noting(graph_.count(gone))) return candidate.shatter();
    candidate.heads |= graph_.post(gone, candidate.set);
    candidate.tails |= graph_.pre(gone, candidate.set);
    policy_.pay(2);
  }

  void refine(Candidate candidate) {
    if (candidate.untouched()) return add_if_good(candidate.set);
    if (candidate.shattered || !policy_.allows(candidate.losers(graph_))) return decompose(candidate);
    if (trim(candidate)) return candidates_.push_back(std::move(candidate));
    const std::uint64_t before = graph_.steps();
    const VertexSet component = lock_step_search(graph_, candidate, policy_.most_steps());
    policy_.pay(graph_.steps() - before);
    if (component.empty()) {
      policy_.give_up();
      return decompose(candidate);
    }
    if (component == candidate.set) return add_if_good(component);
    candidate.take_out(component);
    pay_back_if_useful(candidate.set);
    note_losers(candidate, component);
    candidates_.push_back(std::move(candidate));
    candidates_.push_back({component});
  }

  // Takes out heads and tails that are components by themselves. Were there any?
  bool trim(Candidate& candidate) {
    const VertexSet tops = candidate.heads - graph_.post(candidate.set, candidate.heads);
    const VertexSet bottoms =
        (candidate.tails - tops) - graph_.pre(candidate.set - tops, candidate.tails - tops);
    policy_.pay(2);
    const VertexSet gone = tops | bottoms;
    candidate.take_out(gone);
    pay_back_if_useful(candidate.set);
    note_losers(candidate, gone);
    return !gone.empty();
  }

  // Are there bad vertices now? To find these the components would have been computed.
  void pay_back_if_useful(const VertexSet& left) {
    if (!bad_vertices(objective_, left).empty()) policy_.pay_back();
  }

  void decompose(const Candidate& candidate) {
    const std::uint64_t before = graph_.steps();
    std::vector<VertexSet> components =
        strongly_connected_components(graph_, candidate.set, Ends::kUnknown, pruning_);
    policy_.components_computed(graph_.steps() - before);
    for (VertexSet& component : components) candidates_.push_back({std::move(component)});
  }

  void add_if_good(const VertexSet& set) {
    if (connected_set_has_edge(graph_, set)) good_.push_back(set);
  }

  SymbolicGraph& graph_;
  const Objective& objective_;
  LockStepPolicy policy_;
  Pruning pruning_;
  std::vector<Candidate> candidates_;
  std::vector<VertexSet> good_;
};

}  // namespace

std::vector<VertexSet> good_components(SymbolicGraph& graph, const Objective& objective,
                                       std::vector<VertexSet> candidates, const StreettOptions& options) {
  if (options.algorithm == Algorithm::kBasic) return basic(graph, objective, std::move(candidates));
  return ImprovedOnGraphs(graph, objective, lock_step_policy(graph, options.threshold))
      .run(std::move(candidates));
}

}  // namespace weir::fairness
