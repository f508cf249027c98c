// The searches of the explicit engine. Each visits states from the initial one on, until there are none left
// or `Exploration::finished()`, and notes in the exploration what it found.
#pragma once

#include "engine/explicit/exploration.hpp"

namespace weir {

// Every step of every thread, or only those of a persistent set (persistent.hpp). [Calin16,
// Algorithms 2.3, 2.4]
void plain_search(Exploration& exploration, bool persistent);

// [Calin16, Algorithms 4.2, 4.3]
void local_first_search(Exploration& exploration);

// [Calin16, Algorithm 4.4], with visited states.
void dynamic_search(Exploration& exploration);

// [Calin16, Section 4.3.2; Gueta07]
void cartesian_search(Exploration& exploration);

// The states visited by `cartesian_search` are linked by runs of one thread: the runs possible in a state.
struct ThreadRun {
  std::vector<StepRecord> steps;
  GlobalState after;
};
std::vector<ThreadRun> cartesian_runs(System& system, Monitor& monitor, const GlobalState& state);

}  // namespace weir
