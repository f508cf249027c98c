// An array system with a given number of processes as a `Program`, for the engines that take one. Under TSO
// the program can do exactly what the instance can; under SC, what it could if nothing were weak.
//
// Not every instance is a program: a thread stores one cell at a time and sees one cell at a time, and what
// it changes for all at once it changes with an empty buffer. What cannot be said exactly is refused, with
// the reason; nothing is approximated.
#pragma once

#include <cstdint>

#include "base/diagnostic.hpp"
#include "program/array/system.hpp"
#include "program/program.hpp"

namespace weir::array {

// The system must be well formed, and all its constant processes must exist among so many.
Expected<Program, Diagnostic> instance_as_program(const ArraySystem& system, std::uint32_t processes);

}  // namespace weir::array
