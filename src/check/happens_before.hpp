// The happens-before relation of one execution, computed from its steps alone, and its cycles: what makes an
// execution impossible under sequential consistency [ShashaSnir88; Bouajjani13, Section 3 and Appendix A].
//
// Events are accesses to shared memory: loads, stores (one event, whose place in coherence is that of its
// flush), read-modify-writes. What belongs to one thread or is constant is not shared, and neither is whether
// a block was freed. The accesses of an atomic block, and those between `lock` and `unlock`, belong to one
// *unit*: under SC nothing comes between them, so a cycle of units is as impossible as one of events.
// Anything else is a unit of its own. The lock is no address. The last step of a witness for an assertion or
// a memory error is the instruction that fails, and no event.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "trace/witness.hpp"

namespace weir {

struct TraceEvent {
  std::size_t step = 0;     // of the witness: the instruction
  std::size_t visible = 0;  // the step at which it takes effect: the flush of a buffered store (the number of
                            // steps if there is none), otherwise `step`
  std::size_t unit = 0;     // counts over the execution
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

  friend bool operator==(const HappensBeforeEdge&, const HappensBeforeEdge&) = default;
};

struct HappensBefore {
  std::vector<TraceEvent> events;  // in the order of their steps
  // Between neighbours only: program order and coherence, and from a read to the first write that overwrites
  // what it read. The rest follows by transitivity.
  std::vector<HappensBeforeEdge> edges;

  // As few edges as possible from a unit back to itself, in order; empty if there is no cycle. The target of
  // an edge and the source of the next belong to one unit, but may be different events of it. Here one edge
  // may go to any later event of the thread, or write to the address: program order is given as one edge from
  // the first to the last event of the cycle in that thread. Quadratic in the number of events.
  std::vector<HappensBeforeEdge> cycle() const;
};

// `witness` must be an execution of `program`: replay it first. Every buffered store that has no flush is
// placed after all stores that have one, in the order of the stores' steps.
HappensBefore happens_before(const Program& program, const Witness& witness);

// The relation of given events, which are in the order of their steps.
HappensBefore relate(std::vector<TraceEvent> events);

// Only the events.
std::vector<TraceEvent> trace_events(const Program& program, const Witness& witness);

// For each address, the events that write it in the order in which they reach memory.
std::vector<std::vector<std::size_t>> coherence_orders(const std::vector<TraceEvent>& events);

}  // namespace weir
