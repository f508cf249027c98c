// Good end components of MDPs: StreettMDPbasic and StreettMDPimpr, Algorithms 6.6 and 6.7 of [Toman21], in
// O(n^2 min(n, k)) and O(n sqrt(m log n)) symbolic steps for k pairs.
//
// The improved one does not compute end components again after it removed bad vertices. It keeps sets that no
// random edge leaves (Invariant 6.6), splits them into strongly connected components, and removes from each
// what chance may take out of it. It deviates in what costs steps:
//
// - Bad vertices of a new component and those from which chance leaves it are removed together, so that they
//   share one attractor; and who chance takes out of its component is asked for all components at once, in
//   logarithmically many steps (`leaving_randomly` below).
// - While components are computed, bad vertices of unions of components are removed before these are taken
//   apart (`Pruning`), without their attractor at first; chance then leaves a component to where they were.
// - Who lost outgoing edges is known when the attractor is; who lost incoming ones is asked once after all
// bad
//   vertices are gone.
// - In these sets every vertex has a successor, since attractors leave nobody behind without one. So Line 12
//   (is there an edge?) takes no step. Vertices without a predecessor are taken out all at once.
// - A LockStepPolicy decides whether to search for one component or to compute all.
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
    for (VertexSet& component : maximal_end_components(graph, set, options, Ends::kNone))
      candidates.push_back(std::move(component));
  }
  return good;
}

// The random vertices of the parts with an edge to another part or to `others`. Parts differ in some bit of
// their numbers, and from the others, which are number 0, so two steps for each bit find all of them; or one
// for each part with random vertices, if these are fewer.
VertexSet leaving_randomly(SymbolicGraph& graph, const std::vector<VertexSet>& parts,
                           const VertexSet& others) {
  VertexSet inside, leaving;
  for (const VertexSet& part : parts) inside |= part;
  const VertexSet all = inside | others;
  const auto add = [&](const VertexSet& from, const VertexSet& to) {
    const VertexSet asked = (from & graph.random()) - leaving;
    if (!asked.empty() && !to.empty()) leaving |= graph.pre(to, asked);
  };
  std::size_t bits = 0;
  while (parts.size() + 1 > std::size_t{1} << bits) ++bits;
  const auto asking = static_cast<std::size_t>(
      std::ranges::count_if(parts, [&](const VertexSet& part) { return !(part & graph.random()).empty(); }));
  if (asking <= 2 * bits) {
    for (const VertexSet& part : parts) add(part, all - part);
    return leaving;
  }
  for (std::size_t bit = 0; bit < bits; ++bit) {
    VertexSet ones;
    for (std::size_t i = 0; i < parts.size(); ++i)
      if (((i + 1) >> bit & 1) != 0) ones |= parts[i];
    add(ones, all - ones);
    add(inside - ones, ones);
  }
  return leaving;
}

class ImprovedOnMdps {
 public:
  ImprovedOnMdps(SymbolicGraph& graph, const Objective& objective, LockStepPolicy policy)
      : graph_(graph), objective_(objective), policy_(policy) {
    if (policy_.mixes())
      pruning_ = [this](VertexSet set) { return without_bad_vertices(objective_, std::move(set)); };
  }

  std::vector<VertexSet> run(std::vector<VertexSet> end_components) {
    for (VertexSet& component : end_components) add_without(Candidate{std::move(component)}, {});
    while (!candidates_.empty()) {
      Candidate candidate = std::move(candidates_.back());
      candidates_.pop_back();
      refine(std::move(candidate));
    }
    return std::move(good_);
  }

 private:
  // Candidates on the list have no bad vertex, and no random edge leaves them.
  void add_without(Candidate candidate, const VertexSet& leaving) {
    VertexSet gone;
    for (VertexSet targets = leaving | bad_vertices(objective_, candidate.set); !targets.empty();
         targets = bad_vertices(objective_, candidate.set)) {
      const Attraction attraction = random_attraction(graph_, targets, candidate.set);
      candidate.take_out(attraction.attracted);
      candidate.tails |= attraction.border;
      candidate.tails &= candidate.set;
      gone |= attraction.attracted;
    }
    if (candidate.set.empty()) return;
    note_heads(candidate, gone);
    candidates_.push_back(std::move(candidate));
  }

