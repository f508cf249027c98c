// Fences in a text in Weir's own form: the location keeps its label for those who arrive, and its edges leave
// from a new location behind a fence.
//
//   a:                                becomes      a:
//     r := load y -> b                               fence full -> a_fenced
//                                                  a_fenced:
//                                                    r := load y -> b
//
// Where the text numbers its locations or edges, the new ones get the next free numbers, and what follows
// them keeps the numbers it had.
#pragma once

#include <span>

#include "program/program.hpp"
#include "program/text/edit.hpp"

namespace weir {

// What to change in `text`, from which `program` was parsed, so that it means `with_fences(program,
// locations)`. All of these have edges, and none is given twice.
std::vector<TextEdit> text_fence_edits(const Program& program, std::string_view text,
                                       std::span<const LocationId> locations);

}  // namespace weir
