// Strongly connected components, symbolically: all of them, or one by lock-step search.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "engine/fairness/symbolic_graph.hpp"

namespace weir::fairness {

// What is known of a set whose components are wanted.
enum class Ends : std::uint8_t {
  kUnknown,
  kNone,  // every vertex has a successor in the set
};

// Is given a union of components, and returns what is left of it without vertices that no component the
// caller wants can have. Must take no step.
using Pruning = std::function<VertexSet(VertexSet)>;

// The strongly connected components of the graph restricted to `within`, except some that have no edge inside
// (single vertices, which no algorithm here wants). Linearly many symbolic steps. With a pruning: components
// of what that leaves, and each strongly connected set from which it takes nothing is inside of one of them.
std::vector<VertexSet> strongly_connected_components(SymbolicGraph& graph, const VertexSet& within,
                                                     Ends ends = Ends::kUnknown, const Pruning& prune = {});

// Is there an edge inside a strongly connected set? Takes no step: the graph knows which vertices have an
// edge to themselves.
inline bool connected_set_has_edge(const SymbolicGraph& graph, const VertexSet& set) {
  return !(set & graph.looping()).empty() || graph.count(set) > 1;
}

// A set of vertices under refinement, with the vertices that have lost incoming (`heads`) and outgoing
// (`tails`) edges since a superset was last known to be strongly connected. Invariant 6.1: both are empty and
// the set is strongly connected, or each of its top components has a head and each bottom component a tail.
//
// A set is shattered if so much was taken out of it that its components have to be computed anyway; then
// heads and tails are not determined, which would take steps.
struct Candidate {
  VertexSet set, heads, tails;
  bool shattered = false;

  bool untouched() const { return !shattered && heads.empty() && tails.empty(); }
  std::uint64_t losers(const SymbolicGraph& graph) const { return graph.count(heads) + graph.count(tails); }

  // Takes vertices out. If the rest is not shattered by it, whoever calls has to say what the rest loses.
  void take_out(const VertexSet& gone);
  void shatter();
};

// Algorithm 6.1 of [Toman21]: a top or bottom component of the candidate, found by searching backwards from
// each head and forwards from each tail, all at the same pace, until the first one has found all there is.
// Takes searches that ran into each other out of heads and tails. Without heads, only bottom components are
// looked for (Theorem 6.3). Gives up, with the empty set, when the next round would exceed `most_steps`.
VertexSet lock_step_search(SymbolicGraph& graph, Candidate& candidate, std::uint64_t most_steps);

// Decides between lock-step search and computing all components. The thesis searches if fewer than `limit`
// vertices have lost edges, to the end. That is what its bounds need; but where a candidate stays connected,
// which is the common case, every search is wasted. So there can be a purse, too: it begins with a share of
// what the components of the whole graph took, each computation of components pays a share of its steps into
// it, and searches, with the steps that prepare them, are paid from it. If they led to something for which
// the components would have been computed once more, what they cost is paid back; if a search was given up,
// the share is halved, down to a least one.
//
// The bounds of the thesis stay. What searches cost it charges to the vertices that they split off; a search
// that is given up costs less than one to its end, and the components that are computed then split off as
// much. Let these searches have cost W so far, and computations of components D, not counting those for which
// `limit` losers are the reason. When components are computed instead of a search, the purse is nearly empty,
// so D is at most W + O(limit) divided by the least share, and what this one computation adds, O(n).
class LockStepPolicy {
 public:
  static LockStepPolicy with_limit(std::uint64_t limit) { return {limit, kUnlimited}; }
  // `steps` were taken for the components of the whole graph.
  static LockStepPolicy with_purse(std::uint64_t limit, std::uint64_t steps) {
    return {limit, steps / kSavings};
  }

  // May computing all components be mixed with other things? With a limit, it is done as in the thesis.
  bool mixes() const { return mixes_; }

  // Is it worth to note who loses edges when this many vertices go?
  bool worth_noting(std::uint64_t gone) const { return gone < limit_ && purse_ >= kLeastPurse; }
  // May a search start from this many vertices?
  bool allows(std::uint64_t losers) const { return losers < limit_ && 2 * losers <= purse_; }
  std::uint64_t most_steps() const { return purse_; }

  void pay(std::uint64_t steps) {
    steps = std::min(purse_, steps);
    purse_ -= steps;
    spent_ += steps;
  }
  void pay_back() {
    purse_ += std::exchange(spent_, 0) + kLeastPurse;
    divisor_ = kFirstDivisor;
  }
  void give_up() { divisor_ = std::min(2 * divisor_, kLastDivisor); }
  void components_computed(std::uint64_t steps) {
    unshared_ += steps;
    purse_ += unshared_ / divisor_;
    unshared_ %= divisor_;
    spent_ = 0;
  }

 private:
  static constexpr std::uint64_t kUnlimited = std::uint64_t{1} << 62;
  static constexpr std::uint64_t kLeastPurse = 16;  // less than a search of a few rounds with its preparation
  static constexpr std::uint64_t kSavings = 8, kFirstDivisor = 32, kLastDivisor = 256;

  LockStepPolicy(std::uint64_t limit, std::uint64_t purse)
      : limit_(limit), purse_(purse), mixes_(purse != kUnlimited) {}

  std::uint64_t limit_, purse_;
  bool mixes_;
  std::uint64_t spent_ = 0;     // since it was last paid back, or since components were computed
  std::uint64_t unshared_ = 0;  // steps of computations, less than would give one more
  std::uint64_t divisor_ = kFirstDivisor;
};

}  // namespace weir::fairness
