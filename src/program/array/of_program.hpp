// A program whose threads are templates, as an array system: each process is a copy of one of the threads,
// and there may be any number of each. Under TSO the system with N processes can do what the program can with
// N threads, for every way to choose them.
//
// Exact or refused: the values that registers and cells can take must be few (they become an enumeration),
// and every instruction must be a transition (no calls, no lock, no atomic blocks). Of the properties, goals,
// mutual exclusion and assertions are taken over.
#pragma once

#include "base/diagnostic.hpp"
#include "program/array/system.hpp"
#include "program/program.hpp"

namespace weir::array {

// The program must be well formed.
Expected<ArraySystem, Diagnostic> as_array_system(const Program& program);

}  // namespace weir::array
