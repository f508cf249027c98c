// The code of one RMM process as a function.
//
// A statement's label is the label of the location where it starts. `read: x = E` is a load that waits until
// memory holds that value. `cas` and `locked { … }` are atomic blocks, executable only if they can reach
// their end; a `locked` that does not write and is a single instruction is that instruction. Branches of a
// choice start at one location, unless they begin with something that leads back there.
//
// What is written to a variable or register with a range is checked before, unless ranges show that it fits.
#pragma once

#include <map>
#include <string>

#include "frontend/rmm/syntax.hpp"
#include "frontend/rmm/variables.hpp"

namespace weir::rmm {

struct LoweredProcess {
  FunctionId function;
  bool knows_itself = false;  // its code depends on which process it is
  std::map<std::string, LocationId> labels;
  std::map<std::string, SourcePosition> hidden_labels;  // inside `locked`, where nobody sees them
};

// The values of a declaration that says `*`.
Range arbitrary_values(const ProgramSyntax& syntax, const Declaration& declaration);

// `ready`: the address of a cell that is not 0 as soon as the process may start; none if it may at once.
LoweredProcess lower_process(const ProgramSyntax& syntax, const Variables& variables, std::size_t process,
                             OutsideRange outside, std::optional<Value> ready, Program& program);

}  // namespace weir::rmm
