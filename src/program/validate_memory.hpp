// The part of `validate` that looks at memory: objects, private objects, blocks, and who uses them.
#pragma once

#include <vector>

#include "base/diagnostic.hpp"
#include "program/program.hpp"

namespace weir {

// Shared and private objects. Needs nothing; what it accepts can be asked for the object at an address.
std::vector<Diagnostic> check_objects(const Program& program);

// How instructions use memory; needs a program whose ids are all right.
std::vector<Diagnostic> check_memory_use(const Program& program);

}  // namespace weir
