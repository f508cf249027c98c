// Compares the explicit engine with the reference machine on one program: reachable violations, terminal
// states, memory valuations, and that every witness replays.
#pragma once

#include <string>
#include <vector>

#include "engine/explicit/explicit.hpp"
#include "selfcheck/random/program_generator.hpp"

namespace weir::selfcheck {

// One way to run the engine.
struct Configuration {
  Reduction reduction = Reduction::kAuto;
  Search search = Search::kBreadthFirst;
  bool symmetry = true;
  bool live_variables = true;
};

std::string describe(const Configuration& configuration);

// All reductions with both search orders, with and without symmetry and live variables.
std::vector<Configuration> all_configurations();

// Empty if all agree, otherwise what differs. Programs with more states on the reference machine than
// `most_states` count as agreeing;
// `*compared`, if given, tells whether there was a comparison.
std::string disagreement(const Program& program, Model model,
                         const std::vector<Configuration>& configurations, bool* compared = nullptr,
                         std::size_t most_states = 200'000);

// What the program of a seed is made of: every tenth one has failing instructions, every fifth loops, every
// fourth some of what C programs need.
GeneratorShape shape_for(std::uint64_t seed);

}  // namespace weir::selfcheck
