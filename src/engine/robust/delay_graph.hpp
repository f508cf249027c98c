// Which way a thread can go while its store buffer is not empty, by control flow alone: the locations of the
// program, and the edges that neither drain the buffer nor need it drained. Calls are followed without
// remembering where they came from, so the graph allows too much, never too little.
#pragma once

#include <span>
#include <vector>

#include "program/program.hpp"

namespace weir {

class DelayGraph {
 public:
  // Locations in `fences` cannot be left.
  DelayGraph(const Program& program, std::span<const LocationId> fences);

  // The edges that a thread can execute after `edge` with the buffer never drained.
  std::vector<bool> reachable_after(EdgeId edge) const;
  // Can a thread go from here to a load without draining its buffer?
  bool leads_to_load(LocationId location) const { return leads_to_load_[location.index()]; }
  bool fenced(LocationId location) const { return fenced_[location.index()]; }

 private:
  void find_ways_to_loads();
  std::vector<LocationId> targets(EdgeId edge) const;

  const Program& program_;
  std::vector<bool> fenced_;
  std::vector<bool> leads_to_load_;
  std::vector<std::vector<LocationId>> return_targets_;  // per function: where its calls go on
};

}  // namespace weir
