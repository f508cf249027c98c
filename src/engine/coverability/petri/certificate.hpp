// Plain checks of what `coverable` answers. They share nothing with the search but the net.
//
// A certificate is a set of places and a set of markings. It proves that a target is not coverable if
//  1. every exclusive group holds exactly one token at the start, and every transition preserves that;
//  2. the dead places are empty at the start, and what puts a token into one takes a token from one;
//  3. the target is above an element of the basis;
//  4. no initial marking is above an element of the basis;
//  5. every minimal predecessor of an element, by every transition, is above an element.
// In 3 and 5, markings with a token in a dead place or with two in one group are excused: by 1 and 2 nothing
// above them is reachable. Quadratic in the basis, times the transitions.
#pragma once

#include <string>
#include <vector>

#include "engine/coverability/petri/net.hpp"

namespace weir {

// What is wrong with the certificate; empty if it is right.
std::string check_certificate(const PetriNet& net, const Marking& target,
                              const CoverCertificate& certificate);

// An invariant is a set of markings, some of them with any number of tokens in places. It proves that a
// target is not coverable if
//  1. every exclusive group holds exactly one token at the start, and every transition preserves that;
//  2. the initial marking is below an element;
//  3. what a transition makes of an element, where it can fire, is below an element;
//  4. no element is above the target.
std::string check_invariant(const PetriNet& net, const Marking& target,
                            const std::vector<Marking>& invariant);

// Fires the sequence. What is wrong with it; empty if it covers the target.
std::string check_run(const PetriNet& net, const Marking& target, const FiringSequence& run);

}  // namespace weir
