// All initial states of an array system with given processes.
#pragma once

#include <functional>
#include <vector>

#include "check/array/machine.hpp"

namespace weir::array {

struct InitialSearch {
  bool stopped = false;       // the visitor said so
  bool restricted = false;    // a number or an abstract value that init does not fix took some values only
  bool does_not_fit = false;  // init needs a number that does not fit in 64 bits
};

// Calls visit(state) for the initial states, until it returns false. Where `matters` is given, one state
// stands for all that differ in symbols outside it only.
InitialSearch for_each_initial(const ArrayMachine& machine,
                               const std::function<bool(const ArrayState&)>& visit,
                               const std::vector<bool>* matters = nullptr);

}  // namespace weir::array
