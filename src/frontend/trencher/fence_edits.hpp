// Fences in the text of a Trencher file: the state keeps its name for those who arrive, and its transitions
// leave from a new state behind an mfence.
//
//   transition q1 q2 read r 1      becomes      transition q1 q1_fenced mfence
//                                               transition q1_fenced q2 read r 1
#pragma once

#include <span>

#include "program/program.hpp"
#include "program/text/edit.hpp"

namespace weir {

// What to change in `text`, from which `program` was parsed, so that it means `with_fences(program,
// locations)`. All of these have edges, and none is given twice.
std::vector<TextEdit> trencher_fence_edits(const Program& program, const std::string& text,
                                           std::span<const LocationId> locations);

}  // namespace weir
