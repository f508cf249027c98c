// Fences in the text of a C program.
//
// A fence stands before the instructions that leave a location, and these know their line and column. In the
// text it is a statement of its own before the statement they belong to (`kStatement`), or, where that is the
// condition of a loop or of an `if`, the first operand of a comma in the condition, so that it is executed
// each time (`kCondition`). Which of the two is enough is for the caller to find out: the text is read as
// tokens and brackets, no more.
#pragma once

#include <map>
#include <optional>

#include "program/program.hpp"
#include "program/text/edit.hpp"

namespace weir {

enum class CFenceForm : std::uint8_t { kStatement, kCondition };

// Where a fence at the location would stand; nothing if its instructions have no place in a C text.
std::optional<SourcePosition> c_fence_place(const Program& program, LocationId location);

// The changes to each file, `#include` lines that become necessary among them. Nothing if one of the fences
// cannot be written in this form.
std::optional<std::map<FileId, std::vector<TextEdit>>> c_fence_edits(const Program& program,
                                                                     const std::vector<LocationId>& fences,
                                                                     CFenceForm form);

}  // namespace weir