  void note_heads(Candidate& candidate, const VertexSet& gone) {
    if (gone.empty() || candidate.shattered) return;
    if (!policy_.worth_noting(graph_.count(gone)) || !policy_.allows(candidate.losers(graph_)))
      return candidate.shatter();
    candidate.heads |= graph_.post(gone, candidate.set);
    policy_.pay(1);
  }

  void refine(Candidate candidate) {
    if (candidate.untouched()) return add_if_good(candidate.set);
    if (candidate.shattered || !policy_.allows(candidate.losers(graph_))) return decompose(candidate);
    if (trim(candidate)) {
      if (!candidate.set.empty()) add_without(std::move(candidate), {});
      return;
    }
    const std::uint64_t before = graph_.steps();
    const VertexSet component = lock_step_search(graph_, candidate, policy_.most_steps());
    policy_.pay(graph_.steps() - before);
    if (component.empty()) {
      policy_.give_up();
      return decompose(candidate);
    }
    if (component == candidate.set) return add_if_good(component);
    split(std::move(candidate), component);
  }

  void split(Candidate candidate, const VertexSet& component) {
    const VertexSet rest = candidate.set - component;
    if (!bad_vertices(objective_, rest).empty() || !bad_vertices(objective_, component).empty())
      policy_.pay_back();
    const VertexSet random = component & graph_.random();
    add_without(Candidate{component}, random.empty() ? VertexSet() : graph_.pre(rest, random));
    // The component is taken out as a target: its attractor goes with it, and the border is who loses by it.
    const Attraction attraction = random_attraction(graph_, component, candidate.set);
    candidate.take_out(attraction.attracted);
    candidate.tails |= attraction.border;
    if (candidate.set.empty()) return;
    note_heads(candidate, attraction.attracted);
    add_without(std::move(candidate), {});
  }

  // Takes out heads without a predecessor. Nobody is attracted by them. Were there any?
  bool trim(Candidate& candidate) {
    const VertexSet tops = candidate.heads - graph_.post(candidate.set, candidate.heads);
    policy_.pay(1);
    if (tops.empty()) return false;
    candidate.take_out(tops);
    if (!bad_vertices(objective_, candidate.set).empty()) policy_.pay_back();
    if (!candidate.set.empty()) note_heads(candidate, tops);
    return true;
  }

  void decompose(const Candidate& candidate) {
    const std::uint64_t before = graph_.steps();
    std::vector<VertexSet> parts =
        strongly_connected_components(graph_, candidate.set, Ends::kNone, pruning_);
    policy_.components_computed(graph_.steps() - before);
    if (parts.size() == 1 && parts.front() == candidate.set) return add_if_good(candidate.set);
    std::erase_if(parts, [&](const VertexSet& part) { return hopeless(part); });
    VertexSet others = candidate.set;
    for (const VertexSet& part : parts) others -= part;
    const VertexSet leaving = leaving_randomly(graph_, parts, others);
    for (const VertexSet& part : parts) add_without(Candidate{part}, leaving & part);
  }

  // A component that contains no good one, as can be seen without a step.
  bool hopeless(const VertexSet& component) const {
    return !connected_set_has_edge(graph_, component) ||
           (component - bad_vertices(objective_, component)).empty();
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

std::vector<VertexSet> good_end_components(SymbolicGraph& graph, const Objective& objective,
                                           std::vector<VertexSet> candidates, const StreettOptions& options) {
  if (options.algorithm == Algorithm::kBasic) return basic(graph, objective, std::move(candidates), options);
  return ImprovedOnMdps(graph, objective, lock_step_policy(graph, options.threshold))
      .run(std::move(candidates));
}

}  // namespace weir::fairness
