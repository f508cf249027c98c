// Coverability in Petri nets, forward: the tree of [KarpMiller69].
//
// Nets that count threads have few tokens that matter: those of exclusive groups, and here and there a single
// thread that holds something. All other threads come in any number as soon as they come at all. So a search
// from the start that says "any number" where a cycle can be repeated meets few markings, where the search
// backward from the target asks for all combinations of threads that might help. On the lock of Linux with
// its readers it takes a second, and backward search no end.
//
// What is found is an invariant: markings, some of them with any number in places, such that every reachable
// one is below one of them. `check_invariant` checks that without the search.
//
// The tree is pruned: a marking below a known one is not followed, and one that turns out to be below a later
// one is not followed any further. That is sound because only the largest markings have to be closed under
// firing, and those are all expanded. It ends, since along an infinite branch some marking would be above an
// earlier one, and raised to any number. The number of markings may be large beyond use, so it is limited.
#pragma once

#include <vector>

#include "engine/coverability/petri/net.hpp"

namespace weir {

struct ForwardOptions {
  std::uint64_t most_markings = 50'000;  // met by the search
  std::string phase = "coverability";
};

struct ForwardResult {
  // Stopped: by the context or the limit, or at once, because looking at places alone shows that the target
  // cannot be covered. Then backward search answers without searching.
  CoverVerdict verdict = CoverVerdict::kStopped;
  // Not coverable: the counts of ungrouped places may be `PetriNet::kAnyNumber`.
  std::vector<Marking> invariant;
  std::uint64_t markings = 0;  // met
};

// The groups must hold.
ForwardResult coverable_forward(const PetriNet& net, const Marking& target, const ForwardOptions& options,
                                Context& context);

}  // namespace weir
