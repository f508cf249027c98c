// A set of states together with what is still to happen after them, as events: the cubes of Section 3.2 of
// the TSO paper (see axiomatic.hpp).
//
// Events stand in the order in which their transitions are issued, so those of one process stand in program
// order. The reads of a transition are one event and its writes another. A fence belongs to the read event of
// its transition, which may read nothing: all writes of the process that were issued before reach memory
// before it. Events of one instant happen together (`atom`): the two of a transition that reads and writes,
// and the views of an unsafe cube, one event for each process that looks.
//
// What is forgotten. A read on whose value there is no constraint: whatever the order of the other events, it
// finds some value in its place of it. A read event that reads nothing and is no fence: what it puts in
// order, reads of its process before it and events of its process behind it, is in order without it. A
// process of which nothing is said. The value of a read that has found its write is that of the write, and
// needs no name.
//
// All else is kept, and there is no need to forget more for the search to end: adding events to a cube only
// makes it smaller, so one that has gone through a loop twice lies within that which did so once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/array/region.hpp"
#include "engine/array/theory/facts.hpp"
#include "engine/array/vocabulary.hpp"

namespace weir::array {

struct Event {
  bool write = false;  // or else a read
  std::uint8_t process = 0;
  std::uint8_t instant = 0;  // events with the same number happen together
  bool fenced = false;       // a read: the buffer of the process is empty when it happens
  bool final = false;        // a read: a view of the unsafe cube, after all reads of all processes
  std::vector<Node> cells;   // a write: what it writes, sorted
  // A write: the arrays of which it also writes every cell that names a process the cube does not.
  std::vector<SymbolId> elsewhere;

  friend bool operator==(const Event&, const Event&) = default;
};

// A read of `cell` that waits for its write. Its value is Node::value_of_read(…, its number).
struct WaitingRead {
  Node cell;
  std::uint8_t event = 0;

  friend bool operator==(const WaitingRead&, const WaitingRead&) = default;
};

// The read event takes its value of `cell` from the write event: rf.
struct ReadFrom {
  Node cell;
  std::uint8_t write = 0;
  std::uint8_t read = 0;

  friend bool operator==(const ReadFrom&, const ReadFrom&) = default;
};

struct EventCube {
  std::uint32_t processes = 0;
  std::vector<Constraint> constraints;  // in normal form
  std::vector<Event> events;            // in the order of issue
  std::vector<WaitingRead> waiting;
  std::vector<ReadFrom> from;

  bool program_order(std::size_t first, std::size_t second) const {
    return first < second && events[first].process == events[second].process;
  }
  std::size_t size() const { return constraints.size() + events.size() + waiting.size() + from.size(); }

  friend bool operator==(const EventCube&, const EventCube&) = default;
};

inline constexpr std::size_t kMostEvents = 100;

bool writes(const Event& event, Node cell);

// There are `processes` processes now. The new ones are those of which `elsewhere` speaks.
void name_processes(EventCube& cube, std::uint32_t processes, const ArraySystem& system);

// Every cell of a symbol whose processes are below `processes`.
std::vector<Node> cells_of(SymbolId symbol, std::uint32_t processes, const ArraySystem& system);

// Makes the constraints those of `facts` and forgets what can be forgotten. Returns where the processes went,
// kGone for those dropped.
std::vector<std::uint8_t> simplify(EventCube& cube, const Facts& facts);

// The events renamed to other processes.
Node renamed(Node cell, const std::vector<std::uint8_t>& processes);

std::string describe(const EventCube& cube, const Vocabulary& vocabulary);

}  // namespace weir::array
