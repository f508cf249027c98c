// Putting fences into a program.
#pragma once

#include <span>

#include "program/program.hpp"

namespace weir {

// The program with a full fence before the instructions that leave each of `locations`: what arrives at such
// a location executes the fence before anything else. Ids of locations and edges that exist keep their
// meaning: a fenced location stays where threads arrive and properties look, and its old edges leave from a
// new location behind the fence. Nothing happens at a location without edges.
Program with_fences(const Program& program, std::span<const LocationId> locations);

}  // namespace weir
