// A parameterized system as text, in the language of Cubicle: what the array front end reads.
#pragma once

#include <string>

#include "program/array/system.hpp"

namespace weir {

// Parsing the text gives the same system, apart from positions. Predicates and `let` were expanded before, so
// they do not come back. Names of bound processes are new.
std::string print_array_system(const array::ArraySystem& system);

namespace array {

// "any number of processes", "at most 2 processes"
std::string processes_text(const ArraySystem& system);

}  // namespace array

}  // namespace weir
