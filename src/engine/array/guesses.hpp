// Invariants guessed from small instances, in the manner of BRAB.
//
// Given a region, its parts are tried from small to large: a part keeps a few of the constraints, or weaker
// forms of those about numbers (for X = Y + 2 also X > Y), and with them the reads they are about. The first
// part that no visited state of the instances satisfies is the guess. For weak memory this asks whether a
// process can see the value now or when buffers have been flushed, and a part is tried without the order
// between events first, then with.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/context.hpp"
#include "engine/array/instance.hpp"
#include "engine/array/region.hpp"

namespace weir::array {

class Guesses {
 public:
  Guesses(const Vocabulary& vocabulary, const std::vector<std::uint32_t>& processes, std::size_t states_each,
          const Context& context);
  ~Guesses();

  // A region larger than the given one that covers none of the bad ones; none if there is no good one.
  // Which of several good parts comes first depends on `order`: 0 as written, 1 turned round, others
  // shuffled.
  std::optional<Region> propose(const Region& region, const std::vector<Region>& bad, std::uint32_t order);

  std::size_t states() const;

 private:
  using States = std::vector<std::uint64_t>;  // a set of states of one instance
  struct Tested;

  bool reached(const std::vector<Constraint>& constraints, const Region& region);
  bool reached_in(Tested& tested, const std::vector<Constraint>& constraints, const Region& region);
  const States& states_of(Tested& tested, const Constraint& constraint, const Region& region,
                          const Renaming& renaming);
  std::optional<Region> accept(const std::vector<Constraint>& constraints, const Region& region,
                               const std::vector<Region>& bad);

  const Vocabulary& vocabulary_;
  std::vector<std::unique_ptr<Tested>> instances_;
};

}  // namespace weir::array
