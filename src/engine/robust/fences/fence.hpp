// The cheapest fences that make a program robust, or safe [Bouajjani13, Section 7].
//
// The paper first finds, for each feasible attack, all irreducible sets of fences that eliminate it, which
// may be exponentially many, and lets a 0/1 program choose among them. Here it is done from the other side. A
// computation that breaks robustness is stopped exactly by a fence at one of the locations that its attacker
// leaves while stores are delayed; a fence set is valid if and only if it hits that set of locations for
// every such computation (fences only remove computations). So the cheapest valid set is the cheapest hitting
// set, and the sets to hit are found as needed: solve the 0/1 program for those known, check the program with
// these fences, and if an attack is left its computation gives a new set to hit. When none is left the fences
// are valid, and no cheaper ones are, because every set to hit was necessary.
//
// For safety it is the same with executions that violate a property instead of attacks: a fence at a location
// that some thread leaves with a store in its buffer stops such an execution; if there is no such location,
// the violation does not need the store buffer, and no fence helps.
//
// When every thread is a template, fences are placed in its code, once for all copies (Theorem 6 of the
// paper). Copies share their code, so the computation of an instance is stopped at places of the template;
// and a place that stops it in one instance stops it in all. For any number of threads the instances to look
// at are found as needed, like the sets: those known are checked first, and when all of them are robust, the
// Petri net says so for any number, or gives another instance.
#pragma once

#include <functional>
#include <optional>

#include "engine/robust/fences/measured_cost.hpp"
#include "engine/robust/robust.hpp"

namespace weir {

enum class FencePurpose : std::uint8_t { kRobustness, kSafety };

struct FenceOptions {
  FencePurpose purpose = FencePurpose::kRobustness;
  RobustOptions robust;          // robustness: how to search, and against which notion
  Model model = Model::kTso;     // safety: TSO or PSO
  std::vector<double> cost;      // per location; infinite where no fence can be put
  std::string cost_basis;        // for people: how frequencies were measured or estimated; or empty
  std::size_t alternatives = 0;  // how many other sets of the same cost to look for
  // Per location, the first one that stands at the same place of the source: a fence there is one at all of
  // them, and costs as much as the dearest. Empty if every location has a place of its own.
  std::vector<LocationId> place;

  std::optional<std::uint32_t> copies;  // of each thread that is not `single`; none: the program as it is
  bool any_number = false;              // robustness: every number of copies, instead
};

// The program that the fences are for: itself, or the instance with so many copies.
Program instance(const Program& program, const FenceOptions& options);

// These locations and the others at their places.
std::vector<LocationId> all_at_places(const FenceOptions& options, const std::vector<LocationId>& fences);

enum class FenceVerdict : std::uint8_t {
  kFound,
  kImpossible,  // a violation that no fence at an allowed location stops
  kUnknown,
};

// What happens if one fence is left out of the set.
struct FenceNeed {
  LocationId fence;
  Program program;  // with the other fences in place; of templates, an instance
  Witness witness;  // of that program; to be replayed by the caller
};

struct FenceAnswer {
  FenceVerdict verdict = FenceVerdict::kUnknown;
  std::string reason;
  std::vector<std::pair<std::string, std::string>> bound;
  std::vector<LocationId> fences;  // one for each place
  double cost = 0;
  std::vector<std::vector<LocationId>> alternatives;
  std::vector<FenceNeed> needs;    // one per fence
  std::optional<Witness> witness;  // impossible: what no fence stops
  Program instance;                // impossible: the program of the witness, without fences
  Statistics statistics;
  std::vector<Diagnostic> diagnostics;
};

FenceAnswer place_fences(const Program& program, const FenceOptions& options, Context& context);

// Costs. Every location without edges is infinitely expensive: a fence there does nothing.

// One for each fence in the source: code that stands there several times needs a fence in each copy.
std::vector<double> unit_costs(const Program& program);
// How often the location is passed by all threads together: estimated from control flow, or measured.
std::vector<double> estimated_costs(const Program& program);
std::vector<double> measured_costs(const Program& program, const Measurement& measured);

}  // namespace weir
