// Fences in the text of an IMP file: a `fence` before a statement, which takes over its label.
//
//   3: turn := 1;      becomes      3: fence;
//                                      turn := 1;
//
// A loop is also reached from its own end, so a fence where it starts is two in the text: before `while`, and
// before `od`. That is not the same to a property that looks at the loop's label, so there it is refused; and
// so is a fence between the reads of one statement, or inside of `atomic`.
#pragma once

#include <span>

#include "program/program.hpp"
#include "program/text/edit.hpp"

namespace weir {

// Per location of `program`, which was parsed from `text`: can a fence be put there?
std::vector<bool> imp_fence_sites(const Program& program, std::string_view text);

// Where the fences of a loop go: before `while`, before `od`.
struct LoopFences {
  LocationId loop;
  bool before = true, inside = true;
};

// Of the fence sites `locations`, those at which a loop starts, with both fences.
std::vector<LoopFences> imp_loops(const Program& program, std::string_view text,
                                  std::span<const LocationId> locations);

// What to change in the text so that it means `with_fences(program, locations)`, if all `loops` among them
// have both fences; one is often enough. All are fence sites, and none is given twice.
std::vector<TextEdit> imp_fence_edits(const Program& program, std::string_view text,
                                      std::span<const LocationId> locations,
                                      std::span<const LoopFences> loops);

}  // namespace weir
