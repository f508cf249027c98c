// Compares the placement of fences with brute force: all sets of places are tried, in the order of their cost,
// on the reference machine. Costs are drawn: one for each location, some of them infinite.
#pragma once

#include <string>
#include <vector>

#include "program/model.hpp"
#include "selfcheck/agreement/robust_agreement.hpp"

namespace weir::selfcheck {

struct FenceComparisons {
  std::size_t robust = 0;       // programs as they are, and instances
  std::size_t any_number = 0;   // templates
  std::size_t safe = 0;         // against violations
  std::size_t with_fences = 0;  // of all these, those that needed some
  std::size_t impossible = 0;   // and those that no fence helps
  std::size_t undecided = 0;    // any number: values do not close
  std::size_t by_search = 0;    // of `robust`: each set was judged by the search for attacks
  std::size_t too_large = 0;    // for brute force

  FenceComparisons& operator+=(const FenceComparisons& other);
};

// Per location; the same for the same seed. With seed 0, each costs 1.
std::vector<double> drawn_costs(const Program& program, std::uint64_t seed);

// Each is empty if all agree, otherwise it says what differs. What takes brute force more steps counts as
// agreeing.

// Robustness of the program as it is: all cheapest sets are found, and each fence is needed.
std::string fence_disagreement(const Program& program, std::uint64_t seed = 0,
                               FenceComparisons* made = nullptr,
                               std::size_t most_steps = kMostBruteForceSteps);

// The same for instances with so many copies of each thread. Where those have too many traces, each set is
// judged by the search for attacks in the instance.
std::string copies_fence_disagreement(const Program& program, std::uint32_t copies, std::uint64_t seed,
                                      FenceComparisons* made = nullptr,
                                      std::size_t most_steps = kMostBruteForceSteps);

// The same for any number of copies. That fewer or cheaper fences are not enough is shown by an execution of
// some instance for every cheaper set, replayed; that those found are enough is seen on instances with up to
// four copies, as far as brute force comes.
std::string any_fence_disagreement(const Program& program, std::uint64_t seed,
                                   FenceComparisons* made = nullptr,
                                   std::size_t most_steps = kMostBruteForceSteps);

// No violation under TSO or PSO: all cheapest sets against all reachable states.
std::string safety_fence_disagreement(const Program& program, Model model, std::uint64_t seed,
                                      FenceComparisons* made = nullptr, std::size_t most_states = 20'000);

// Most random programs need no fences. These are the first of some that do, if there is one: templates, one or
// two, so short that brute force comes to an end, of which two copies are not robust; and programs that are
// safe under SC and not under the model.
Genome template_for(std::uint64_t seed);
Genome unsafe_program_for(std::uint64_t seed, Model model);

}  // namespace weir::selfcheck
