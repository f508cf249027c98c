// What makes the exploration by values fast. Each can be switched off, to see what it is worth. What is found
// does not depend on them; how many executions are visited can, within what docs/values.md promises.
#pragma once

namespace weir {

struct ValueHeuristics {
  bool greedy = true;       // steps of the search that need no alternative: good_writes_search.hpp
  bool closure = true;      // edges that hold in all orders are found first: good_writes_graph.hpp
  bool guidance = true;     // the last order that was found is tried first: good_writes_graph.hpp
  bool signals = true;      // steps that can read nothing newer are known: mutation_exploration.hpp
  bool relaxations = true;  // value-centric: writes are ordered only if that can matter
};

}  // namespace weir
