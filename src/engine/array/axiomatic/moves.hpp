// Transitions as the axiomatic search goes back over them, and the processes they can be fired with.
//
// Existential quantifiers of a guard that are not below a negation or a universal one become witnesses:
// further processes to choose. A guard with a disjunction over such quantifiers gives several moves.
#pragma once

#include <functional>
#include <vector>

#include "engine/array/grounding.hpp"
#include "engine/array/weak_use.hpp"

namespace weir::array {

// A process that makes an existential quantifier true.
struct Witness {
  std::uint32_t variable = 0;
  std::vector<Process> others;  // from which it differs
};

struct Move {
  const Transition* transition = nullptr;
  std::uint32_t index = 0;
  WeakUse use;
  std::vector<Witness> witnesses;
  Formula guard;                // without the quantifiers that became witnesses
  std::uint32_t variables = 0;  // all variables have smaller numbers
};

// The system must outlive the moves.
std::vector<Move> moves_of(const ArraySystem& system);

// Called with the processes of all variables, and how many processes there are then. False ends it.
using ProcessesFound = std::function<bool(const Environment&, std::uint32_t processes)>;

// All ways to give different processes to the parameters, and processes to the witnesses: those that are
// there, the first `processes`, or new ones. False: there would be too many, or `found` ended it.
bool each_choice(std::size_t parameters, const std::vector<Witness>& witnesses, std::uint32_t variables,
                 std::uint32_t processes, std::uint32_t most, const ProcessesFound& found);

}  // namespace weir::array
