// The cubes of events from which one transition leads into a cube of events: Section 3.2 of the TSO paper,
// `pre` and `extend_rels`.
//
// For every way to choose the processes of the transition among those of the cube and new ones: the guard;
// ordinary cells replaced by what they become; the reads of the transition as a new read event, waiting; its
// writes as a new write event; and for each read that waits for one of the cells written, both that it takes
// this write and that it does not. New events are issued before all others. No question about memory is
// answered here: which of the results are executions is for the solver.
//
// A choice that changes no constrained cell and satisfies no read is left out: the result lies within the
// cube.
//
// Universal quantifiers range over the processes named, as in the other search: processes of which nothing is
// said may be as if crashed. What an update of all cells of a weak array does at processes not named is part
// of the write event (Event::elsewhere); where this depends on more than the performing process, the result
// is marked.
#pragma once

#include <functional>
#include <vector>

#include "engine/array/axiomatic/cube.hpp"
#include "engine/array/axiomatic/moves.hpp"

namespace weir::array {

struct EventPredecessor {
  EventCube cube;
  std::uint32_t transition = 0;
  std::vector<std::uint8_t>
      parameters;  // numbered as before the result was simplified; `went` says where they are now
  std::vector<std::uint8_t> went;
  bool approximate = false;  // something was weakened
};

class Preimage {
 public:
  explicit Preimage(const Vocabulary& vocabulary);

  // Until `found` returns false. False: it did, or there were more processes, reads or events than there may
  // be.
  bool each(const EventCube& cube, const std::function<bool(EventPredecessor&&)>& found) const;

  // The cubes of an unsafe cube or invariant: its views are final read events.
  std::vector<EventCube> of_cube(const Cube& cube) const;

 private:
  const Vocabulary& vocabulary_;
  std::vector<Move> moves_;
};

}  // namespace weir::array
