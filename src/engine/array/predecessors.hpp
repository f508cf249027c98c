// The states from which one transition leads into a region, again as regions.
//
// Ghilardi and Ranise's pre-image: for every way to choose the processes of the transition among those of the
// region and new ones, the constraints with the updates put in, and the guard. For weak memory, the rules of
// Section 4.2 of "Parameterized Model Checking on the TSO Weak Memory Model" on the summary described in
// region.hpp. Choices that change nothing the region speaks of are left out: what they give the region
// covers.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "engine/array/region.hpp"

namespace weir::array {

// A region, and how it was found: the processes of the transition's parameters, and where the processes of
// the region it leads to are in it. Numbers are those before processes that nothing speaks of were dropped;
// `went` says where they are now, or kGone.
struct Predecessor {
  Region region;
  std::uint32_t transition = 0;
  std::vector<std::uint8_t> parameters;
  std::vector<std::uint8_t> went;
  bool approximate = false;
};

class Predecessors {
 public:
  explicit Predecessors(const Vocabulary& vocabulary);
  ~Predecessors();

  // Calls `found` for every predecessor of the region. False: the region would need too many processes or
  // reads.
  bool each(const Region& region, const std::function<void(Predecessor&&)>& found) const;

  // The regions of an unsafe cube, of which there is more than one only for sorts with several kinds of
  // values.
  std::vector<Region> of_cube(const Cube& cube) const;

  // Whether some state of the region is initial.
  bool meets_initial(const Region& region) const { return initial_states(region).has_value(); }
  // What holds in some of its initial states, if there are any.
  std::optional<Facts> initial_states(const Region& region) const;

 private:
  struct Compiled;
  class Step;
  const Vocabulary& vocabulary_;
  std::vector<Compiled> transitions_;
};

}  // namespace weir::array
