// The happens-before relation of one execution, computed from its steps alone, and its cycles: what makes an
// execution impossible under sequential consistency [ShashaSnir88; Bouajjani13, Section 3 and Appendix A].
//
// Events are accesses to memory: loads, stores (one event, whose place in coherence is that of its flush),
// read-modify-writes. The accesses of an atomic block, and those between `lock` and `unlock`, belong to one
// *unit*: under SC nothing comes between them, so a cycle of units is as impossible as one of events.
// Anything else is a unit of its own. The lock is no address.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "trace/witness.hpp"

namespace weir {

struct TraceEvent {
  std::size_t step = 0;        // of the witness: the instruction
  std::size_t visible = 0;     // the step at which it takes effect: the flush of a buffered store, otherwise `step`
  std::size_t unit = 0;        // counts over the execution
  ThreadId thread;
  EdgeId edge;
  Value address = 0;
  bool reads = false, writes = false;
  Value read = 0, written = 0;
  std::optional<std::size_t> source;  // reads: the event whose value it returns; none: the initial value
};

enum class Relation : std::uint8_t { kProgramOrder, kReadsFrom, kCoherence, kFromRead };

const char* name(Relation relation);  // "po", "rf", "co", "fr"

struct HappensBeforeEdge {
  std::size_t from = 0, to = 0;  // events
  Relation relation = Relation::kProgramOrder;
};

struct HappensBefore {
  std::vector<TraceEvent> events;             // in the order of their steps
  std::vector<HappensBeforeEdge> edges;       // program order and coherence between neighbours only

  // As few edges as possible from a unit back to itself, in order; empty if there is no cycle. The target of
  // an edge and the source of the next belong to one unit, but may be different events of it. Program order is
  // given as one edge from the first to the last event of the cycle in that thread.
  std::vector<HappensBeforeEdge> cycle() const;
};

// `witness` must be an execution of `program`: replay it first. Every buffered store that has no flush is
// placed after all stores that have one.
HappensBefore happens_before(const Program& program, const Witness& witness);

}  // namespace weir
