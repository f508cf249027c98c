// Whether a region lies within others.
//
// One region covers another if its processes and reads can be renamed, injectively, so that all it demands
// follows from what the other one says. The processes are matched one after the other, and every constraint
// is tested as soon as its processes are; a set of 64 bits rules out most candidates before that. A region
// may also lie within the union of several (`covered_by_all`): then the instances of the candidates that do
// not contradict it are clauses, and a small search over them looks for a state that is in none.
#pragma once

#include <vector>

#include "engine/array/region.hpp"

namespace weir::array {

// A region prepared to be compared with others.
class Covered {
 public:
  Covered(const Region& region, const Vocabulary& vocabulary);

  const Region& region() const { return region_; }
  const Facts& facts() const { return facts_; }
  bool by(const Region& other) const;

  // The ways to instantiate `other` so that its weak part is matched and at most `most_open` constraints do
  // not follow, none of them contradicting; each as the list of these constraints. True: one has none,
  // `other` covers.
  bool nearly_by(const Region& other, std::uint32_t most_open,
                 std::vector<std::vector<Constraint>>& found) const;

 private:
  class Matching;
  const Region& region_;
  Facts facts_;
};

// Whether every state of the region satisfies one of the clauses' conjunctions (each what an instance of a
// region still demands). Gives up, with false, after `budget` steps.
bool covered_by_all(const Facts& facts, const std::vector<std::vector<Constraint>>& instances,
                    std::uint32_t budget);

}  // namespace weir::array
