// What is known of a complete execution, and what is counted.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/smc/execution_graph.hpp"

namespace weir {

struct Ending {
  bool blocked = false;     // some thread waits for ever
  bool cut = false;         // it was not followed to its end: what comes then is left out
  bool deadlock = false;    // … and no thread could do anything more
  bool partial = false;     // … and others only poll, for ever
  NodeId failed = kNone;    // a node that violates a property
  NodeId released = kNone;  // `failed` accesses memory that this node may have released before
  bool late = false;        // … with a store that was executed in time, but flushed after that
  std::uint64_t ways = 1;   // how many executions the graph stands for; none if it is not fair
  std::vector<std::pair<NodeId, NodeId>> edges;  // that an order must have too to show this

  bool violates() const { return failed != kNone; }
};

struct ExplorationCounts {
  std::uint64_t traces = 0, blocked = 0, violating = 0;
  std::uint64_t cut = 0;      // neither of the first two: not followed to their ends
  std::uint64_t unfair = 0;   // left out: a thread waits although it could go on
  std::uint64_t dead = 0;     // graphs that could not be completed
  std::uint64_t graphs = 0;   // branches taken
  std::uint64_t signals = 0;  // by values: steps that had one

  // See base/archive.hpp.
  template <class Archive>
  void transfer(Archive& archive) {
    archive(traces, blocked, violating, cut, unfair, dead, graphs, signals);
  }
};

}  // namespace weir
