// Fences in the text of an RMM file: a `fence` before a statement, which takes over its label.
//
//   L0: read: $r := x;      becomes      L0: fence; read: $r := x;
//
// There is no place for one before a loop, which is also reached from its own end, before the only statement
// of a branch, and inside of `locked`.
#pragma once

#include <span>

#include "program/program.hpp"
#include "program/text/edit.hpp"

namespace weir {

// Per location of `program`, which was parsed from `text`: can a fence be put there?
std::vector<bool> rmm_fence_sites(const Program& program, std::string_view text);

// What to change in the text so that it means `with_fences(program, locations)`. All are fence sites, and
// none is given twice.
std::vector<TextEdit> rmm_fence_edits(const Program& program, std::string_view text,
                                      std::span<const LocationId> locations);

}  // namespace weir
