// What the axiomatic search asks Z3: the only place where the memory model is written down.
//
// The axioms are those of Appendix A of the TSO paper, instantiated for the events of a cube. `ghb` must be
// acyclic once the events of one instant are taken together; that is so if and only if instants can be given
// numbers that grow along it. So every instant has an integer, its position, and each axiom that gives a pair
// of ghb is a comparison of positions:
//
//   ppo      po(e, f), e a read or f a write           position e < position f
//   fence    po(w, r), a fence at r or between them    position w < position r
//   co       w and w' write the same cell              position w <> position w'
//   rfe      rf(w, r), of different processes          position w < position r
//   fr       rf(w, r) and co(w, w')                    position r < position w'
//   uniproc  rf(w, r) and po(w', r), of one cell       not co(w, w')
//   views    a read r of any process, a final view v   position r < position v
//   issue    a read r, an event e issued later         position r < position e
//
// where co(w, w') says that position w < position w'. `issue` holds if ordinary symbols are shared between
// processes: reads happen when they are issued, and writes reach memory later.
//
// Pairs of one instant are left out: a transition that reads and writes sees memory before it writes. An
// event that has not been met yet comes earlier in the order of issue than all others, so rf never leads
// backwards and the other half of uniproc holds by itself.
#pragma once

#include <memory>
#include <vector>

#include "engine/array/axiomatic/cube.hpp"

namespace weir::array {

enum class SolverAnswer : std::uint8_t { kNo, kYes, kUnknown };

class AxiomaticSolver {
 public:
  virtual ~AxiomaticSolver() = default;

  // Whether the constraints have a solution and the events a valid order, as far as the events are known.
  virtual SolverAnswer possible(const EventCube& cube) = 0;
  // Whether some state of the cube is initial: the reads that wait read what is in memory at the beginning.
  virtual SolverAnswer initial(const EventCube& cube) = 0;
  // Whether the constraints imply that one of the instances, each a conjunction about the same processes and
  // reads, holds.
  virtual SolverAnswer implies(const EventCube& cube,
                               const std::vector<std::vector<Constraint>>& instances) = 0;
};

// `issue_order`: ordinary symbols are shared. Null where Z3 is not there.
std::unique_ptr<AxiomaticSolver> make_axiomatic_solver(const Vocabulary& vocabulary, bool issue_order);

}  // namespace weir::array
